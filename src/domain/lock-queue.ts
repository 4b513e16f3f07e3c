// Queues in memory for those who are going to wait for the same lock: most of them wait without a connection.
import type { Budget } from "#src/db/connection/budget.ts";
import { Shares } from "#src/db/connection/shares.ts";
import { withinLimit } from "#src/db/connection/time-limit.ts";
import { PoolFullError } from "#src/db/connection/database-errors.ts";

/** How many of one queue go on at a time: one that works, and one that has all ready when it ends. */
const mostAtOnce = 2;

/** How many may wait in one queue; further ones are refused. */
const mostWaiting = 200;

const queues = new Shares(mostAtOnce);

/** An operation that may wait. */
interface Waiting {
  readonly reader: { readonly budget: Pick<Budget, "place"> };
}

/**
 * As {@link inTurn}, for an operation: while it waits it is none of those that run, so that many who change the same
 * are in nobody's way.
 */
export const inQueue = <Result>(context: Waiting, name: string, work: () => Promise<Result>): Promise<Result> =>
  aside(context, () => inTurn(context, name, work));

/** Waits for what others do: meanwhile others run in the place of the operation. */
export async function aside<Result>({ reader }: Waiting, wait: () => Promise<Result>): Promise<Result> {
  const { place } = reader.budget;
  place?.leave();
  try {
    return await wait();
  } finally {
    place?.enter();
  }
}

/**
 * Does work when it is its turn among all work of this process under the same name, such as the id of a content. Only
 * to spare connections: it locks nothing. Who waits in it does not hold a connection, and must not stand in another
 * queue. Throws, before the work, when the time of the operation is over or too many wait. The operation has stepped
 * {@link aside}, and runs while it works.
 */
export async function inTurn<Result>({ reader }: Waiting, name: string, work: () => Promise<Result>): Promise<Result> {
  if (!queues.tryTake(name)) {
    if (queues.waitingOf(name) >= mostWaiting) throw new PoolFullError(`${mostWaiting} wait to change ${name}`);
    const giveBack = () => queues.give(name);
    await withinLimit(`wait to change ${name}`, () => queues.take(name), giveBack);
  }
  const { place } = reader.budget;
  place?.enter();
  try {
    return await work();
  } finally {
    place?.leave();
    queues.give(name);
  }
}
