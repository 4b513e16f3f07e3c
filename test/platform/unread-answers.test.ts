// Long unread responses: they share a limit, beyond which those that wait longest are cut.
import { EventEmitter } from "node:events";
import type { ServerResponse } from "node:http";
import { expect, onTestFinished, test, vi } from "vitest";
import { UnreadAnswers } from "#src/runtime/unread-answers.ts";

const megabyte = 1024 * 1024;

/** The part of a response that the limit uses. */
class Response extends EventEmitter {
  destroyed = false;

  destroy(): void {
    this.destroyed = true;
    this.emit("close");
  }
}

test("cuts the longest-waiting unread responses, never the newest, and no longer counts bytes once read", () => {
  const unread = new UnreadAnswers(4 * megabyte);
  const add = (bytes: number): Response => {
    const response = new Response();
    unread.add(response as unknown as ServerResponse, bytes);
    return response;
  };
  const [first, second] = [add(2 * megabyte), add(2 * megabyte)];
  const short = Array.from({ length: 100 }, () => add(100_000));
  const third = add(1 * megabyte);
  expect([first, second, third].map(({ destroyed }) => destroyed)).toEqual([true, false, false]);
  second.emit("close"); // it was read
  const fourth = add(3 * megabyte);
  expect([third, fourth].map(({ destroyed }) => destroyed)).toEqual([false, false]);
  const last = add(9 * megabyte);
  expect([third, fourth, last].map(({ destroyed }) => destroyed)).toEqual([true, true, false]);
  expect(short.some(({ destroyed }) => destroyed)).toBe(false);
});

test("a long response waits for room until others are read, and rejects if its operation ends", async () => {
  const unread = new UnreadAnswers(4 * megabyte);
  const never = () => undefined;
  const response = new Response();
  expect(unread.room(never)).toBeUndefined();
  unread.add(response as unknown as ServerResponse, 3 * megabyte);
  const ended = unread.room((fail) => {
    queueMicrotask(() => fail(new Error("ended")));
    return undefined;
  });
  await expect(ended).rejects.toThrow("ended");
  const room = unread.room(never);
  response.emit("close"); // it was read
  await expect(room).resolves.toBeUndefined();
  expect(unread.room(never)).toBeUndefined();
});

test("a long response waits 2 seconds for clients that read nothing, and at most 5 seconds for slow ones", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const unread = new UnreadAnswers(megabyte);
  unread.add(new Response() as unknown as ServerResponse, megabyte);
  const waited = async (readEveryMs: number): Promise<number> => {
    let isOver = false;
    void unread.room(() => undefined)?.then(() => (isOver = true));
    for (let ms = 100; ; ms += 100) {
      await vi.advanceTimersByTimeAsync(100);
      if (isOver) return ms;
      if (ms % readEveryMs === 0) unread.noteRead();
    }
  };
  expect([await waited(Infinity), await waited(900)]).toEqual([2_000, 4_700]);
});

test("tells a response that was cut from one whose client closed it", () => {
  const unread = new UnreadAnswers(megabyte);
  const [cut, closed] = [new Response(), new Response()];
  const add = (response: Response, bytes: number) => unread.add(response as unknown as ServerResponse, bytes);
  add(cut, megabyte);
  add(closed, megabyte);
  closed.destroy();
  expect([cut, closed].map((response) => unread.hasCut(response as unknown as ServerResponse))).toEqual([true, false]);
});

test("an incremental response counts from its last part, so that its growth cuts others", () => {
  const unread = new UnreadAnswers(4 * megabyte);
  const [parts, other, late] = [new Response(), new Response(), new Response()];
  const add = (response: Response, bytes: number) => unread.add(response as unknown as ServerResponse, bytes);
  add(parts, 2 * megabyte);
  add(parts, 3 * megabyte);
  add(other, 1 * megabyte);
  expect([parts, other].map(({ destroyed }) => destroyed)).toEqual([false, false]);
  add(parts, 4 * megabyte);
  expect([parts, other].map(({ destroyed }) => destroyed)).toEqual([false, true]);
  add(parts, 0); // it was read, and more is to come
  add(late, 4 * megabyte);
  expect([parts, late].map(({ destroyed }) => destroyed)).toEqual([false, false]);
  expect(parts.listenerCount("close")).toBe(1);
});
