// Limits of calls to a server of files: it may accept connections and never respond.
import { Readable } from "node:stream";

/** In milliseconds. */
export interface CallLimits {
  /** Until a connection is open. */
  readonly connectMs: number;
  /** Until the response begins, with all retries. */
  readonly answerMs: number;
  /** Until the next bytes of a response come, while a reader waits for them. */
  readonly idleMs: number;
  /** For a whole transfer. */
  readonly wholeMs: number;
}

export const callLimits: CallLimits = { connectMs: 2_000, answerMs: 8_000, idleMs: 8_000, wholeMs: 30 * 60_000 };

/** Runs a call with a signal that is aborted after `ms`. The wait ends then, even if the call ignores the signal. */
export async function inTime<Answer>(ms: number, call: (signal: AbortSignal) => Promise<Answer>): Promise<Answer> {
  const controller = new AbortController();
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    const error = new Error(`it did not respond within ${ms / 1000} seconds`);
    reject(error);
    controller.abort(error);
  }, ms);
  const running = call(controller.signal);
  running.catch(() => {}); // it may fail when nothing awaits it
  try {
    return await Promise.race([running, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** A body as a stream that fails by `failure` when its server is silent. A reader that pauses does not count. */
export function limitBody(body: Readable, limits: CallLimits, failure: (error: unknown) => Error): Readable {
  const { idleMs, wholeMs } = limits;
  const chunks = body[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>;
  const until = performance.now() + wholeMs;
  async function* limited(): AsyncGenerator<Uint8Array> {
    try {
      for (;;) {
        const { done, value } = await inTime(Math.min(idleMs, until - performance.now()), () => chunks.next());
        if (done) return;
        yield value;
      }
    } catch (error) {
      throw failure(error);
    } finally {
      body.destroy();
    }
  }
  return Readable.from(limited(), { objectMode: false });
}
