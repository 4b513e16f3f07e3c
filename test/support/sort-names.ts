// The names that lists of members are sorted by. Triggers write them, row by row, which is a third of the cost of a
// world: rows that are written without these triggers (unchecked-pool.ts) have them from here.
import type { Rows } from "#test/support/rows.ts";

/** Triggers whose work is done here. */
export const nameTriggers: readonly string[] = ["OrganizationMember_name", "TeamMember_name", "User_name"];

interface Named {
  /** The names of users among the rows. */
  readonly names: Map<string, string>;
  /** Users of memberships whose names PostgreSQL reads or converts. */
  readonly others: Set<string>;
}

const known = new WeakMap<Rows, Named>();

function namedIn(rows: Rows): Named {
  const named = known.get(rows) ?? { names: new Map<string, string>(), others: new Set<string>() };
  known.set(rows, named);
  return named;
}

/** Notes the name of a user among the rows. */
export function noteName(rows: Rows, user: { readonly id: string; readonly displayName: string }): void {
  namedIn(rows).names.set(user.id, user.displayName);
}

/** The name for a membership of a user; empty if {@link nameOthers} has to write it. */
export function sortNameOf(rows: Rows, userId: string): string {
  const { names, others } = namedIn(rows);
  const name = names.get(userId);
  if (name !== undefined && /^[\x20-\x7e]*$/.test(name)) return name.toLowerCase();
  others.add(userId);
  return "";
}

/** Writes the names that {@link sortNameOf} left out, after the rows. */
export async function nameOthers(
  rows: Rows,
  run: (statement: string, values: unknown[]) => Promise<unknown>,
): Promise<void> {
  const others = [...namedIn(rows).others];
  if (others.length === 0) return;
  for (const table of ["OrganizationMember", "TeamMember"])
    await run(
      `update "${table}" m set "sortName" = lower(u."displayName") from "User" u
        where u.id = m."userId" and u.id = any($1) and m."sortName" <> lower(u."displayName")`,
      [others],
    );
}
