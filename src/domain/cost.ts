// What an operation costs, as its caller may ask: by the header `Cost`, or by `extensions.cost` of a document.
import { invalidInput } from "#src/base/errors.ts";
import type { Context } from "#src/domain/context.ts";
import type { Account, CostAsked } from "#src/domain/quota.ts";
import { clientNetwork } from "#src/net/networks.ts";

/** Reads what is asked of the cost; undefined where nothing is. INVALID_INPUT for anything but its two words. */
export function readCostAsked(place: "the header Cost" | "extensions.cost", given: unknown): CostAsked | undefined {
  if (given === undefined || given === null || given === "report" || given === "dry-run") return given ?? undefined;
  throw invalidInput(place, "must be `report` or `dry-run`.");
}

/** Whose account an operation goes on: the user's, or that of the client network that a visitor asks from. */
export function accountOf({ ledger, viewer, origin }: Pick<Context, "ledger" | "viewer" | "origin">): Account | null {
  return ledger?.accountOf(viewer.userId || `visitor ${clientNetwork(origin.address)}`) ?? null;
}

/** The cost of an operation, in points, and what is left of its user's minute; without `actual` before it has run. */
export function costOf(context: Pick<Context, "ledger" | "viewer" | "origin" | "reader">, hasRun: boolean) {
  const { budget } = context.reader;
  const account = accountOf(context);
  const { cpuMs, text, ...counts } = budget.spent;
  const details = { ...counts, textBytes: text, cpuMs: Math.round(cpuMs * 100) / 100 };
  return {
    estimated: Math.ceil(budget.estimated),
    ...(hasRun && { actual: Math.ceil(budget.points), details }),
    limit: context.ledger?.limits.estimate,
    ...(account && {
      ofToken: Math.ceil(account.ofToken(context.viewer.tokenId)),
      remaining: account.remaining,
      resetAt: new Date(account.resetAt).toISOString(),
    }),
  };
}
