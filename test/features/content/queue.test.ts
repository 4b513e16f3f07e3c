// Concurrent edits of one content queue without connections or operation slots, so that all other operations continue.
import { expect, test } from "vitest";
import { TimeLimit } from "#src/db/connection/time-limit.ts";
import { inLockQueue } from "#src/domain/lock-queue.ts";
import { editAs, newPage } from "#test/features/content/edits.ts";
import { addPersonIn } from "#test/features/members/factory.ts";
import { useApp } from "#test/support/app.ts";
import { lockHolder } from "#test/support/locks.ts";
import { times } from "#test/support/world.ts";

/** A user whose operations are not limited. */

const { app, world } = await useApp({ limits: { poolSize: 4 }, trafficLimits: { atOnce: 3 } });

test("a dozen concurrent edits of a space leave connections and slots to others, and all of them succeed", async () => {
  const { space, organization, reader } = await world.space();
  const people = await world.insert((rows) =>
    times(12, () => addPersonIn(rows, { organizationId: organization.id, role: "edit" })),
  );
  await using holder = await lockHolder(app.databaseUrl);
  await holder.hold(`select from "Space" where id = '${space.id}' for update`);
  const edits = people.map(({ token }, index) =>
    editAs(app.as(token), { spaceId: space.id }, newPage(`Page ${index}`).edit),
  );
  await holder.waiters(2, "%locked_main_content%");
  const read = `query ($id: ID!) { space(id: $id) { title } }`;
  for (const client of [reader, ...people])
    expect(await app.as(client.token).query(read, { id: space.id })).toEqual({ space: { title: space.title } });
  await holder.waiters(2, "%locked_main_content%");
  await holder.release();
  expect(new Set(await Promise.all(edits)).size).toBe(12);
  const { rows } = await app.database.pool.query<{ count: number }>(
    `select count(*)::int from "PresentPage" where "spaceId" = $1`,
    [space.id],
  );
  expect(rows).toEqual([{ count: 12 }]);
});

test("two edits of a queue run at a time, in order of arrival; one that runs out of time leaves the queue", async () => {
  const begun: number[] = [];
  const gates = times(4, () => Promise.withResolvers<void>());
  const join = (at: number) =>
    inLockQueue("the same", () => {
      begun.push(at);
      return gates[at]?.promise ?? Promise.resolve();
    });
  const first = times(3, join);
  expect(begun).toEqual([0, 1]);
  const late = new TimeLimit(5).run(() => join(9));
  await expect(late).rejects.toThrow("The operation exceeded its time limit");
  first.push(join(3));
  gates[1]?.resolve();
  await first[1];
  await expect.poll(() => begun).toEqual([0, 1, 2]);
  gates[2]?.resolve();
  await first[2];
  await expect.poll(() => begun).toEqual([0, 1, 2, 3]);
  for (const gate of gates) gate.resolve();
  await Promise.all(first);
  expect(begun).toEqual([0, 1, 2, 3]);
  await join(8);
  expect(begun).toEqual([0, 1, 2, 3, 8]);
});
