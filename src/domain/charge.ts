// Charging work that is not part of an operation, such as imports: its cost counts against the quota of its user.
import { type Charge, uncharged, workFor } from "#src/runtime/tenant.ts";
import { type Allowance, Budget } from "#src/db/connection/budget.ts";
import { meterStatements } from "#src/db/connection/database.ts";
import type { Context } from "#src/domain/context.ts";
import { quotaOf } from "#src/domain/cost.ts";
import type { CostQuota, CostQuotas } from "#src/domain/quota.ts";

/**
 * Does work of a context of its own for its viewer. Statements and the time of threads are counted at once, everything
 * else at the end.
 */
export async function chargeFor<Result>(context: Context, work: () => Promise<Result>): Promise<Result> {
  const { costQuotas, viewer, reader } = context;
  const quota = quotaOf(context);
  if (!costQuotas || !quota) return uncharged(viewer, work);
  return charge({ costQuotas, quota, tokenId: viewer.tokenId, budget: reader.budget }, work);
}

/** Jobs have limits of their own. */
const unlimited: Allowance = { rows: Infinity, values: Infinity, characters: Infinity };

/** Charges users for the statements and the time of threads of jobs. */
export const chargeTo =
  (costQuotas: CostQuotas): Charge =>
  ({ userId, tokenId = "" }, work) =>
    charge({ costQuotas, quota: costQuotas.quotaOf(userId), tokenId, budget: new Budget(unlimited) }, work);

interface Charged {
  readonly costQuotas: CostQuotas;
  readonly quota: CostQuota;
  readonly tokenId: string;
  readonly budget: Budget;
}

async function charge<Result>(
  { costQuotas, quota, tokenId, budget }: Charged,
  work: () => Promise<Result>,
): Promise<Result> {
  let counted = 0;
  const spend = (points: number): void => {
    counted += points;
    costQuotas.spend(quota, tokenId, points);
  };
  budget.settle(spend);
  const tenant = costQuotas.tenantOf(quota, (ms) => budget.takeTime(ms));
  try {
    return await workFor(tenant, () => meterStatements(budget, work));
  } finally {
    spend(budget.points - counted);
  }
}
