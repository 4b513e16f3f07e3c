// Levels of many pages: PostgreSQL builds such a level from the previous one, and the stored difference equals
// the difference of the two levels.
import { expect, test } from "vitest";
import { storeContent } from "#src/features/content/commands/write-content.ts";
import { Draft, type NewContent } from "#src/features/content/model/draft.ts";
import { hashTree } from "#src/features/content/model/content-state.ts";
import { emptyTree } from "#src/features/content/model/page.ts";
import { type Query, readTrees, rememberTree } from "#src/features/content/reads/trees.ts";
import { useApp } from "#test/support/app.ts";
import { makeRandom, type Random } from "#test/support/random.ts";
import { times } from "#test/support/world.ts";

const { app } = await useApp();
const query: Query = (statement) => app.database.query(statement);

let clock = 0;
const now = () => new Date(Date.UTC(2026, 6, 1) + clock++);

/** Some changes of a large level, either few enough for an incremental step or too many. */
function change(draft: Draft, random: Random, ids: string[]): void {
  const [id, other] = [random.pick(ids), random.pick(ids)];
  const fresh = { type: "document", title: `Page ${clock}`, fields: {}, text: `Text ${clock++}` } as const;
  const remove = () => {
    draft.delete(id);
    ids.splice(ids.indexOf(id), 1);
  };
  const deeds = [
    () => draft.update(id, { text: `Text ${clock++}` }),
    () => draft.update(id, { slug: `slug-${clock++}` }),
    () => void ids.push(draft.create(fresh, { parentId: null, position: { after: id } })),
    () => id !== other && draft.move(id, { position: { before: other } }),
    remove,
  ];
  random.pick(deeds)();
}

interface Level {
  readonly pages: string[];
  readonly stepFrom: string | null;
}

async function differencesBetween(from: string, to: string, withSteps: boolean): Promise<unknown[]> {
  const client = await app.database.pool.connect();
  try {
    await client.query("begin");
    if (!withSteps) await client.query(`update "ContentTree" set "stepFrom" = null, "stepWas" = null, "stepIs" = null`);
    const statement = `select * from "pages_between"($1, $2) order by "pageId", "isThere"`;
    return (await client.query<object>(statement, [from, to])).rows;
  } finally {
    await client.query("rollback");
    client.release();
  }
}

const store = (content: NewContent) =>
  app.database.prisma.$transaction((transaction) => storeContent(transaction, content));

test("any edit of a large level stores the level and the difference from the previous one correctly", async () => {
  const random = makeRandom(11);
  const first = new Draft(emptyTree, now());
  const page = { type: "document", title: "A page", fields: {} } as const;
  const ids = times(200, () => first.create(page, { parentId: null, position: {} }));
  const content = first.finish();
  await store(content);
  const [tree = emptyTree] = await readTrees(query, [content.treeHash ?? ""]);
  let before = { hash: content.treeHash ?? "", tree };
  const seen = new Set<boolean>();
  for (const round of times(40, (at) => at)) {
    const draft = new Draft(before.tree, now());
    for (let left = round % 8 === 0 ? 60 : 1; left > 0; left--) change(draft, random, ids);
    const next = draft.finish();
    const hash = next.treeHash ?? "";
    if (hash === before.hash) continue;
    await store(next);
    const [level] = (
      await app.database.pool.query<Level>(`select pages, "stepFrom" from "ContentTree" where hash = $1`, [hash])
    ).rows;
    expect(level?.pages).toEqual(next.trees.get(hash));
    expect(hashTree(level?.pages ?? [])).toBe(hash);
    seen.add(level?.stepFrom === before.hash);
    for (const [from, to] of [
      [before.hash, hash],
      [hash, before.hash],
    ] as const)
      expect(await differencesBetween(from, to, true)).toEqual(await differencesBetween(from, to, false));
    rememberTree(before, next);
    const [after = emptyTree] = await readTrees(query, [hash]);
    expect(after.pages.map((one) => one.pageId).toSorted()).toEqual(ids.toSorted());
    before = { hash, tree: after };
  }
  expect(seen).toEqual(new Set([true, false]));
});
