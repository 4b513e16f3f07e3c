// For whom the work of this moment is: who takes turns with others at what all share, and pays for it.
import { AsyncLocalStorage } from "node:async_hooks";
import { trafficLimits } from "#src/base/limits.ts";

/** See the head of this file. */
export interface Payer {
  readonly user: string;
  /** How many pieces of their work may wait for the threads of one pool. */
  readonly mostWaiting: number;
  /** Counts milliseconds in which a thread worked for them. */
  readonly takeTime: (ms: number) => void;
  /** Counts work that was refused, since too much of theirs waited. */
  readonly countRefusal: () => void;
}

/** The process itself, for work that nobody has asked for. */
const ourselves: Payer = {
  user: "",
  mostWaiting: Infinity,
  takeTime: () => {},
  countRefusal: () => {},
};

const payers = new AsyncLocalStorage<Payer>();

/** Does work, and begins what goes on behind it, for somebody. */
export function workFor<Result>(payer: Payer, work: () => Result): Result {
  return payers.run(payer, work);
}

/** Does work for a user, who pays for it: that of jobs, which is not a part of an operation. */
export type PaidBy = <Result>(who: Paying, work: () => Promise<Result>) => Promise<Result>;

/** A user, and the token with which they asked for the work, if that is known. */
interface Paying {
  readonly userId: string;
  readonly tokenId?: string;
}

/** Where nobody counts, as in a process without a ledger: they take turns with others all the same. */
export const paidByNobody: PaidBy = ({ userId: user }, work) =>
  workFor({ ...ourselves, user, mostWaiting: trafficLimits.workWaitingPerUser }, work);

/** For whom the work of this moment is. */
export const currentPayer = (): Payer => payers.getStore() ?? ourselves;
