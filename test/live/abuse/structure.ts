// Abuse of structure: access after a deletion of a collection, lists beyond their first page, a search over many
// spaces, and access changes missing from the audit log.
import { newId } from "#src/base/ids.ts";
import { addCollection } from "#test/features/collections/factory.ts";
import { addGrant } from "#test/features/members/factory.ts";
import { addSpace } from "#test/features/spaces/factory.ts";
import { ask, asks, type Check, measured, type Outcome, post, type Target } from "#test/live/abuse/target.ts";
import { type Person, times } from "#test/support/world.ts";

const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });

/** The statuses of /v1 for a space, by person. */
const statusesFor = ({ url }: Target, people: readonly Person[], spaceId: string): Promise<number[]> =>
  Promise.all(people.map(async ({ token }) => (await ask(`${url}/v1/spaces/${spaceId}`, bearer(token))).status));

/** Private spaces in a collection of the level `edit` and in a nested one, one of them in the trash. */
async function closedSpaces({ world }: Target) {
  const made = await world.organization();
  const organizationId = made.organization.id;
  const items = await world.insert((rows) => {
    const outer = addCollection(rows, { organizationId, defaultLevel: "edit" });
    const inner = addCollection(rows, { organizationId, parent: outer });
    addGrant(rows, { organizationId, collectionId: outer.id, userId: made.guest.id, role: "admin" });
    const closed = { organizationId, visibility: "private", openToMembers: false } as const;
    const deletedAt = new Date();
    return {
      collectionIds: [outer.id, inner.id],
      present: [addSpace(rows, { ...closed, parent: outer }), addSpace(rows, { ...closed, parent: inner })],
      trashed: addSpace(rows, { ...closed, parent: outer, deletedAt }),
    };
  });
  return { ...made, ...items };
}

async function afterDeletion(target: Target): Promise<Outcome> {
  const { admin, reader, creator, guest, collectionIds, present, trashed } = await closedSpaces(target);
  for (const id of collectionIds)
    await ask(`${target.url}/v1/collections/${id}`, { method: "DELETE", ...bearer(admin.token) });
  await ask(`${target.url}/v1/spaces/${trashed.id}/restore`, { method: "POST", ...bearer(admin.token) });
  const ids = [...present, trashed].map(({ id }) => id);
  const statuses = await Promise.all(ids.map((id) => statusesFor(target, [reader, creator, guest], id)));
  const ofAdmin = await Promise.all(ids.map((id) => statusesFor(target, [admin], id)));
  return {
    holds: statuses.flat().every((status) => status === 404) && ofAdmin.flat().every((status) => status === 200),
    evidence: `others ${statuses.flat().join(" ")}, the admin ${ofAdmin.flat().join(" ")}`,
  };
}

const closing: readonly Check[] = [
  asks("fail", "private spaces after their collections are deleted, nested and restored", afterDeletion),
];

interface Page {
  readonly items: readonly unknown[];
  readonly count: number;
  readonly next?: { readonly page: string };
}

/** Reads all pages of the links of a space with 60 links. */
async function linksOf(target: Target): Promise<Outcome> {
  const { editor, space } = await target.world.space();
  const markdown = times(60, (index) => `[x](https://example.com/${index})`).join("\n\n");
  const edits = [{ createPage: { pageId: newId("Page"), title: "Links", markdown } }];
  const write = "mutation ($input: EditContentInput!) { editContent(input: $input) { revision { id } } }";
  const input = { contentOf: { spaceId: space.id }, edits };
  const written = await post(target, write, { token: editor.token, variables: { input } });
  const lengths: number[] = [];
  for (let page: string | undefined = ""; page !== undefined && lengths.length < 5;) {
    const answer = await ask(
      `${target.url}/v1/spaces/${space.id}/links?limit=25${page && `&page=${page}`}`,
      bearer(editor.token),
    );
    const { items = [], next } = JSON.parse(answer.text) as Partial<Page>;
    lengths.push(items.length);
    page = next?.page;
  }
  return { holds: lengths.join() === "25,25,10", evidence: `${written.status}, pages of ${lengths.join(", ")}` };
}

/** Runs one search grouped by space in an organization of 1,000 spaces with a page each. */
async function searchOf(target: Target): Promise<Outcome> {
  const { reader, organization } = await target.world.organization();
  const organizationId = organization.id;
  const spaces = await target.world.insert((rows) => times(1_000, () => addSpace(rows, { organizationId })));
  await target.world.insert((rows) => {
    const page = { path: "quokka", type: "document", title: "Quokka" };
    // `Rows` supports tables with ids only; this table is written the same way.
    for (const { id } of spaces)
      rows.add("PresentPage" as "Event", { spaceId: id, pageId: newId("Page"), fields: {}, hasText: true, ...page });
  });
  const query = `{ organization(id: "${organizationId}") { searchedSpaces(text: "quokka", first: 1000) { nodes { space { id } } } } }`;
  const begun = performance.now();
  const { status, text } = await post(target, query, { token: reader.token });
  const seconds = (performance.now() - begun) / 1000;
  const found = text.split('"space"').length - 1;
  return measured(found === 1_000, seconds < 5, `${status}, ${found} spaces in ${seconds.toFixed(1)} s`);
}

const lists: readonly Check[] = [
  asks("fail", "links beyond the first page", linksOf),
  asks("fail", "a search grouped by space in 1,000 spaces", searchOf),
];

/** Changes content access, and reads their audit log entries. */
async function auditOf(target: Target): Promise<Outcome> {
  const { admin, organization, space, site } = await target.world.site();
  const [on, onSite] = [`spaceId: "${space.id}"`, `siteId: "${site.id}"`];
  const cases = [
    ["space.updated", "updateSpace", `${on}, visibility: SHARE_LINK`],
    ["space.shareKeyRotated", "rotateShareKey", on],
    ["site.updated", "setSiteJwksUrl", `${onSite}, url: "https://id.example.com/jwks?key=very-secret"`],
    ["site.unpublished", "unpublishSite", onSite],
    ["site.published", "publishSite", onSite],
    ["space.deleted", "deleteSpace", on],
    ["space.restored", "restoreSpace", on],
  ] as const;
  const { token } = admin;
  for (const [, mutation, input] of cases)
    await post(target, `mutation { ${mutation}(input: { ${input} }) { __typename } }`, { token });
  const query = `{ organization(id: "${organization.id}") { auditLog(first: 50) { nodes { type facts } } } }`;
  const { text } = await post(target, query, { token });
  const types = [...text.matchAll(/"type":"([^"]+)"/g)].map(([, type]) => type).toReversed();
  const holds = types.join() === cases.map(([type]) => type).join() && !text.includes("very-secret");
  return { holds, evidence: types.join(", ") };
}

const audit: readonly Check[] = [asks("fail", "the audit log records access changes without secrets", auditOf)];

export const structureChecks: readonly Check[] = [...closing, ...lists, ...audit];
