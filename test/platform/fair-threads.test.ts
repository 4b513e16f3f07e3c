// Shared worker threads: slow pages of one reader do not delay others, are limited in number, and are billed.
import { expect, test } from "vitest";
import { editAs, newPage } from "#test/features/content/edits.ts";
import { useApp } from "#test/support/app.ts";
import { times } from "#test/support/world.ts";

const { app, world } = await useApp({ trafficLimits: { atOncePerUser: 20, workWaitingPerUser: 3 } });

/** Takes half a second in a thread: all six have arrived before the first is done, on a busy machine too. */
const slowText = (index: number): string => `${index} ${"*a".repeat(4_000)}`;

async function pagesIn(spaceId: string, token: string) {
  const slow = times(6, (index) => newPage(`Slow ${index}`, { markdown: slowText(index) }));
  const plain = newPage("Plain", { markdown: "An *ordinary* page." });
  await editAs(app.as(token), { spaceId }, ...[...slow, plain].map(({ edit }) => edit));
  return { slow: slow.map(({ pageId }) => pageId), plain: plain.pageId };
}

test("six slow pages of one reader do not delay another reader, and are billed by their time", async () => {
  const { space, editor, reader } = await world.space();
  const { slow, plain } = await pagesIn(space.id, editor.token);
  const ended: string[] = [];
  const refused = Promise.withResolvers<void>();
  const read = async (token: string, pageId: string): Promise<Response> => {
    const response = await fetch(`${app.url}/v1/spaces/${space.id}/content/page/${pageId}`, {
      headers: { authorization: `Bearer ${token}`, cost: "report" },
    });
    if (response.status === 429) refused.resolve();
    else ended.push(token);
    return response;
  };
  const asked = slow.map((pageId) => read(editor.token, pageId));
  const other = read(reader.token, plain); // sent at once: how long it is on its way does not count
  await refused.promise; // the queue is full
  expect((await other).status).toBe(200);
  expect(ended.indexOf(reader.token)).toBeLessThanOrEqual(2);
  const answers = await Promise.all(asked);
  // Two threads work and three pages wait; the page of the other reader may have had a thread before the second one.
  const statuses = answers.map(({ status }) => status).toSorted((one, other) => one - other);
  expect([
    [200, 200, 200, 200, 200, 429],
    [200, 200, 200, 200, 429, 429],
  ]).toContainEqual(statuses);
  const refusal = answers.find(({ status }) => status === 429);
  expect(refusal?.headers.get("retry-after")).toBeTruthy();
  expect(await refusal?.json()).toMatchObject({
    error: {
      code: 429,
      message:
        "At most 3 texts, images and files of one user may wait for worker threads, of each kind, and 3 of yours are waiting. Try again when they are done.",
    },
  });
  const costs = answers.filter(({ status }) => status === 200).map(({ headers }) => headers.get("cost") ?? "");
  for (const cost of costs) expect(Number(/actual=(\d+)/.exec(cost)?.[1])).toBeGreaterThan(10_000);
});
