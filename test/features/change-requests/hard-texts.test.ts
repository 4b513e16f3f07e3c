// Change requests whose pages are slow to compare are refused in time and do not block others.
// At the small size there are fewer and shorter ones, and the clock is faster.
import { performance } from "node:perf_hooks";
import { afterAll, afterEach, describe, expect, test, vi } from "vitest";
import { type Edit, editAs, newPage } from "#test/features/content/edits.ts";
import { hardText } from "#test/features/content/hard-texts.ts";
import { type Client, testApp, useApp } from "#test/support/app.ts";
import { shareOfMainThread } from "#test/support/main-thread.ts";
import { isFullSize, sized } from "#test/support/runs.ts";
import { times } from "#test/support/world.ts";

const { app, world } = await useApp({ requestTimeoutMs: 60_000 });
const hurried = await testApp({ beside: app, requestTimeoutMs: sized(200, 400) });
afterAll(() => hurried.close());

const [count, lines] = sized([6, 2_000], [30, 6_000]);

/** A change request in which both sides put the lines of each page in a different order. */
async function openHard(pageCount = count) {
  const { space, editor, admin } = await world.space();
  const as = app.as(admin.token);
  const pages = times(pageCount, (index) => newPage(`Page ${index}`, { markdown: hardText(index + 1, lines) }));
  await inParts(
    as,
    { spaceId: space.id },
    pages.map(({ edit }) => edit),
  );
  const create = `mutation ($input: CreateChangeRequestInput!) { createChangeRequest(input: $input) { changeRequest { id } } }`;
  const { createChangeRequest } = await as.query<{ createChangeRequest: { changeRequest: { id: string } } }>(create, {
    input: { spaceId: space.id, subject: "Hard" },
  });
  const changeRequestId = createChangeRequest.changeRequest.id;
  const shuffle = (by: number) =>
    pages.map(({ pageId }, index): Edit => ({ updatePage: { pageId, markdown: hardText(index + by, lines) } }));
  await inParts(as, { changeRequestId }, shuffle(1000));
  await inParts(as, { spaceId: space.id }, shuffle(2000));
  return { as, admin, editor, changeRequestId };
}

async function inParts(as: Client, target: Record<string, unknown>, edits: readonly Edit[]): Promise<void> {
  for (let at = 0; at < edits.length; at += 10) await editAs(as, target, ...edits.slice(at, at + 10));
}

const reads = (id: string) =>
  `{ changeRequest(id: "${id}") { conflicts { conflictId } changes { stats { linesAdded linesRemoved } } } }`;
const mutation = (name: string, input: string): string =>
  `mutation ($input: ${input}!) { ${name}(input: $input) { changeRequest { id } } }`;
const merge = mutation("mergeChangeRequest", "MergeChangeRequestInput");
const others = [
  mutation("pullChangeRequestUpdates", "PullChangeRequestUpdatesInput"),
  mutation("resolveConflicts", "ResolveConflictsInput"),
];

/** Makes the process measure several times the time that passes, so that the five seconds end sooner. */
function hurryClock(times: number): void {
  const now = performance.now.bind(performance);
  vi.spyOn(performance, "now").mockImplementation(() => times * now());
}
afterEach(() => void vi.restoreAllMocks());

describe("a change request with pages that are slow to compare", async () => {
  const { as, admin, changeRequestId } = await openHard();
  const input = { changeRequestId };
  const tooLong = (...path: string[]) =>
    expect.objectContaining({
      path,
      message: expect.stringContaining("takes more than 5 seconds") as string,
      extensions: expect.objectContaining({ code: "INVALID_INPUT" }) as object,
    }) as object;

  test.each([
    [
      "conflicts and stats",
      reads(changeRequestId),
      [
        tooLong("changeRequest", "changes", "stats", "linesAdded"),
        tooLong("changeRequest", "changes", "stats", "linesRemoved"),
        tooLong("changeRequest", "conflicts"),
      ],
    ],
    ["a merge", merge, [tooLong("mergeChangeRequest")]],
  ])(
    "%s: INVALID_INPUT after five seconds, while the process serves other requests",
    async (_what, document, refusals) => {
      if (!isFullSize) hurryClock(8);
      const { result, share } = await shareOfMainThread(() => as.graphql(document, { input }));
      const { errors } = result;
      expect(errors?.toSorted((one, other) => (String(one.path) < String(other.path) ? -1 : 1))).toEqual(refusals);
      expect(share).toBeLessThan(0.5);
    },
  );

  test("TIMEOUT where the operation has less time", async () => {
    for (const document of [reads(changeRequestId), merge, ...others]) {
      const { errors } = await hurried.as(admin.token).graphql(document, { input });
      expect(errors?.[0]?.extensions).toMatchObject({ code: "TIMEOUT" });
    }
  });
});
