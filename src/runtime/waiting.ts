// Waits for several promises, and for a promise or an abort signal.

/** A value that may be there already. Hot paths await it only if it is a promise: each await makes another one. */
export type PromiseOrValue<Value> = Promise<Value> | Value;

/** Uses a value as soon as it is there: at once if it is. */
export function whenThere<Value, Result>(
  value: PromiseOrValue<Value>,
  use: (value: Value) => PromiseOrValue<Result>,
): PromiseOrValue<Result> {
  return value instanceof Promise ? value.then(use) : use(value);
}

/** The result of the work, or the reason of the signal as soon as that is aborted; the work itself continues. */
export async function untilAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  work.catch(() => {}); // it may fail when nothing awaits its result
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

/** All values. If one fails it waits for the others before it throws the first failure. */
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
