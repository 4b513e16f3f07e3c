// Queues in memory for changes that wait for the same lock: most of them wait without a connection.
import { withinLimit } from "#src/db/connection/time-limit.ts";
import { PoolFullError } from "#src/db/connection/database-errors.ts";
import { FairSemaphore } from "#src/runtime/fair-semaphore.ts";
import { currentTenant, lendSlot } from "#src/runtime/tenant.ts";

/** How many of one queue run concurrently: one that works, and one that is ready when it ends. */
const mostAtOnce = 2;
const mostWaiting = 200;

const queues = new FairSemaphore({ perOwner: mostAtOnce });

/** As {@link queued}, for an operation that runs in its slot: it lends the slot while it waits in the queue. */
export const inLockQueue = <Result>(name: string, work: () => Promise<Result>): Promise<Result> =>
  lendSlot(() => queued(name, work));

/**
 * Runs work in the slot of the operation, which was {@link lendSlot lent}, when its turn comes among all work of this
 * process under the same name, such as the id of a content. It locks nothing and only spares connections: a waiter
 * uses none, and must not wait in another queue. Throws, before the work, if the time of the operation ends or too many
 * wait.
 */
export async function queued<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
  if (!queues.tryTake(name)) {
    if (queues.waitingOf(name) >= mostWaiting)
      throw new PoolFullError(`${mostWaiting} changes are waiting for ${name}`);
    const giveBack = () => queues.give(name);
    await withinLimit(`wait to change ${name}`, () => queues.take(name), giveBack);
  }
  const { slot } = currentTenant();
  slot?.reclaim();
  try {
    return await work();
  } finally {
    slot?.lend();
    queues.give(name);
  }
}
