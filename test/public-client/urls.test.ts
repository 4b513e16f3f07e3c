// Addresses that the public client resolves: to a part of a published site, and to content.
import { describe, expect, test } from "vitest";
import { Links } from "#src/base/public-urls.ts";
import { editAs, newPage } from "#test/features/content/edits.ts";
import { makePublished } from "#test/features/published-sites/scene.ts";
import { publicClient } from "#test/public-client/client.ts";
import { useApp } from "#test/support/app.ts";
import type { Person } from "#test/support/world.ts";

const { app, world } = await useApp();

const urlsOf = ({ token }: Person) => publicClient(app.url, token).urls;
const notFound = { code: 404 } as const;

/** Texts that are no address of this gateway, or no address at all, with the status. */
const hostile: readonly (readonly [string, 400 | 404])[] = [
  ["https://example.com/", 404],
  ["https://example.com:8443/docs", 404],
  ["http://127.0.0.1:9/", 404],
  ["http://169.254.169.254/latest/meta-data/", 404],
  ["https://example.com/%", 404],
  ["https://[::1]/published/x", 404],
  ["", 400],
  ["published", 400],
  ["//example.com/", 400],
  ["javascript:alert(1)", 400],
  ["file:///etc/hosts", 400],
  ["https://", 400],
  ["https://name:secret@example.com/", 400],
  [`https://example.com/${"a".repeat(2048)}`, 400],
];

describe("the published content at an address", () => {
  test("is the site space at `urls.published`, with the paths of site, space and page", async () => {
    const made = await makePublished(app, world);
    const { siteId, organizationId, sections, siteSpaces, spaces, outsider } = made;
    const root = `/published/${siteId}`;
    const target = {
      site: siteId,
      organization: organizationId,
      siteSection: sections.docs,
      siteSpace: siteSpaces.guide,
    };
    const resolve = async (path: string) =>
      (await urlsOf(outsider).resolvePublishedContentByUrl({ url: `${app.url}${path}` })).data;
    expect(await resolve(`${root}/docs/guide/setup?a=b#c`)).toEqual({
      ...target,
      space: spaces.guide.id,
      siteBasePath: `${root}/`,
      basePath: `${root}/docs/guide/`,
      pathname: "/setup",
      complete: true,
      canonicalUrl: `${app.url}${root}/docs/guide/setup`,
    });
    expect(await resolve(`${root}//docs/guide/`)).toMatchObject({ ...target, pathname: "/", complete: true });
    for (const path of [root, `${root}/`, `${root}/docs`]) expect(await resolve(path)).toMatchObject(target);
    const url = `${app.url}${root}/docs/guide`;
    expect((await urlsOf(outsider).getPublishedContentByUrl({ url, redirectOnError: true })).data).toMatchObject(
      target,
    );
    const visitor = await app.as(null).rest("GET", `/v1/urls/published?url=${encodeURIComponent(url)}`);
    expect(visitor.body).toMatchObject(target);
    expect((await app.as(null).rest("POST", "/v1/urls/published", { body: { url } })).body).toEqual(visitor.body);
    expect((await app.as(null).rest("GET", `/v1/urls/content?url=${encodeURIComponent(url)}`)).status).toBe(401);
  });

  test("is found by the hostname and by the proxy of a site", async () => {
    const hostname = "docs.resolved.example.com";
    const { siteId, siteSpaces, outsider } = await makePublished(app, world, { hostname });
    const proxied = await makePublished(app, world, {
      proxyOrigin: "www.resolved.example.com",
      proxyTarget: "/a/docs",
    });
    const resolve = async (url: string) => (await urlsOf(outsider).resolvePublishedContentByUrl({ url })).data;
    expect(await resolve(`https://${hostname.toUpperCase()}/docs/guide/setup`)).toMatchObject({
      site: siteId,
      siteSpace: siteSpaces.guide,
      siteBasePath: "/",
      basePath: "/docs/guide/",
      pathname: "/setup",
      canonicalUrl: `https://${hostname}/docs/guide/setup`,
    });
    expect(await resolve("https://www.resolved.example.com/a/docs/docs/guide")).toMatchObject({
      site: proxied.siteId,
      siteBasePath: "/a/docs/",
      basePath: "/a/docs/docs/guide/",
    });
    for (const url of [
      "https://www.resolved.example.com/a",
      "https://www.resolved.example.com/",
      `https://${hostname}:8443/docs/guide`,
      `https://${hostname}.example.com/docs/guide`,
    ])
      await expect(resolve(url), url).rejects.toMatchObject(notFound);
  });

  test("of a share-link site needs its key, and of a site that is not published needs a member", async () => {
    const shareKey = "the-key-of-this-site";
    const { siteId, outsider } = await makePublished(app, world, { visibility: "share_link", shareKey });
    const resolve = async (person: Person, path: string) =>
      (await urlsOf(person).resolvePublishedContentByUrl({ url: `${app.url}/published/${path}` })).data;
    const found = { site: siteId, shareKey, siteBasePath: `/published/${siteId}/${shareKey}/`, pathname: "/setup" };
    expect(await resolve(outsider, `${siteId}/${shareKey}/docs/guide/setup`)).toMatchObject(found);
    expect(await resolve(outsider, `${siteId}/docs/guide?key=${shareKey}`)).toMatchObject({ shareKey });
    for (const path of [siteId, `${siteId}/another-key/docs/guide`, `${siteId}/docs/guide?key=another`])
      await expect(resolve(outsider, path), path).rejects.toMatchObject(notFound);
    const draft = await makePublished(app, world, { published: false });
    await expect(resolve(outsider, draft.siteId)).rejects.toMatchObject(notFound);
    expect(await resolve(draft.creator, draft.siteId)).toMatchObject({ site: draft.siteId });
    expect(await resolve(draft.creator, draft.siteId)).not.toHaveProperty("canonicalUrl");
  });

  test.for(hostile)("of %s is refused with %i", async ([url, code]) => {
    const { reader } = await world.organization();
    await expect(urlsOf(reader).resolvePublishedContentByUrl({ url })).rejects.toMatchObject({ code });
    await expect(urlsOf(reader).getPublishedContentByUrl({ url })).rejects.toMatchObject({ code });
    await expect(urlsOf(reader).getContentByUrl({ url })).rejects.toMatchObject({ code });
  });
});

