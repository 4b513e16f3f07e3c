// Cost of links in SQL statements and transactions, and addresses of any length.
import { expect, test } from "vitest";
import { newId } from "#src/base/ids.ts";
import { type Edit, editAs, newPage } from "#test/features/content/edits.ts";
import { addSpace } from "#test/features/spaces/factory.ts";
import { useApp } from "#test/support/app.ts";
import { times } from "#test/support/world.ts";

const { app, world } = await useApp();

async function start() {
  const { editor, admin, space } = await world.space();
  return { admin, space, as: app.as(editor.token) };
}

test("links take the same number of statements for any number of spaces, pages and links", async () => {
  const { space, as, admin } = await start();
  const write = (...edits: Edit[]) => editAs(as, { spaceId: space.id }, ...edits);
  const { organizationId } = space;
  const target = newPage("Target", { markdown: "# Here" });
  await write(target.edit);
  const others = await world.insert((rows) => times(4, () => addSpace(rows, { organizationId, visibility: "public" })));
  const page = (at: string, spaceId: string, index: number) =>
    newPage(`P${index}`, {
      markdown: `[t](page:${at}) [own](#p) [u](user:${admin.id}) [s](space:${spaceId}) [o](https://example.com/${index})\n\n# P`,
    }).edit;
  const pages = (count: number, from: number) =>
    times(count, (index) => page(`${target.pageId}#here`, others[index % 4]?.id ?? "", from + index));
  const toTarget = `${space.id}/${target.pageId}#here`;
  for (const other of others)
    await editAs(app.as(admin.token), { spaceId: other.id }, page(toTarget, space.id, 0), page(toTarget, space.id, 1));

  const links = `totalCount stats { total broken { total } } nodes { status targetReference { pageId spaceId page { title } } }`;
  const ofSpace = `{ space(id: "${space.id}") { links { ${links} } content { allPages { links { ${links} } backlinks { totalCount } } } } }`;
  await write(...pages(2, 0));
  await as.query(ofSpace); // the trees are cached from here on, except that of the next revision
  const few = await as.statements(ofSpace);
  await write(...pages(20, 2));
  await as.query(ofSpace);
  expect(await as.statements(ofSpace)).toBe(few);

  const ofSpaces = (first: number) =>
    `{ organization(id: "${organizationId}") { spaces(first: ${first}) { nodes { links { ${links} } } } } }`;
  await as.query(ofSpaces(5));
  expect(await as.statements(ofSpaces(5))).toBe(await as.statements(ofSpaces(2)));
});

test("the address of a link may have any length", async () => {
  const { space, as } = await start();
  const part = () => `(${times(30, () => newId("Page")).join("")})`;
  const address = `page:${newId("Space")}/${times(20, part).join("")}`;
  await editAs(as, { spaceId: space.id }, newPage("Long", { markdown: `[x](${address})` }).edit);
  const { space: read } = await as.query<{ space: { links: { nodes: { address: string }[] } } }>(
    `{ space(id: "${space.id}") { links { nodes { address } } } }`,
  );
  expect(read.links.nodes).toEqual([{ address }]);
});

test("any number of concurrent merges check their links, each in its transaction", async () => {
  const { admin, space } = await start();
  const { organizationId } = space;
  const count = (app.database.pool.options.max ?? 10) + 1;
  const spaces = await world.insert((rows) => times(count, () => addSpace(rows, { organizationId })));
  const adminAs = app.as(admin.token);
  const inputs = await Promise.all(
    spaces.map(async ({ id: spaceId }) => {
      const { createChangeRequest } = await adminAs.query<{ createChangeRequest: { changeRequest: { id: string } } }>(
        `mutation { createChangeRequest(input: {spaceId: "${spaceId}"}) { changeRequest { id } } }`,
      );
      const changeRequestId = createChangeRequest.changeRequest.id;
      await editAs(adminAs, { changeRequestId }, newPage("New", { markdown: `[s](space:${space.id})` }).edit);
      return { changeRequestId, refuseBrokenLinks: true };
    }),
  );
  const merge = `mutation ($input: MergeChangeRequestInput!) { mergeChangeRequest(input: $input) { changeRequest { status } } }`;
  const merged = await Promise.all(inputs.map((input) => adminAs.query(merge, { input })));
  expect(merged).toEqual(times(count, () => ({ mergeChangeRequest: { changeRequest: { status: "MERGED" } } })));
});
