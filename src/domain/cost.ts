// The cost of an operation, as callers request it: by the header `Cost`, or by `extensions.cost` of a document. And
// charging work that is not part of an operation, such as imports, against the quota of its user.
import { invalidInput } from "#src/base/errors.ts";
import type { Context } from "#src/domain/context.ts";
import type { CostAsked, CostQuota, CostQuotas } from "#src/domain/quota.ts";
import { clientNetwork } from "#src/net/networks.ts";
import { runWith } from "#src/runtime/current.ts";
import { type Charge, tenants, uncharged } from "#src/runtime/tenant.ts";
import { type Allowance, Budget } from "#src/db/connection/budget.ts";
import { meters } from "#src/db/connection/database.ts";

/** Parses the requested cost information; undefined if absent. INVALID_INPUT for anything but its two words. */
export function readCostAsked(place: "the header Cost" | "extensions.cost", given: unknown): CostAsked | undefined {
  if (given === undefined || given === null || given === "report" || given === "dry-run") return given ?? undefined;
  throw invalidInput(place, "must be `report` or `dry-run`.");
}

/** Who an operation counts against: its user, or the client network of a visitor. */
export const callerOf = ({ viewer, origin }: Pick<Context, "viewer" | "origin">): string =>
  viewer.userId || `visitor ${clientNetwork(origin.address)}`;

/** The quota that an operation counts against. */
export const quotaOf = (context: Pick<Context, "costQuotas" | "viewer" | "origin">): CostQuota | null =>
  context.costQuotas?.quotaOf(callerOf(context)) ?? null;

/** The cost of an operation, in points, and the rest of its user's quota; without `actual` before it has run. */
export function costOf(context: Pick<Context, "costQuotas" | "viewer" | "origin" | "reader">, hasRun: boolean) {
  const { budget } = context.reader;
  const quota = quotaOf(context);
  const { cpuMs, text, ...counts } = budget.spent;
  const details = { ...counts, textBytes: text, cpuMs: Math.round(cpuMs * 100) / 100 };
  return {
    estimated: Math.ceil(budget.estimated),
    ...(hasRun && { actual: Math.ceil(budget.points), details }),
    limit: context.costQuotas?.limits.estimate,
    ...(quota && {
      ofToken: Math.ceil(quota.ofToken(context.viewer.tokenId)),
      remaining: quota.remaining,
      resetAt: new Date(quota.resetAt).toISOString(),
    }),
  };
}

/** Runs work of a context of its own. Statements and thread time are charged at once, everything else at the end. */
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
    return await runWith([tenants.entry(tenant), meters.entry(budget)], work);
  } finally {
    spend(budget.points - counted);
  }
}
