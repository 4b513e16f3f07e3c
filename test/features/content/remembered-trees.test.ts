// Trees that edits put into the cache equal, page by page, the trees that are read from the database.
import { expect, test } from "vitest";
import { newId } from "#src/base/ids.ts";
import { storeContent } from "#src/features/content/commands/write-content.ts";
import { Draft } from "#src/features/content/model/draft.ts";
import { emptyTree, inTreeOrder, type PageTree } from "#src/features/content/model/page.ts";
import { type Query, readTrees, rememberTree } from "#src/features/content/reads/trees.ts";
import { useApp } from "#test/support/app.ts";
import { makeRandom, type Random } from "#test/support/random.ts";
import { times } from "#test/support/world.ts";

const { app } = await useApp();
const query: Query = (statement) => app.database.query(statement);
const nothing: Query = () => Promise.reject(new Error("It is read from the database"));

let clock = 0;
const now = () => new Date(Date.UTC(2026, 5, 1) + clock++);

/** One random change of a draft; some are refused, such as moving a page below itself. */
function changeOnce(draft: Draft, random: Random, ids: string[]): void {
  const id = random.pick(ids);
  const other = random.below(4) === 0 ? null : random.pick(ids);
  const fresh = { type: "document", title: `Page ${clock}`, fields: {}, text: `Text ${clock++}` } as const;
  const deeds = [
    () => draft.update(id, { text: `Text ${clock++}` }),
    () => draft.update(id, { slug: `slug-${clock++}` }),
    () => draft.update(id, { title: "The same for many" }),
    () => void ids.push(draft.create(fresh, { parentId: other, position: {} })),
    () => draft.createAll([{ ...fresh, pages: [{ ...fresh, pageId: newId("Page") }] }], other),
    () => draft.move(id, { parentId: other, position: {} }),
    () => draft.delete(id),
  ];
  try {
    random.pick(deeds)();
  } catch {
    // like a refused request
  }
}

const shown = ({ pages, byId }: PageTree) => [
  inTreeOrder(pages),
  [...byId.values()].toSorted((one, two) => (one.pageId < two.pageId ? -1 : 1)),
];

/** The first tree: chapters with pages. */
function firstDraft(ids: string[]): Draft {
  const draft = new Draft(emptyTree, now());
  for (const chapter of times(4, (at) => at)) {
    const page = { type: "document", title: `Chapter ${chapter}`, fields: {} } as const;
    const parentId = draft.create(page, { parentId: null, position: {} });
    ids.push(parentId, ...times(5, () => draft.create(page, { parentId, position: {} })));
  }
  return draft;
}

test("after any edit, move, creation and deletion, the cached tree equals the tree in the database", async () => {
  const random = makeRandom(7);
  const ids: string[] = [];
  let before = { hash: null as string | null, tree: emptyTree };
  let draft = firstDraft(ids);
  for (const round of times(120, (at) => at)) {
    if (round > 0) {
      draft = new Draft(before.tree, now());
      for (let left = 1 + random.below(3); left > 0; left--) changeOnce(draft, random, ids);
    }
    const content = draft.finish();
    if (content.treeHash === null || content.treeHash === before.hash) continue;
    await app.database.prisma.$transaction((transaction) => storeContent(transaction, content));
    const [read = emptyTree] = await readTrees(query, [content.treeHash]);
    rememberTree(before, content);
    const [remembered = emptyTree] = await readTrees(nothing, [content.treeHash]);
    expect(shown(remembered)).toEqual(shown(read));
    expect(remembered).not.toBe(read);
    before = { hash: content.treeHash, tree: remembered };
  }
});
