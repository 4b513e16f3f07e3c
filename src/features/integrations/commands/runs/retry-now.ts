// Makes waiting events due at once, when their installation runs otherwise than in the last try.
import { type Sql, sql } from "#src/db/connection/database.ts";
import type { Transaction } from "#src/domain/change.ts";
import type { Context } from "#src/domain/context.ts";

/** For installations `i`. Their events stay in order, and count their tries on. */
export async function retryNow(
  transaction: Transaction,
  { clock }: Pick<Context, "clock">,
  ofInstallation: Sql,
): Promise<void> {
  const now = sql`${clock.now().toISOString()}::timestamptz`;
  await transaction.$executeRaw(sql`
    update "IntegrationEvent" e set "nextTryAt" = ${now} from "IntegrationInstallation" i
    where e."installationId" = i.id and e.status = 'pending' and e."nextTryAt" > ${now} and ${ofInstallation}`);
}
