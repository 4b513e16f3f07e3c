// updateTeamMembers against a plain model of its state table: any sequence of changes, valid or not, results in
// the team of the model.
import fc from "fast-check";
import { expect, it } from "vitest";
import type { Person } from "#test/features/members/factory.ts";
import { addTeam } from "#test/features/teams/factory.ts";
import { useApp } from "#test/support/app.ts";
import { runs } from "#test/support/runs.ts";

const { app, world } = await useApp();

const update = `mutation ($input: UpdateTeamMembersInput!) { updateTeamMembers(input: $input) {
  team { members(first: 100) { totalCount nodes { role member { userId } } } }
} }`;

interface Updated {
  updateTeamMembers: { team: { members: { totalCount: number; nodes: { role: Role; member: { userId: string } }[] } } };
}

type Role = "MEMBER" | "OWNER";
/** A user by name, and the field by which the request refers to them. */
type Naming = readonly [who: string, by: "id" | "email" | "EMAIL"];
interface Change {
  readonly add: Naming[];
  readonly remove: Naming[];
  readonly memberships: (readonly [Naming, Role])[];
}

const active = ["reader", "editor", "guest", "teamOwner"];
const everybody = [...active, "disabled", "outsider"];

/** Disabled users and outsiders are rare, so that most changes are valid. */
const naming = fc.tuple(
  fc.oneof({ weight: 12, arbitrary: fc.constantFrom(...active) }, fc.constantFrom("disabled", "outsider")),
  fc.constantFrom("id", "email", "EMAIL"),
);
const change: fc.Arbitrary<Change> = fc.record({
  add: fc.array(naming, { maxLength: 3 }),
  remove: fc.array(naming, { maxLength: 2 }),
  memberships: fc.array(fc.tuple(naming, fc.constantFrom<Role>("MEMBER", "OWNER")), { maxLength: 3 }),
});

/** The state table of team membership (spec 1, section 3): the team after the change, or null when it is refused. */
function model(
  team: ReadonlyMap<string, Role>,
  { add, remove, memberships }: Change,
): ReadonlyMap<string, Role> | null {
  const removed = new Set(remove.map(([who]) => who));
  const given = new Map<string, Set<Role>>();
  for (const [[who], role] of memberships) given.set(who, (given.get(who) ?? new Set()).add(role));
  const put = [...add.map(([who]) => who), ...given.keys()].filter((who) => !removed.has(who));
  if ([...removed, ...put].includes("outsider") || put.includes("disabled")) return null;
  if (put.some((who) => (given.get(who)?.size ?? 0) > 1)) return null;
  const after = new Map(team);
  for (const who of put) after.set(who, [...(given.get(who) ?? [])][0] ?? team.get(who) ?? "MEMBER");
  for (const who of removed) after.delete(who);
  return after;
}

it("updateTeamMembers has the same result as the model for random changes", { timeout: 60_000 }, async () => {
  const { organization, admin, people } = await world.organization();
  const byName = new Map<string, Person>(Object.entries(people));
  const personOf = (who: string) => byName.get(who) ?? admin;
  const nameOf = new Map(everybody.map((who) => [personOf(who).id, who]));
  const named = ([who, by]: Naming) => {
    const { id, email } = personOf(who);
    return by === "id" ? id : by === "email" ? email : email.toUpperCase();
  };
  const client = app.as(admin.token);
  const seen = { taken: 0, refused: 0 };

  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 6 }), async (changes) => {
      const team = await world.insert((rows) => addTeam(rows, { organizationId: organization.id }));
      const place = { organizationId: organization.id, teamId: team.id };
      let expected: ReadonlyMap<string, Role> = new Map();
      for (const { add, remove, memberships } of changes) {
        const input = {
          ...place,
          add: add.map(named),
          remove: remove.map(named),
          memberships: memberships.map(([user, role]) => ({ user: named(user), role })),
        };
        const after = model(expected, { add, remove, memberships });
        const { errors } = await client.graphql(update, { input });
        expect(errors?.[0]?.extensions.code).toBe(after ? undefined : "INVALID_INPUT");
        seen[after ? "taken" : "refused"] += 1;
        expected = after ?? expected;
        const read = await client.query<Updated>(update, { input: place });
        const { totalCount, nodes } = read.updateTeamMembers.team.members;
        expect(new Map(nodes.map(({ role, member }) => [nameOf.get(member.userId), role]))).toEqual(expected);
        expect(totalCount).toBe(expected.size);
      }
    }),
    { numRuns: runs(60, 15) },
  );
  expect(seen.taken).toBeGreaterThan(seen.refused);
  expect(seen.refused).toBeGreaterThan(0);
});
