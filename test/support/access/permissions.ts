// Flag and deed: everybody tries everything. An operation succeeds just when the flags of `permissions` that allow it
// are true for the viewer; where no flag allows it, by the rule beside it. What is refused is FORBIDDEN where it is
// seen, and not there where it is not. The flags are asked for once a person, on a stage that nobody changes: all
// stages are made alike, and what they show is compared at the end.
import { describe, expect, test } from "vitest";
import { act, actTogether, expected } from "#test/support/access/permission-cases.ts";
import { groundOfWorker } from "#test/support/access/shared-app.ts";
import { ask, type Deed, type Flags, makeStages, type Name, names, type Stage } from "#test/support/access/fixture.ts";
import { hasFile } from "#test/support/request-body.ts";
import { supplyOf } from "#test/support/batched-factory.ts";

/** What the tables of a worker have in common. */
async function makeStand() {
  const ground = await groundOfWorker();
  const nextStage = supplyOf((count) => makeStages(ground.rows, count));
  const untouched = await nextStage();
  const flagsOf = new Map<Name, Promise<Flags>>();
  return {
    ...ground,
    nextStage,
    untouched,
    flagsFor: (name: Name): Promise<Flags> => {
      const asking = flagsOf.get(name) ?? ask(ground.single, untouched, name);
      flagsOf.set(name, asking);
      return asking;
    },
  };
}

let stand: ReturnType<typeof makeStand> | undefined;

/** How many deeds are tried in one document. */
const together = 40;

/** The tests of some deeds: a cell for each and everybody. */
export function describePermissions(deeds: readonly Deed[]): void {
  const table = new Table(deeds);
  describe.each(deeds.map((deed) => [deed.mutation, deed.how ?? "", deed] as const))(
    "%s %s",
    (_mutation, _how, deed) => {
      test.each(names)("%s", async (name) => {
        const { flagsFor } = await (stand ??= makeStand());
        const flags = await flagsFor(name);
        expect(await table.outcome(deed, name)).toBe(expected(deed, name, flags));
      });
    },
  );

  test("another stage shows everybody the same flags, so that those of one stand for all", async () => {
    const { single, flagsFor } = await (stand ??= makeStand());
    const stage = await table.stage();
    const withoutIds = (flags: Flags) => JSON.stringify(flags).replaceAll(/"[a-z]{3}_[0-9a-z]+"/g, "an id");
    for (const name of names)
      expect(withoutIds(await ask(single, stage, name)), name).toBe(withoutIds(await flagsFor(name)));
  });

  test("each deed that flags allow was done by some and refused to others", () => {
    const flagged = deeds.filter(({ allowedBy }) => typeof allowedBy !== "function");
    expect(flagged.filter((deed) => table.isIdle(deed)).map(({ mutation, how }) => `${mutation} ${how ?? ""}`)).toEqual(
      [],
    );
  });
}

/** Deeds, and what came of them. */
class Table {
  readonly #deeds: readonly Deed[];
  readonly #refused = new Map<Name, Promise<ReadonlyMap<Deed, string>>>();
  /** How many have done each deed: one that nobody can do, or everybody, proves little. */
  readonly #done = new Map<Deed, number>();
  #unchanged: Stage | undefined;

  constructor(deeds: readonly Deed[]) {
    this.#deeds = deeds;
  }

  /** What came of a deed: tried with others that are to be refused to the same person, or else alone. */
  async outcome(deed: Deed, name: Name): Promise<string> {
    const trying = this.#refused.get(name) ?? this.#tryRefused(name);
    this.#refused.set(name, trying);
    return (await trying).get(deed) ?? this.#alone(deed, name);
  }

  isIdle(deed: Deed): boolean {
    const count = this.#done.get(deed);
    return count === undefined || count === names.length;
  }

  async stage(): Promise<Stage> {
    const { nextStage } = await (stand ??= makeStand());
    return (this.#unchanged ??= await nextStage());
  }

  async #alone(deed: Deed, name: Name): Promise<string> {
    const { app, single } = await (stand ??= makeStand());
    const stage = await this.stage();
    await deed.prepare?.(stage, app.database);
    const outcome = await act(single, stage, deed, name);
    if (outcome === "done" || deed.prepare) this.#unchanged = undefined;
    if (outcome === "done") this.#done.set(deed, (this.#done.get(deed) ?? 0) + 1);
    return outcome;
  }

  /** What came of all that is to be refused to somebody, in few documents: what is refused changes nothing. */
  async #tryRefused(name: Name): Promise<ReadonlyMap<Deed, string>> {
    const { lenient, flagsFor } = await (stand ??= makeStand());
    const flags = await flagsFor(name);
    const stage = await this.stage();
    const mayShare = (deed: Deed) =>
      !deed.prepare && !hasFile({ ...deed.input(stage, name) }) && expected(deed, name, flags) !== "done";
    const refused = this.#deeds.filter(mayShare);
    const outcomes = new Map<Deed, string>();
    for (let from = 0; from < refused.length; from += together) {
      const some = refused.slice(from, from + together);
      const each = await actTogether(lenient, stage, some, name);
      const areRight = each?.every((outcome, index) => outcome === expected(some[index] as Deed, name, flags));
      if (areRight) for (const [index, deed] of some.entries()) outcomes.set(deed, each?.[index] ?? "");
      else this.#unchanged = undefined; // each is tried alone, so that one does not hide or spoil another
    }
    return outcomes;
  }
}
