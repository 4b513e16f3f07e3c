// Long work yields: while one of the longest responses is written, compiled or interpreted, the event loop keeps
// turning.
import { describe, expect, test, vi } from "vitest";
import { longJson } from "#src/runtime/long-json.ts";
import { isPauseDue, pause, pausing } from "#src/runtime/yielding.ts";
import { addComment } from "#test/features/comments/factory.ts";
import { editAs, newPage } from "#test/features/content/edits.ts";
import { useApp } from "#test/support/app.ts";
import { times } from "#test/support/world.ts";

const { app, world } = await useApp();

const aliases = (count: number) => times(count, (index) => `a${index}: id`).join(" ");

/** The number of event-loop turns during `work`. */
async function turnsDuring(work: Promise<unknown>): Promise<number> {
  let [turns, isOver] = [0, false];
  const count = () => {
    turns += 1;
    if (!isOver) setImmediate(count);
  };
  count();
  await work.finally(() => (isOver = true));
  return turns;
}

describe("a response of many values", () => {
  test.each([
    ["by a plan", 800, 1, 900],
    ["field by field", 250, 8, 200],
  ])("is complete and yields to the event loop: %s", async (_way, count, lists, fields) => {
    const { space, editor } = await world.space();
    await world.insert((rows) => times(count, () => addComment(rows, { spaceId: space.id, postedById: editor.id })));
    type Node = Record<string, string>;
    const list = (name: string) =>
      `${name}: comments(first: ${count}) { nodes { ${aliases(fields)} postedBy { id } } edges { node { id } } }`;
    const query = `{ space(id: "${space.id}") { ${times(lists, (index) => list(`l${index}`)).join(" ")} } }`;
    const asked = app
      .as(editor.token)
      .query<{ space: Record<string, { nodes: Node[]; edges: { node: Node }[] }> }>(query);
    expect(await turnsDuring(asked)).toBeGreaterThan(20);
    const found = Object.values((await asked).space);
    expect(found.length).toBe(lists);
    for (const { nodes, edges } of found) {
      expect(nodes.map(({ a0 }) => a0)).toEqual(edges.map(({ node }) => node["id"]));
      expect(new Set(nodes.map(({ a0 }) => a0)).size).toBe(count);
      for (const { postedBy, a0, ...others } of nodes) {
        expect(postedBy).toEqual({ id: editor.id });
        expect(new Set(Object.values(others))).toEqual(new Set([a0]));
      }
    }
  });
});

test("a response of few values that are long yields as well", async () => {
  const { space, editor } = await world.space();
  const as = app.as(editor.token);
  const markdown = times(100, (line) => `- a **bold** line ${line}`).join("\n");
  await editAs(as, { spaceId: space.id }, ...times(16, (page) => newPage(`Page ${page}`, { markdown }).edit));
  const ask = () => as.query(`{ space(id: "${space.id}") { content { allPages { document } } } }`);
  await ask(); // now the documents are there
  let clock = performance.now();
  using _ = vi.spyOn(performance, "now").mockImplementation(() => (clock += 3)); // each look at it finds a pause due
  using turns = vi.spyOn(globalThis, "setImmediate");
  await ask();
  expect(turns.mock.calls.length).toBeGreaterThan(8);
});

test("one paused task continues in each turn of the event loop, however many there are", async () => {
  let [pieces, most, isOver] = [0, 0, false];
  const turn = () => {
    most = Math.max(most, pieces);
    pieces = 0;
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  const work = async () => {
    for (let piece = 0; piece < 6; piece++) {
      pieces += 1;
      while (!isPauseDue());
      await pause();
    }
  };
  await pause();
  await Promise.all(times(6, async () => (await pause(), work())));
  isOver = true;
  expect(most).toBe(1);
});

describe("yielding output equals the synchronous output", () => {
  test("as text", async () => {
    const data = {
      a: [1, 'x"\n', null, true, [], {}],
      b: Object.assign(Object.create(null) as object, { c: [[1.5]] }),
    };
    const long = { data, 'list"s': [times(6_000, () => data), times(20_000, (index) => `ü ${index}`)], none: [{}, []] };
    for (const value of [data, long, null, 1, "text", [], {}])
      expect(Buffer.concat(await longJson(value)).toString()).toBe(JSON.stringify(value));
  });

  test("as a list of items", async () => {
    const list = times(500, (index) => index);
    expect(await Promise.all(pausing(list) as Iterable<Promise<number>>)).toEqual(list);
    expect(pausing([1])).toEqual([1]);
  });
});