describe("addresses of other frontends", () => {
  const templates = [
    "https://pages.example.com/{id}/read/{path}",
    "https://pages.example.com/{path}?of={id}",
    "https://pages.example.com/a.b/{id}",
  ] as const;

  test.for(templates)("of %s are read as they are written", (template) => {
    const links = new Links({ publicUrl: "https://docs.example.com", publishedUrl: template, appUrl: template });
    const hasPath = template.includes("{path}");
    const written = new URL(links.published("sit_1", ["a key", "guide"]));
    expect(links.readPublished(written)).toEqual({ id: "sit_1", path: hasPath ? "a%20key/guide" : null });
    expect(links.readApp(new URL(links.app("spaces/spc_1", "spc_1")))).toEqual({
      id: "spc_1",
      path: hasPath ? "spaces/spc_1" : null,
    });
    for (const other of [
      "https://docs.example.com/",
      "http://pages.example.com/sit_1",
      "https://pages.example.com/aXb/",
    ])
      expect([other, links.readPublished(new URL(other))]).toEqual([other, null]);
  });
});

describe("the content at an address", () => {
  async function withPages() {
    const { space, changeRequest, collection, editor, ...people } = await world.changeRequest();
    const [kept, below, proposed] = [newPage("Start"), newPage("Next"), newPage("Proposed")];
    const inside = { createPage: { ...below.edit["createPage"], parentId: kept.pageId } };
    const revision = await editAs(app.as(editor.token), { spaceId: space.id }, kept.edit, inside);
    await editAs(app.as(editor.token), { changeRequestId: changeRequest.id }, proposed.edit);
    const read = async (person: Person, path: string) =>
      (await urlsOf(person).getContentByUrl({ url: app.url + path })).data;
    return { ...people, space, changeRequest, collection, editor, kept, proposed, revision, read };
  }

  test("is a collection, a space, a change request or a page of them, for members who see it", async () => {
    const { space, changeRequest, collection, kept, proposed, revision, read, reader } = await withPages();
    expect(await read(reader, `/app/collections/${collection.id}`)).toMatchObject({
      collection: { id: collection.id },
    });
    expect(await read(reader, `/app/spaces/${space.id}`)).toMatchObject({ space: { object: "space", id: space.id } });
    const { page } = await read(reader, `/app/spaces/${space.id}/pages/${kept.pageId}`);
    expect(page).toMatchObject({ id: kept.pageId, title: "Start", type: "document", pages: [{ title: "Next" }] });
    const change = `/app/spaces/${space.id}/change-requests/${changeRequest.id}`;
    expect(await read(reader, `${change}/pages/${proposed.pageId}?x=1#y`)).toMatchObject({
      space: { id: space.id },
      changeRequest: { id: changeRequest.id },
      page: { id: proposed.pageId },
    });
    expect(await read(reader, `/app/spaces/${space.id}/revisions/${revision}/pages/${kept.pageId}`)).toMatchObject({
      page: { id: kept.pageId },
    });
  });

  test("is NOT_FOUND for strangers, and for parts of another space", async () => {
    const { space, changeRequest, collection, kept, proposed, read, reader, outsider } = await withPages();
    const elsewhere = await withPages();
    for (const path of [`/app/collections/${collection.id}`, `/app/spaces/${space.id}`])
      await expect(read(outsider, path), path).rejects.toMatchObject(notFound);
    for (const path of [
      "/app",
      "/app/spaces/none",
      "/app/users/none",
      `/app/spaces/${space.id}/pages/${proposed.pageId}`,
      `/app/spaces/${space.id}/pages/none`,
      `/app/spaces/${space.id}/change-requests/${elsewhere.changeRequest.id}`,
      `/app/spaces/${elsewhere.space.id}/change-requests/${changeRequest.id}`,
      `/app/spaces/${space.id}/revisions/${elsewhere.revision}/pages/${kept.pageId}`,
    ])
      await expect(read(reader, path), path).rejects.toMatchObject(notFound);
  });

  test("is the space and page of published addresses, for viewers who see the space itself", async () => {
    const { siteId, spaces, admin, outsider } = await makePublished(app, world);
    const url = `${app.url}/published/${siteId}/docs/guide/setup`;
    expect((await urlsOf(admin).getContentByUrl({ url })).data).toMatchObject({
      space: { id: spaces.guide.id },
      page: { title: "Setup" },
    });
    await expect(urlsOf(outsider).getContentByUrl({ url })).rejects.toMatchObject(notFound);
    const open = await world.space({ space: { visibility: "public" } });
    const page = newPage("Start");
    await editAs(app.as(open.editor.token), { spaceId: open.space.id }, page.edit);
    const published = `${app.url}/published/${open.space.id}/start`;
    expect((await urlsOf(open.outsider).getContentByUrl({ url: published })).data).toMatchObject({
      space: { id: open.space.id },
      page: { id: page.pageId },
    });
  });
});
