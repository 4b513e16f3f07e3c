// The tenant that the current async context bills work to.
import { trafficLimits } from "#src/base/limits.ts";
import { Current } from "#src/runtime/current.ts";

/** The concurrency slot of an operation, which others may use while it only waits. */
export interface Slot {
  readonly lend: () => void;
  readonly reclaim: () => void;
}

export interface Tenant {
  readonly user: string;
  /** How many tasks of its work may wait for the threads of one pool. */
  readonly mostWaiting: number;
  /** Counts milliseconds in which a thread worked for it. */
  readonly takeTime: (ms: number) => void;
  /** Whether the user does one thing at a time now: others send operations, and this user has used much time. */
  readonly isSingle: () => boolean;
  /** How many milliseconds the user rests after so many of work: 0 unless {@link isSingle}. */
  readonly restFor: (workedMs: number) => number;
  /** Counts work that was rejected because too much of it was waiting. */
  readonly countRefusal: () => void;
  /** The slot in which its operation runs, if the number of operations is limited. */
  readonly slot?: Slot;
}

/** The process itself, for work without a tenant. */
const ourselves: Tenant = {
  user: "",
  mostWaiting: Infinity,
  takeTime: () => {},
  isSingle: () => false,
  restFor: () => 0,
  countRefusal: () => {},
};

/** Entered by {@link workFor}, or with others by `runWith`. */
export const tenants = new Current<Tenant>();

/** Runs work, and starts background work, for a tenant. */
export function workFor<Result>(tenant: Tenant, work: () => Result): Result {
  return tenants.run(tenant, work);
}

/** Runs the work of jobs, outside of operations, for a user and the token that requested it, and counts its cost. */
export type Charge = <Result>(
  user: { readonly userId: string; readonly tokenId?: string },
  work: () => Promise<Result>,
) => Promise<Result>;

/** In a process without quotas: users are served round-robin, and costs are not counted. */
export const uncharged: Charge = ({ userId: user }, work) =>
  workFor({ ...ourselves, user, mostWaiting: trafficLimits.workWaitingPerUser }, work);

/** The tenant of the current async context. */
export const currentTenant = (): Tenant => tenants.value ?? ourselves;

/** Waits for work beside the operation, while others use the slot of this one. */
export async function lendSlot<Result>(wait: () => Promise<Result>): Promise<Result> {
  const { slot } = currentTenant();
  slot?.lend();
  try {
    return await wait();
  } finally {
    slot?.reclaim();
  }
}
