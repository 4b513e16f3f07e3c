// Flag and deed: everybody tries everything. An operation succeeds just when the flags of `permissions` that stand for
// it are true for the viewer; where none stands for it, by the rule beside it. What is refused is FORBIDDEN where it is
// seen, and not there where it is not. The flags are asked for once a person, on a stage that nobody changes: all
// stages are made alike, and what they show is compared at the end.
import { describe, expect, test } from "vitest";
import { schema } from "#src/schema.ts";
import { useApp } from "#test/support/app.ts";
import { act, deeds, expected } from "#test/support/deeds.ts";
import { supplyOf } from "#test/support/supply.ts";
import { ask, type Deed, type Flags, makeStages, type Name, names, type Stage } from "#test/support/stage.ts";

const { app } = await useApp();

const nextStage = supplyOf((count) => makeStages(app.database, count));
const untouched = await nextStage();
const flagsOf = new Map<Name, Promise<Flags>>();
let unchanged: Stage | undefined;
/** How many have done each deed: one that nobody can do, or everybody, proves little. */
const done = new Map<Deed, number>();

describe.each(deeds.map((deed) => [deed.mutation, deed.how ?? "", deed] as const))("%s %s", (_mutation, _how, deed) => {
  test.each(names)("%s", async (name) => {
    const stage = (unchanged ??= await nextStage());
    const asking = flagsOf.get(name) ?? ask(app, untouched, name);
    flagsOf.set(name, asking);
    const flags = await asking;
    await deed.prepare?.(stage, app.database);
    const outcome = await act(app, stage, deed, name);
    if (outcome === "done" || deed.prepare) unchanged = undefined;
    if (outcome === "done") done.set(deed, (done.get(deed) ?? 0) + 1);
    expect(outcome).toBe(expected(deed, name, flags));
  });
});

test("another stage shows everybody the same flags, so that those of one stand for all", async () => {
  const stage = unchanged ?? (await nextStage());
  const withoutIds = (flags: Flags) => JSON.stringify(flags).replaceAll(/"[a-z]{3}_[0-9a-z]+"/g, "an id");
  for (const name of names)
    expect(withoutIds(await ask(app, stage, name)), name).toBe(withoutIds(await ask(app, untouched, name)));
});

test("every mutation is in the table", () => {
  const all = Object.keys(schema.getMutationType()?.getFields() ?? {});
  expect([...new Set(deeds.map(({ mutation }) => mutation))].toSorted()).toEqual(all.toSorted());
});

test("each deed that stands on flags was done by some and refused to others", () => {
  const flagged = deeds.filter(({ stands }) => typeof stands !== "function");
  const idle = flagged.filter((deed) => !done.get(deed) || done.get(deed) === names.length);
  expect(idle.map(({ mutation, how }) => `${mutation} ${how ?? ""}`)).toEqual([]);
});
