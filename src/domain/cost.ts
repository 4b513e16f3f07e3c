// What an operation costs, as its caller may ask: by the header `Cost`, or by `extensions.cost` of a document.
import { invalidInput } from "#src/base/errors.ts";
import type { Context } from "#src/domain/context.ts";
import type { CostQuota, CostAsked } from "#src/domain/quota.ts";
import { clientNetwork } from "#src/net/networks.ts";

/** Reads what is asked of the cost; undefined where nothing is. INVALID_INPUT for anything but its two words. */
export function readCostAsked(place: "the header Cost" | "extensions.cost", given: unknown): CostAsked | undefined {
  if (given === undefined || given === null || given === "report" || given === "dry-run") return given ?? undefined;
  throw invalidInput(place, "must be `report` or `dry-run`.");
}

/** The quota that an operation counts against: of its user, or of the client network of a visitor. */
export function quotaOf({
  costQuotas,
  viewer,
  origin,
}: Pick<Context, "costQuotas" | "viewer" | "origin">): CostQuota | null {
  return costQuotas?.quotaOf(viewer.userId || `visitor ${clientNetwork(origin.address)}`) ?? null;
}

/** The cost of an operation, in points, and what is left of its user's minute; without `actual` before it has run. */
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
