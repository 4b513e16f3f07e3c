// Waiting for several promises, and for a promise or an abort signal.

/** What the work gives, or the reason of the signal as soon as that is aborted; the work itself goes on. */
export async function untilAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  work.catch(() => {}); // it may fail when nobody waits for it any more
  signal.throwIfAborted();
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const give = (): void => reject(signal.reason as Error);
  signal.addEventListener("abort", give);
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener("abort", give);
  }
}

/** All values. Where one fails it waits for the others before it throws the first failure. */
export async function whenAll<Values extends readonly unknown[]>(
  values: Values,
): Promise<{ -readonly [Index in keyof Values]: Awaited<Values[Index]> }> {
  try {
    return await Promise.all(values);
  } catch (error) {
    await Promise.allSettled(values);
    throw error;
  }
}
