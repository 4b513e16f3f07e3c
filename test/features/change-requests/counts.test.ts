// The numbers of change requests of a space are those of its rows, whatever wrote them and however many at once.
import { expect, test } from "vitest";
import { openChangeRequest, mergeDocument } from "#test/features/change-requests/scene.ts";
import { useApp } from "#test/support/app.ts";
import type { HttpClient } from "#test/support/client.ts";
import { times } from "#test/support/world.ts";

const { app, world } = await useApp();

const updateDocument = `mutation ($input: UpdateChangeRequestInput!) { updateChangeRequest(input: $input) { changeRequest { id } } }`;

const update = (as: HttpClient, changeRequestId: string, change: { status: string } | { subject: string }) =>
  as.query(updateDocument, { input: { changeRequestId, ...change } });

/** The numbers that a space has, with those that its change requests have. */
async function numbersOf(as: HttpClient, spaceId: string) {
  const { space } = await as.query<{ space: { all: number; open: number; draft: number } }>(
    `query ($id: ID!) {
      space(id: $id) { all: changeRequestCount open: openChangeRequestCount draft: draftChangeRequestCount }
    }`,
    { id: spaceId },
  );
  const counted = await app.database.prisma.changeRequest.groupBy({ by: ["status"], where: { spaceId }, _count: true });
  const of = (status: string) => counted.find((row) => row.status === status)?._count ?? 0;
  const all = counted.reduce((sum, { _count }) => sum + _count, 0);
  return { given: space, counted: { all, open: of("open"), draft: of("draft") } };
}

test("each status is counted, and a change that keeps it changes nothing", async () => {
  const { space, admin } = await world.space();
  const as = app.as(admin.token);
  const [first, second, third, fourth] = [
    await openChangeRequest(as, space.id),
    await openChangeRequest(as, space.id),
    await openChangeRequest(as, space.id),
    await openChangeRequest(as, space.id),
  ];
  await update(as, first, { status: "OPEN" });
  await update(as, first, { subject: "Another" });
  await update(as, first, { status: "OPEN" });
  await update(as, second, { status: "OPEN" });
  await update(as, second, { status: "ARCHIVED" });
  await update(as, third, { status: "OPEN" });
  await as.query(mergeDocument, { input: { changeRequestId: third } });
  await update(as, fourth, { status: "ARCHIVED" });
  await update(as, fourth, { status: "DRAFT" });
  const { given, counted } = await numbersOf(as, space.id);
  expect(given).toEqual({ all: 4, open: 1, draft: 1 });
  expect(given).toEqual(counted);
});

test("many new change requests, changes of status and merges at once are all counted, and none fails", async () => {
  const { space, admin } = await world.space();
  const as = app.as(admin.token);
  const ids = await Promise.all(times(12, () => openChangeRequest(as, space.id)));
  await Promise.all([
    ...ids.slice(0, 8).map((id, index) => update(as, id, { status: index % 2 === 0 ? "OPEN" : "ARCHIVED" })),
    ...ids.slice(8).map((id) => as.query(mergeDocument, { input: { changeRequestId: id } })),
    // Before its merge, or refused after it.
    ...ids.slice(8).map((id) => as.graphql(updateDocument, { input: { changeRequestId: id, status: "OPEN" } })),
    ...times(8, () => openChangeRequest(as, space.id)),
  ]);
  const { given, counted } = await numbersOf(as, space.id);
  expect(given).toEqual({ all: 20, open: 4, draft: 8 });
  expect(given).toEqual(counted);
});

test("rows that are removed are not counted", async () => {
  const { space, admin } = await world.space();
  const as = app.as(admin.token);
  for (let index = 0; index < 3; index++) await openChangeRequest(as, space.id);
  const { count } = await app.database.prisma.changeRequest.deleteMany({
    where: { spaceId: space.id, number: { lte: 2 } },
  });
  expect(count).toBe(2);
  expect((await numbersOf(as, space.id)).given).toEqual({ all: 1, open: 0, draft: 1 });
});
