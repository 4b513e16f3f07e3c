// What the public client reads through, and the operations on several at once, in /v1.
import { describe, expect, test } from "vitest";
import { addComment, addReply } from "#test/features/comments/factory.ts";
import { editAs, newPage } from "#test/features/content/edits.ts";
import { addInstalled, addIntegration } from "#test/features/integrations/factory.ts";
import { addInviteLink } from "#test/features/invite-links/factory.ts";
import { addSection, addSite, addSiteSpace } from "#test/features/sites/factory.ts";
import { useApp } from "#test/support/app.ts";
import type { Person } from "#test/support/world.ts";

const { app, world } = await useApp();

type Answer = Readonly<Record<string, unknown>> & {
  readonly urls: Readonly<Record<string, string>>;
  readonly items: readonly Answer[];
};

const call = ({ token }: Person, method: string, path: string, body?: unknown) =>
  app.as(token).rest<Answer>(method, `/v1${path}`, { body });

describe("urls", () => {
  test("`published` of a space is its address on the first published site that shows it to the caller", async () => {
    const { organization, space, reader, outsider } = await world.space({ space: { visibility: "public" } });
    const at = { organizationId: organization.id };
    const { shared, draft, hidden } = await world.insert((rows) => {
      const [draft, shared] = [
        addSite(rows, { ...at, published: false }),
        addSite(rows, { ...at, visibility: "share_link", shareKey: "the-key-of-the-site" }),
      ];
      const section = addSection(rows, { siteId: shared.id, path: "guides" });
      const hidden = addSiteSpace(rows, { siteId: draft.id, spaceId: space.id, path: "draft" });
      addSiteSpace(rows, { siteId: shared.id, spaceId: space.id, sectionId: section.id, path: "tides" });
      return { shared, draft, hidden };
    });
    const publishedTo = async (person: Person, query = "") =>
      (await call(person, "GET", `/spaces/${space.id}${query}`)).body.urls["published"];
    expect(await publishedTo(outsider)).toBe(`${app.url}/published/${space.id}`);
    await app.database.prisma.space.update({ where: { id: space.id }, data: { visibility: "in_collection" } });
    expect(await publishedTo(reader)).toBeUndefined();
    const onSite = `${app.url}/published/${shared.id}/the-key-of-the-site/guides/tides`;
    expect(await publishedTo(reader, "?shareKey=the-key-of-the-site")).toBe(onSite);
    expect((await call(outsider, "GET", `/spaces/${space.id}?shareKey=the-key-of-the-site`)).status).toBe(404);
    await app.database.prisma.site.update({ where: { id: draft.id }, data: { published: true } });
    expect(await publishedTo(reader)).toBe(`${app.url}/published/${draft.id}/${hidden.path}`);
  });

  test("are an empty object for a site space of a site that is not published", async () => {
    const { organization, space, reader } = await world.space();
    const site = await world.insert((rows) => {
      const made = addSite(rows, { organizationId: organization.id, published: false });
      addSiteSpace(rows, { siteId: made.id, spaceId: space.id });
      return made;
    });
    const path = `/orgs/${organization.id}/sites/${site.id}`;
    expect((await call(reader, "GET", `${path}/site-spaces`)).body.items).toMatchObject([{ urls: {}, draft: false }]);
    expect((await call(reader, "GET", path)).body).toMatchObject({
      appliedType: "basic",
      defaultLevel: "inherit",
      features: [],
      permissions: { view: true, access: true, admin: false, edit: false },
      urls: { preview: `${app.url}/published/${site.id}` },
    });
  });
});

test("the layout of a page has a value for everything that was not set", async () => {
  const { space, editor, reader } = await world.space();
  const page = newPage("Start", { layout: { width: "WIDE", outline: false } });
  await editAs(app.as(editor.token), { spaceId: space.id }, page.edit);
  const { body } = await call(reader, "GET", `/spaces/${space.id}/content/page/${page.pageId}`);
  const shown = {
    cover: true,
    title: true,
    description: true,
    tableOfContents: true,
    pagination: true,
    metadata: true,
  };
  expect(body["layout"]).toEqual({ ...shown, width: "wide", coverSize: "hero", outline: false });
});

test("a comment names the users who replied to it, in the order of their first replies", async () => {
  const { space, reader, editor, commenter } = await world.space();
  const comment = await world.insert((rows) => {
    const made = addComment(rows, { spaceId: space.id, postedById: reader.id });
    for (const { id } of [editor, commenter, editor]) addReply(rows, { commentId: made.id, postedById: id });
    return made;
  });
  const { body } = await call(reader, "GET", `/spaces/${space.id}/comments/${comment.id}`);
  expect(body["repliers"]).toMatchObject([
    { user: { id: editor.id }, count: 2 },
    { user: { id: commenter.id }, count: 1 },
  ]);
});

