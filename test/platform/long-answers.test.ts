// Responses of more than 4 MB: they are written in pieces for POST requests, and refused where they would be built as a
// whole, which would block the process. At the small size each encoding compresses one of two responses.
import { expect, onTestFinished, test, vi } from "vitest";
import { cacheMegabytes } from "#src/base/limits.ts";
import type { OnAbort } from "#src/runtime/fair-semaphore.ts";
import { limitMemory, takeLongResponse, takeResponseMemory } from "#src/runtime/memory.ts";
import { addComment } from "#test/features/comments/factory.ts";
import { ask } from "#test/live/messages.ts";
import { openKnown } from "#test/live/raw-socket.ts";
import { testApp, useApp } from "#test/support/app.ts";
import { inTurn } from "#test/support/runs.ts";
import { times } from "#test/support/world.ts";

const { app, world } = await useApp({ takesBatches: true });
const { editor, space } = await world.space();
const comments = times(200, (index) => ({
  spaceId: space.id,
  postedById: editor.id,
  markdown: index === 0 ? "x".repeat(16_000) : "Short",
}));
const [long] = await world.insert((rows) => comments.map((comment) => addComment(rows, comment)));

const aliases = (count: number, field: string) => times(count, (index) => `a${index}: ${field}`).join(" ");
const texts = `{ comment(id: "${long?.id}") { ${aliases(260, "body { markdown }")} } }`;
/** More fields than a compiled operation may have. */
const values = `{ space(id: "${space.id}") { comments(first: 200) { nodes { ${aliases(1100, "id")} } } } }`;

const headers = { authorization: `Bearer ${editor.token}`, "content-type": "application/json" };
const post = (body: unknown, more = {}) =>
  fetch(`${app.url}/graphql`, { method: "POST", headers: { ...headers, ...more }, body: JSON.stringify(body) });
const refusal = {
  message: expect.stringMatching(
    /^A response may have at most 4,000,000 bytes here, but this one has \d,\d{3},\d{3}: send/,
  ),
  extensions: { code: "INVALID_INPUT" },
};

test.each([
  ["texts, by a plan", texts, 0],
  ["values, field by field", values, 1],
])("a response of more than 4 MB is sent for POST, plain or compressed: %s", async (_name, query, turn) => {
  const plain = await (await post({ query }, { "accept-encoding": "identity" })).text();
  expect(plain.length).toBeGreaterThan(4_000_000);
  expect((JSON.parse(plain) as { errors?: unknown }).errors).toBeUndefined();
  for (const encoding of inTurn(["gzip", "br", "zstd"], turn))
    expect((await (await post({ query }, { "accept-encoding": encoding })).text()) === plain).toBe(true);
});

test.each([
  ["texts", texts],
  ["values", values],
])("a response of more than 4 MB is refused in a batch and on a socket: %s", async (_name, query) => {
  const [one] = (await (await post([{ query }])).json()) as { errors: unknown[] }[];
  expect(one?.errors).toMatchObject([refusal]);
  const { send, receive, socket } = await openKnown(app.url, editor.token);
  send(ask("1", query));
  expect(await receive()).toMatchObject({ id: "1", payload: { errors: [refusal] } });
  socket.terminate();
});

test("a response of more than 4 MB is refused for GET", async () => {
  const got = await fetch(`${app.url}/graphql?query=${encodeURIComponent(texts)}`, { headers });
  expect(await got.json()).toMatchObject({ errors: [refusal] });
});

test("long responses that were run field by field keep their slots while they wait for memory", async () => {
  limitMemory(1_024, 64); // one at a time is serialized
  onTestFinished(() => limitMemory(Infinity, cacheMegabytes));
  await using own = await testApp({ beside: app, trafficLimits: { atOncePerUser: 2, atOnce: 4, waitingPerUser: 1 } });
  const { reader } = await world.space();
  const other = own.direct(reader.token);
  const send = async () => {
    const body = JSON.stringify({ query: values });
    const response = await fetch(`${own.url}/graphql`, { method: "POST", headers, body });
    return [response.status, (await response.text()).length > 4_000_000];
  };
  const free = await takeResponseMemory("another user", () => undefined);
  const sent: Promise<unknown>[] = [];
  while (sent.length < 4) {
    sent.push(send());
    for (let turn = 0; turn < 50; turn++) await other.query("{ viewer { id } }"); // until it has run
  }
  expect(await sent[3]).toEqual([429, false]);
  free();
  for (const response of sent.slice(0, 3)) expect(await response).toEqual([200, true]);
});

/** Whether a long response of the user would wait for others that are unread. */
async function wouldWait(user: string): Promise<boolean> {
  let waits = false;
  const notice: OnAbort = (fail) => {
    waits = true;
    queueMicrotask(() => fail(new Error("It waits.")));
    return undefined;
  };
  const taken = [takeLongResponse(user, notice), takeLongResponse(user, notice)];
  for (const one of await Promise.allSettled(taken)) if (one.status === "fulfilled") one.value();
  return waits;
}

test.each(["identity", "gzip", "zstd"])(
  "two long responses of a user are unread at once, until they are read or their clients leave: %s",
  async (encoding) => {
    for (const isRead of [true, false, true, false]) {
      const response = await post({ query: texts }, { "accept-encoding": encoding });
      await (isRead ? response.text() : response.body?.cancel());
    }
    await expect.poll(() => wouldWait(editor.id)).toBe(false);
  },
);

test("a third long response of a user waits until one is read, or five seconds, or its operation ends", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const take = (user = "reader") => takeLongResponse(user, () => undefined);
  const [first, second] = [await take(), await take()];
  await take("another").then((free) => free());
  const third = take();
  first();
  first(); // once
  const free = await third;
  const [fourth, ended] = [
    take(),
    takeLongResponse("reader", (fail) => {
      queueMicrotask(() => fail(new Error("over")));
      return undefined;
    }),
  ];
  await expect(ended).rejects.toThrow("over");
  await vi.advanceTimersByTimeAsync(5_000);
  (await fourth)(); // it has not got the place of another
  expect(await wouldWait("reader")).toBe(true);
  free();
  second();
  expect(await wouldWait("reader")).toBe(false);
});
