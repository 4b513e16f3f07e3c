// Queues in memory for those who are going to wait for the same lock: most of them wait without a connection.
import { Shares } from "#src/db/shares.ts";
import { withinLimit } from "#src/db/time-limit.ts";
import { PoolFullError } from "#src/db/trouble.ts";

/** How many of one queue go on at a time: one that works, and one that has all ready when it ends. */
const mostAtOnce = 2;

/** How many may wait in one queue; further ones are refused. */
const mostWaiting = 200;

const queues = new Shares(mostAtOnce);

/**
 * Does work when it is its turn among all work of this process under the same name, such as the id of a content. Only
 * to spare connections: it locks nothing. Who waits in it does not hold a connection, and must not stand in another
 * queue. Throws, before the work, when the time of the operation is over or too many wait.
 */
export async function inQueue<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
  if (!queues.tryTake(name)) {
    if (queues.waitingOf(name) >= mostWaiting) throw new PoolFullError(`${mostWaiting} wait to change ${name}`);
    const giveBack = () => queues.give(name);
    await withinLimit(`wait to change ${name}`, () => queues.take(name), giveBack);
  }
  try {
    return await work();
  } finally {
    queues.give(name);
  }
}