test("POST permissions grants users and teams a role at once, or none of them", async () => {
  const { collection, space, admin, editor, guest, team, outsider } = await world.space();
  for (const path of [`/spaces/${space.id}`, `/collections/${collection.id}`]) {
    const invite = (person: Person, body: object) => call(person, "POST", `${path}/permissions`, body);
    const rolesOf = async (holder: "user" | "team") => {
      const { items } = (await call(admin, "GET", `${path}/permissions/${holder}s`)).body;
      return Object.fromEntries(items.map((item) => [(item[holder] as Answer)["id"], item["permission"]]));
    };
    const before = await rolesOf("user");
    expect((await invite(admin, { role: "edit", users: [guest.id, outsider.id] })).status).toBe(404);
    expect((await invite(admin, { role: "edit" })).status).toBe(400);
    expect((await invite(editor, { role: "edit", users: [guest.id] })).status).toBe(403);
    expect(await rolesOf("user")).toEqual(before);
    expect((await invite(admin, { role: "edit", users: [guest.id, editor.id], teams: [team.id] })).status).toBe(204);
    expect(await rolesOf("user")).toMatchObject({ [guest.id]: "edit", [editor.id]: "edit" });
    expect(await rolesOf("team")).toMatchObject({ [team.id]: "edit" });
  }
});

describe("changes of the content of a change request", () => {
  test("`revert_page` sets a page back to the content on which it is based, or to another revision", async () => {
    const { space, editor } = await world.space();
    const page = newPage("Start", { markdown: "One.\n", emoji: "⚓" });
    await editAs(app.as(editor.token), { spaceId: space.id }, page.edit);
    const made = await call(editor, "POST", `/spaces/${space.id}/change-requests`, {});
    const path = `/spaces/${space.id}/change-requests/${String(made.body["id"])}/content`;
    const change = (body: object) => call(editor, "POST", path, { changes: [body] });
    const read = async () => (await call(editor, "GET", `${path}/page/${page.pageId}?format=markdown`)).body;
    const rewritten = { operation: "update_page", page: page.pageId, title: "Later", emoji: "", hidden: true };
    const { body } = await change({ ...rewritten, document: { markdown: "Two.\n" } });
    expect(await read()).toMatchObject({ title: "Later", markdown: "Two.\n", hidden: true });
    expect((await change({ operation: "revert_page", page: page.pageId })).status).toBe(200);
    expect(await read()).toMatchObject({
      title: "Start",
      slug: "start",
      markdown: "One.\n",
      emoji: "⚓",
      hidden: false,
    });
    expect((await change({ operation: "revert_page", page: page.pageId, revision: body["revision"] })).status).toBe(
      200,
    );
    expect(await read()).toMatchObject({ title: "Later", markdown: "Two.\n", hidden: true });
    const unknown = { operation: "revert_page", page: newPage("None").pageId };
    expect((await change(unknown)).status).toBe(404);
  });

  test("`insert_files` fetches a file from its address, and rejects one that cannot be fetched", async () => {
    const { space, changeRequest, editor } = await world.changeRequest();
    const path = `/spaces/${space.id}/change-requests/${changeRequest.id}/content`;
    const insert = (file: object) =>
      call(editor, "POST", path, { changes: [{ operation: "insert_files", files: [{ name: "tides.txt", ...file }] }] });
    expect((await insert({ url: "https://docs.example.com/tides.md" })).status).toBe(200);
    expect((await call(editor, "GET", `${path}/files`)).body.items).toMatchObject([{ name: "tides.txt" }]);
    for (const file of [
      { url: "https://docs.example.com/none" },
      { url: "https://elsewhere.example.com/tides.md" },
      { url: "file:///etc/hosts" },
      { url: "https://docs.example.com/tides.md", base64: "YQ==" },
      {},
    ])
      expect([file, (await insert(file)).status]).toEqual([file, 400]);
  });
});

test("DELETE removes an integration from one space, below its own installation only", async () => {
  const { organization, space, admin, reader } = await world.space();
  const organizationId = organization.id;
  const { integration, installation } = await world.insert((rows) => {
    const integration = addIntegration(rows, { organizationId });
    const site = addSite(rows, { organizationId });
    const of = { integrationId: integration.id, organizationId, spaceId: space.id, siteId: site.id };
    return { integration, ...addInstalled(rows, of) };
  });
  const below = (name: string) => `/integrations/${name}/installations/${installation.id}/spaces/${space.id}`;
  expect((await call(admin, "DELETE", below("another"))).status).toBe(204);
  expect((await call(reader, "DELETE", below(integration.name))).status).toBe(403);
  expect((await call(admin, "DELETE", below(integration.name))).status).toBe(205);
  expect((await call(admin, "DELETE", below(integration.name))).status).toBe(204);
});

test("PATCH changes an invite link; absent properties stay", async () => {
  const { organization, admin, reader } = await world.space();
  const link = await world.insert((rows) =>
    addInviteLink(rows, { organizationId: organization.id, role: "read", createdById: admin.id }),
  );
  const path = `/orgs/${organization.id}/link-invites/${link.id}`;
  expect((await call(admin, "PATCH", path, { role: "edit" })).body).toMatchObject({ id: link.id, role: "edit" });
  expect((await call(admin, "PATCH", path, {})).body).toMatchObject({ role: "edit" });
  expect((await call(reader, "PATCH", path, { role: "read" })).status).toBe(404); // readers do not see links
});
