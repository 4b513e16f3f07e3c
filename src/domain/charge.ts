// Work behind operations, such as imports: what it costs goes on the account of who started it, as it is done.
import { type PaidBy, paidByNobody, workFor } from "#src/runtime/tenant.ts";
import { type Allowance, Budget } from "#src/db/connection/budget.ts";
import { meterStatements } from "#src/db/connection/database.ts";
import type { Context } from "#src/domain/context.ts";
import { accountOf } from "#src/domain/cost.ts";
import type { Account, Ledger } from "#src/domain/quota.ts";

/**
 * Does work of a context of its own for its viewer. Statements and the time of threads are paid for at once, all else
 * in the end.
 */
export async function onAccount<Result>(context: Context, work: () => Promise<Result>): Promise<Result> {
  const { ledger, viewer, reader } = context;
  const account = accountOf(context);
  if (!ledger || !account) return paidByNobody(viewer, work);
  return charged({ ledger, account, tokenId: viewer.tokenId, budget: reader.budget }, work);
}

/** Jobs keep to limits of their own. */
const unlimited: Allowance = { rows: Infinity, values: Infinity, characters: Infinity };

/** The work of jobs for users on their accounts, by its statements and the time of threads. */
export const paidOn =
  (ledger: Ledger): PaidBy =>
  ({ userId, tokenId = "" }, work) =>
    charged({ ledger, account: ledger.accountOf(userId), tokenId, budget: new Budget(unlimited) }, work);

interface Charge {
  readonly ledger: Ledger;
  readonly account: Account;
  readonly tokenId: string;
  readonly budget: Budget;
}

async function charged<Result>(
  { ledger, account, tokenId, budget }: Charge,
  work: () => Promise<Result>,
): Promise<Result> {
  let paid = 0;
  const pay = (points: number): void => {
    paid += points;
    ledger.spend(account, tokenId, points);
  };
  budget.settle(pay);
  const payer = ledger.payer(account, (ms) => budget.takeTime(ms));
  try {
    return await workFor(payer, () => meterStatements(budget, work));
  } finally {
    pay(budget.points - paid);
  }
}
