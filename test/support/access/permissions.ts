// Permission tests: every person tries every mutation. A mutation succeeds if and only if the flags of `permissions`
// that allow it are true for the viewer, or, where no flag allows it, by the rule in its case. A refusal is FORBIDDEN
// if the object is visible, and NOT_FOUND otherwise. Flags are queried once a person, on a fixture that no test
// changes; one test checks that another fixture has the same flags.
import { describe, expect, test } from "vitest";
import { act, actTogether, expected } from "#test/support/access/permission-cases.ts";
import { sharedApp } from "#test/support/access/shared-app.ts";
import {
  ask,
  type PermissionCase,
  type Flags,
  makeFixtures,
  type Name,
  names,
  type Fixture,
} from "#test/support/access/fixture.ts";
import { hasFile } from "#test/support/request-body.ts";
import { batchedFactory } from "#test/support/batched-factory.ts";

/** State shared by the permission tests of a worker. */
async function makeShared() {
  const shared = await sharedApp();
  const nextFixture = batchedFactory((count) => makeFixtures(shared.rows, count));
  const untouched = await nextFixture();
  const flagsOf = new Map<Name, Promise<Flags>>();
  return {
    ...shared,
    nextFixture,
    untouched,
    flagsFor: (name: Name): Promise<Flags> => {
      const asking = flagsOf.get(name) ?? ask(shared.single, untouched, name);
      flagsOf.set(name, asking);
      return asking;
    },
  };
}

let sharedState: ReturnType<typeof makeShared> | undefined;

/** The number of cases in one document. */
const together = 40;

/** Defines the tests of some cases: one for each case and person. */
export function describePermissions(cases: readonly PermissionCase[]): void {
  const table = new Table(cases);
  describe.each(
    cases.map((permissionCase) => [permissionCase.mutation, permissionCase.how ?? "", permissionCase] as const),
  )("%s %s", (_mutation, _how, permissionCase) => {
    test.each(names)("%s", async (name) => {
      const { flagsFor } = await (sharedState ??= makeShared());
      const flags = await flagsFor(name);
      expect(await table.outcome(permissionCase, name)).toBe(expected(permissionCase, name, flags));
    });
  });

  test("another fixture has the same flags for everybody", async () => {
    const { single, flagsFor } = await (sharedState ??= makeShared());
    const fixture = await table.fixture();
    const withoutIds = (flags: Flags) => JSON.stringify(flags).replaceAll(/"[a-z]{3}_[0-9a-z]+"/g, "an id");
    for (const name of names)
      expect(withoutIds(await ask(single, fixture, name)), name).toBe(withoutIds(await flagsFor(name)));
  });

  test("every mutation that flags allow succeeds for some people and is refused for others", () => {
    const flagged = cases.filter(({ allowedBy }) => typeof allowedBy !== "function");
    expect(
      flagged
        .filter((permissionCase) => table.isIdle(permissionCase))
        .map(({ mutation, how }) => `${mutation} ${how ?? ""}`),
    ).toEqual([]);
  });
}

/** Runs permission cases, and keeps their outcomes. */
class Table {
  readonly #cases: readonly PermissionCase[];
  readonly #refused = new Map<Name, Promise<ReadonlyMap<PermissionCase, string>>>();
  /** How many people succeeded with each case: a case in which nobody or everybody succeeds proves little. */
  readonly #done = new Map<PermissionCase, number>();
  #unchanged: Fixture | undefined;

  constructor(cases: readonly PermissionCase[]) {
    this.#cases = cases;
  }

  /** The outcome of a case: run together with others that are refused to the same person, or else alone. */
  async outcome(permissionCase: PermissionCase, name: Name): Promise<string> {
    const trying = this.#refused.get(name) ?? this.#tryRefused(name);
    this.#refused.set(name, trying);
    return (await trying).get(permissionCase) ?? this.#alone(permissionCase, name);
  }

  isIdle(permissionCase: PermissionCase): boolean {
    const count = this.#done.get(permissionCase);
    return count === undefined || count === names.length;
  }

  async fixture(): Promise<Fixture> {
    const { nextFixture } = await (sharedState ??= makeShared());
    return (this.#unchanged ??= await nextFixture());
  }

  async #alone(permissionCase: PermissionCase, name: Name): Promise<string> {
    const { app, single } = await (sharedState ??= makeShared());
    const fixture = await this.fixture();
    await permissionCase.prepare?.(fixture, app.database);
    const outcome = await act(single, fixture, permissionCase, name);
    if (outcome === "done" || permissionCase.prepare) this.#unchanged = undefined;
    if (outcome === "done") this.#done.set(permissionCase, (this.#done.get(permissionCase) ?? 0) + 1);
    return outcome;
  }

  /** The outcomes of all cases that are refused to a person, in few documents: refused mutations change nothing. */
  async #tryRefused(name: Name): Promise<ReadonlyMap<PermissionCase, string>> {
    const { lenient, flagsFor } = await (sharedState ??= makeShared());
    const flags = await flagsFor(name);
    const fixture = await this.fixture();
    const mayShare = (permissionCase: PermissionCase) =>
      !permissionCase.prepare &&
      !hasFile({ ...permissionCase.input(fixture, name) }) &&
      expected(permissionCase, name, flags) !== "done";
    const refused = this.#cases.filter(mayShare);
    const outcomes = new Map<PermissionCase, string>();
    for (let from = 0; from < refused.length; from += together) {
      const some = refused.slice(from, from + together);
      const each = await actTogether(lenient, fixture, some, name);
      const areRight = each?.every(
        (outcome, index) => outcome === expected(some[index] as PermissionCase, name, flags),
      );
      if (areRight)
        for (const [index, permissionCase] of some.entries()) outcomes.set(permissionCase, each?.[index] ?? "");
      else this.#unchanged = undefined; // each is run alone, so that cases do not affect each other
    }
    return outcomes;
  }
}
