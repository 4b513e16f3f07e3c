// The flags of all people on the fixture, compared with a written table: permission tests compare mutations with flags,
// and would not notice a rule that is wrong for both.
import { expect, test } from "vitest";
import { flagTable } from "#test/support/access/flag-table.ts";
import { sharedApp } from "#test/support/access/shared-app.ts";
import { ask, makeFixtures, type Name, names, type Fixture } from "#test/support/access/fixture.ts";

const { rows, single } = await sharedApp();
const [fixture] = (await makeFixtures(rows, 1)) as [Fixture];

/** The objects visible to a person, and the flags that are true for them: `<object>.<flag>`. */
async function shownTo(name: Name): Promise<string[]> {
  const things = Object.entries(await ask(single, fixture, name)).filter(([, seen]) => seen != null);
  return things.flatMap(([thing, seen]) => {
    const flags = Object.entries(seen?.permissions ?? {}).filter(([, value]) => value);
    return [`${thing}.seenBy`, ...flags.map(([flag]) => `${thing}.${flag}`)];
  });
}

test.each(names)("shows %s the objects and permission flags of the table", async (name) => {
  const due = Object.entries(flagTable).flatMap(([thing, flags]) =>
    Object.entries(flags).flatMap(([flag, whom]) => (whom.split(" ").includes(name) ? [`${thing}.${flag}`] : [])),
  );
  expect((await shownTo(name)).toSorted()).toEqual(due.toSorted());
});
