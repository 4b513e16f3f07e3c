// The agreement of an organization for an installation: to the terms of a version, and to the version that runs.
import { DomainError, invalidInput } from "#src/base/errors.ts";
import { sql } from "#src/db/connection/database.ts";
import type { Transaction } from "#src/domain/change.ts";
import { ifGiven, type Optional } from "#src/domain/input.ts";
import type { LockedRow } from "#src/features/integrations/commands/installations/installation-row.ts";
import type { Terms } from "#src/features/integrations/model/terms.ts";
import { runningNumber, termsOf } from "#src/features/integrations/reads/terms.ts";

export interface GivenVersions extends Optional<{
  /** The version whose terms are agreed to: the one that runs after the update. */
  readonly agreedVersion: number;
  readonly pinnedVersion: number;
}> {}

type Agreement = Partial<Pick<LockedRow, "scopes" | "contentSecurityPolicy" | "agreedVersion" | "pinnedVersion">>;

/**
 * The columns of an installation after an update. Pinning a version takes its policy, blocks and target, and never
 * adds a scope; only `agreedVersion` does.
 *
 * Throws INVALID_INPUT for a pinned version that the integration does not have for the runtime of the installation, and
 * CONFLICT if `agreedVersion` is not the version that runs.
 */
export async function agreementOf(
  transaction: Transaction,
  locked: LockedRow,
  given: GivenVersions,
): Promise<Agreement> {
  const agreedVersion = ifGiven("agreedVersion", given.agreedVersion, (one) => one);
  if (agreedVersion === undefined && given.pinnedVersion === undefined) return {};
  const { pinnedVersion = locked.pinnedVersion } = given;
  const terms = await termsThatRun(transaction, locked, pinnedVersion);
  if (agreedVersion !== undefined) requireCurrent(agreedVersion, terms.number);
  const scopes = terms.scopes.filter((scope) => agreedVersion !== undefined || locked.scopes.includes(scope));
  const isTaken = agreedVersion !== undefined || (pinnedVersion !== null && pinnedVersion !== locked.pinnedVersion);
  const { number, contentSecurityPolicy } = terms;
  return { pinnedVersion, scopes, ...(isTaken && { agreedVersion: number, contentSecurityPolicy }) };
}

/** Throws CONFLICT for the terms of another version than the one that runs. */
export function requireCurrent(agreedVersion: number, number: number): void {
  if (agreedVersion === number) return;
  throw new DomainError(
    "CONFLICT",
    `Version ${number} would run, and not version ${agreedVersion}: read the terms of version ${number}, and agree to those.`,
  );
}

async function termsThatRun(transaction: Transaction, locked: LockedRow, pinnedVersion: number | null): Promise<Terms> {
  const [row] = await transaction.$queryRaw<{ terms: Terms | null }[]>(sql`
    select ${termsOf("i", runningNumber("i"))} as terms from (
      select r."integrationId", r.runtime, ${pinnedVersion}::int as "pinnedVersion"
      from "IntegrationInstallation" r where r.id = ${locked.id}) i
    where ${pinnedVersion}::int is null or exists (select from "IntegrationVersion" v
      where v."integrationId" = i."integrationId" and v.number = ${pinnedVersion}::int and v.runtime = i.runtime)`);
  if (row?.terms) return row.terms;
  throw invalidInput("pinnedVersion", `must be the number of a version for the runtime \`${locked.runtime}\`.`);
}
