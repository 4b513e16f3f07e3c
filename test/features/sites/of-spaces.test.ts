// Sites of a space, the creator of a site, and the viewer's permissions on it.
import { expect, test } from "vitest";
import { addSite, addSiteSpace } from "#test/features/sites/factory.ts";
import { useApp } from "#test/support/app.ts";
import type { Person } from "#test/support/world.ts";

const { app, world } = await useApp();

test("a space lists its sites, each once, and its site spaces, as far as the viewer sees the sites", async () => {
  const { organization, space, reader, outsider } = await world.space({ space: { visibility: "public" } });
  const organizationId = organization.id;
  const made = await world.insert((rows) => {
    const open = addSite(rows, { organizationId, visibility: "public" });
    const closed = addSite(rows, { organizationId, published: false });
    const place = (siteId: string) => addSiteSpace(rows, { siteId, spaceId: space.id }).id;
    return { open: open.id, closed: closed.id, places: [place(open.id), place(open.id), place(closed.id)] };
  });
  const document = `{ space(id: "${space.id}") { sites { totalCount nodes { id } } siteSpaces { totalCount nodes { id site { id } } } } }`;
  const seen = async (by: Person) => {
    const { space } = await app.as(by.token).query<{
      space: { sites: { nodes: { id: string }[] }; siteSpaces: { nodes: { id: string }[] } };
    }>(document);
    return [space.sites.nodes.map(({ id }) => id), space.siteSpaces.nodes.map(({ id }) => id)];
  };
  expect(await seen(reader)).toEqual([[made.open, made.closed], made.places]);
  expect(await seen(outsider)).toEqual([[made.open], made.places.slice(0, 2)]);
});

test("a site is administrated by its creator and admins of the organization; outsiders see only the publisher", async () => {
  const { people, organization, site, creator } = await world.site();
  const document = `{ site(id: "${site.id}") { permissions { view admin } createdBy { id } publisher { title } } }`;
  const seen = async (name: keyof typeof people) => {
    const answer = await app
      .as(people[name].token)
      .query<{ site: { permissions: object; createdBy: object | null } }>(document);
    expect(answer).toMatchObject({ site: { publisher: { title: organization.title } } });
    return [answer.site.permissions, answer.site.createdBy];
  };
  const by = { id: creator.id };
  expect(await seen("admin")).toEqual([{ view: true, admin: true }, by]);
  expect(await seen("creator")).toEqual([{ view: true, admin: true }, by]);
  expect(await seen("reader")).toEqual([{ view: true, admin: false }, by]);
  expect(await seen("outsider")).toEqual([{ view: true, admin: false }, null]);
});
