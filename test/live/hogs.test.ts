// One user sends much heavy work of each kind, and another one small reads and comments: they are all answered, and get
// connections and slots in turn. `npm run prove -- --only hogs` measures how long they take. At the small size the
// heavy works are fewer and shorter.
import { expect, test } from "vitest";
import { held, works } from "#test/live/hog-works.ts";
import { makeScene } from "#test/live/hogs.ts";
import { useApp } from "#test/support/app.ts";
import { sized } from "#test/support/runs.ts";
import { recordTurns } from "#test/support/turns.ts";
import { times } from "#test/support/world.ts";

// Its own database: one kind of work locks a table. One user may take all slots of operations, so that the other one
// has to get its turn, also for connections, threads and memory.
const slots = sized(8, 16);
const { app } = await useApp({ own: true, trafficLimits: { atOncePerUser: slots, atOnce: slots } });
const size = sized(
  { atOnce: 10, seconds: 0, comments: 300, pages: 15, operations: 100 },
  { atOnce: 50, seconds: 0, comments: 1_000, pages: 60, operations: 500 },
);
const scene = await makeScene(app, size);
const { other, users } = scene;
const leastRounds = 3;

const read = `query ($id: ID!) { space(id: $id) { id title } }`;
const write = `mutation ($id: ID!) {
  createComment(input: { contentOf: { spaceId: $id }, text: { markdown: "A comment" } }) { comment { id } } }`;

test.each(Object.keys(works))("beside %s at once, the requests of another user are answered in turn", async (work) => {
  await using holding = new AsyncDisposableStack();
  holding.use(await held[work]?.(scene));
  using turns = recordTurns();
  let isOver = false;
  const heavy = Promise.all(times(size.atOnce, async () => works[work]?.(scene, size))).finally(() => (isOver = true));
  const as = app.as(other.token);
  const failures: unknown[] = [];
  for (let round = 0; round < leastRounds || !isOver; round++) {
    if (round === leastRounds) await holding.disposeAsync(); // nothing else ends what waits for it
    for (const document of [read, write]) {
      const { status, errors } = await as.graphql(document, { id: other.spaceId });
      if (status !== 200 || errors) failures.push({ status, errors });
    }
  }
  expect(await heavy).toContain(true);
  expect(failures).toEqual([]);
  const waits = turns.ended.filter(({ owner }) => owner.includes(users.other));
  const passed = waits.map(({ before }) => before.filter((owner) => owner.includes(users.hog)).length);
  expect(Math.max(0, ...passed)).toBeLessThanOrEqual(1);
});
