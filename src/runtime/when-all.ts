// Waiting for several things of which nothing may go on when one has failed.

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
