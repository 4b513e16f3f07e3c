// Flag and deed: everybody tries everything. An operation succeeds just when the flags of `permissions` that stand for
// it are true for the viewer; where none stands for it, by the rule beside it. What is refused is FORBIDDEN where it is
// seen, and not there where it is not. The flags are asked for once a person, on a stage that nobody changes: all
// stages are made alike, and what they show is compared at the end.
import { describe, expect, test } from "vitest";
import { schema } from "#src/schema.ts";
import { fromFeatures } from "#test/support/features.ts";
import { useApp } from "#test/support/app.ts";
import { selectionOf } from "#test/support/positions.ts";
import { supplyOf } from "#test/support/supply.ts";
import { ask, type Deed, flag, type Flags, makeStages, type Name, names, type Stage } from "#test/support/stage.ts";

const { app } = await useApp();

const deeds = (await fromFeatures<{ deeds: readonly Deed[] }>("deeds.ts")).flatMap((feature) => feature.deeds);

/** What has to come of it: `done`, `not there` for deletions, or the code of a refusal. */
function expected({ stands, seen, deletes, into, isHidden }: Deed, name: Name, flags: Flags): string {
  const unseen = seen.find((thing) => !flags[thing]);
  const isThere = into === undefined || Boolean(flags[into]);
  const isAllowed =
    typeof stands === "function"
      ? stands(name, flags)
      : stands.every((path) => flag(flags, path) || (!isThere && path.startsWith(`${into}.`)));
  if (isAllowed) return isThere ? "done" : "NOT_FOUND";
  if (unseen !== undefined) return unseen === deletes ? "not there" : "NOT_FOUND";
  return isHidden ? "NOT_FOUND" : "FORBIDDEN";
}

async function act(stage: Stage, { mutation, input }: Deed, name: Name): Promise<string> {
  const field = schema.getMutationType()?.getFields()[mutation];
  if (!field) throw new Error(`There is no mutation ${mutation}.`);
  const document = `mutation ($input: ${String(field.args[0]?.type)}) { ${mutation}(input: $input) ${selectionOf(field.type)} }`;
  const { data, errors } = await app
    .as(stage.people[name].token)
    .graphql<Record<string, { deleted?: boolean }>>(document, { input: input(stage, name) });
  if (errors)
    return errors
      .map(({ message, extensions }) =>
        extensions.code === "FORBIDDEN" || extensions.code === "NOT_FOUND"
          ? extensions.code
          : `${extensions.code} ${message}`,
      )
      .join();
  return data?.[mutation]?.deleted === false ? "not there" : "done";
}

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
    const outcome = await act(stage, deed, name);
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
