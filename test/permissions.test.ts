// Flag and deed: everybody tries everything. An operation succeeds just when the flags of `permissions` that stand for it are true for the viewer,
// asked right before; where none stands for it, by the rule beside it. What is refused is FORBIDDEN where it is seen, and not there where it is not.
import { describe, expect, test } from "vitest";
import { schema } from "#src/schema.ts";
import { fromFeatures } from "#test/support/features.ts";
import { useApp } from "#test/support/app.ts";
import { selectionOf } from "#test/support/positions.ts";
import { nextNumber } from "#test/support/rows.ts";
import { ask, type Deed, flag, type Flags, makeStage, type Name, names, type Stage } from "#test/support/stage.ts";

const { app } = await useApp();

const everybody = () => true;

const onOrganizations: readonly Deed[] = [
  { mutation: "createOrganization", input: () => ({ title: `New ${nextNumber()}` }), stands: everybody, seen: [] },
  {
    mutation: "updateOrganization",
    input: ({ organization }) => ({ organizationId: organization.id, title: "Renamed" }),
    stands: ["organization.admin"],
    seen: ["organization"],
  },
  {
    mutation: "rotateVisitorKey",
    input: ({ organization }) => ({ organizationId: organization.id }),
    stands: ["organization.admin"],
    seen: ["organization"],
  },
  {
    mutation: "pingOrganization",
    input: ({ organization }) => ({ organizationId: organization.id }),
    stands: ["organization.view"],
    seen: ["organization"],
  },
  {
    mutation: "createInviteLink",
    input: ({ organization }) => ({ organizationId: organization.id, role: "READ" }),
    stands: ["organization.admin"],
    seen: ["organization"],
  },
  {
    mutation: "deleteInviteLink",
    input: ({ organization, link }) => ({ organizationId: organization.id, inviteLinkId: link.id }),
    stands: ["organization.admin"],
    seen: ["organization"],
  },
  // Whoever has a link may use it, but for those whose membership is switched off.
  {
    mutation: "useInviteLink",
    input: ({ link }) => ({ key: link.key }),
    stands: (name) => name !== "disabled",
    seen: [],
  },
  { mutation: "createApiToken", input: () => ({ name: "mine" }), stands: everybody, seen: [] },
  { mutation: "revokeApiToken", input: ({ tokens }, name) => ({ id: tokens[name] }), stands: everybody, seen: [] },
  {
    mutation: "revokeApiToken",
    how: "of somebody else",
    input: ({ tokens }, name) => ({ id: tokens[name === "admin" ? "editor" : "admin"] }),
    stands: () => false,
    seen: ["nothing"],
  },
];

const onMembers: readonly Deed[] = [
  {
    mutation: "inviteMember",
    input: ({ organization }) => ({ organizationId: organization.id, email: `n${nextNumber()}@example.com` }),
    stands: ["organization.admin"],
    seen: ["organization"],
  },
  ...["updateMember", "setMemberSso", "removeMember"].map((mutation): Deed => ({
    mutation,
    input: ({ organization, editor }) => ({
      organizationId: organization.id,
      userId: editor.id,
      ...(mutation === "updateMember" && { role: "COMMENT" }),
    }),
    stands: (name, flags) => flag(flags, "organization.admin") || (mutation === "removeMember" && name === "editor"),
    seen: ["organization", "member"],
    ...(mutation === "removeMember" && { deletes: "member" }),
  })),
  {
    mutation: "removeMember",
    how: "oneself",
    input: ({ organization, people }, name) => ({ organizationId: organization.id, userId: people[name].id }),
    stands: ["organization.view"], // everybody who is in it may leave
    seen: ["organization"],
  },
];

const onTeams: readonly Deed[] = [
  {
    mutation: "createTeam",
    input: ({ organization }) => ({ organizationId: organization.id, title: `Team ${nextNumber()}` }),
    stands: ["organization.admin"],
    seen: ["organization"],
  },
  {
    mutation: "deleteTeam",
    deletes: "team",
    input: ({ organization, team }) => ({ organizationId: organization.id, teamId: team.id }),
    stands: ["organization.admin"],
    seen: ["organization", "team"],
  },
  ...Object.entries({
    updateTeam: () => ({ title: `Team ${nextNumber()}` }),
    updateTeamMembers: ({ editor }: Stage) => ({ add: [editor.id] }),
    setTeamMember: ({ editor }: Stage) => ({ userId: editor.id }),
    removeTeamMember: ({ teamGuest }: Stage) => ({ userId: teamGuest.id }),
  }).map(([mutation, input]): Deed => ({
    mutation,
    input: (stage) => ({ organizationId: stage.organization.id, teamId: stage.team.id, ...input(stage) }),
    stands: ["team.admin"],
    seen: ["organization", "team"],
  })),
];

/** Grants on a collection and on a space in it. */
const onGrants: readonly Deed[] = (["collection", "space"] as const).flatMap((thing): Deed[] => [
  ...(["user", "team"] as const).map((holder): Deed => ({
    mutation: "setGrant",
    how: `to a ${holder} on a ${thing}`,
    input: (stage) => ({
      [`${thing}Id`]: stage[thing].id,
      [`${holder}Id`]: holder === "user" ? stage.commenter.id : stage.team.id,
      role: "READ",
    }),
    stands: [`${thing}.admin`],
    seen: [thing],
    ...(holder === "team" && { into: "team" }),
  })),
  {
    mutation: "removeGrant",
    how: `on a ${thing}`,
    input: (stage) => ({
      [`${thing}Id`]: stage[thing].id,
      ...(thing === "space" ? { userId: stage.editor.id } : { teamId: stage.team.id }),
    }),
    stands: [`${thing}.admin`],
    seen: [thing],
  },
]);

/** What is done alike to a collection in a collection, and to a space in it. */
const onContent: readonly Deed[] = (["Collection", "Space"] as const).flatMap((Kind): Deed[] => {
  const thing = Kind === "Collection" ? "inner" : "space";
  const subject = (stage: Stage) => ({ [`${Kind.toLowerCase()}Id`]: stage[thing].id });
  const move = (how: string, to: (stage: Stage) => object, stands: Deed["stands"], into?: string): Deed => ({
    mutation: `move${Kind}`,
    how,
    input: (stage) => ({ ...subject(stage), ...to(stage) }),
    stands,
    seen: [thing],
    ...(into && { into }),
  });
  return [
    {
      mutation: `create${Kind}`,
      how: "at the top",
      input: ({ organization }) => ({ organizationId: organization.id }),
      stands: ["organization.createContent"],
      seen: ["organization"],
    },
    ...(["collection", "shut"] as const).map((parent): Deed => ({
      mutation: `create${Kind}`,
      how: `in ${parent}`,
      input: (stage) => ({ organizationId: stage.organization.id, parentId: stage[parent].id }),
      stands: [`${parent}.create`],
      seen: ["organization", parent],
    })),
    {
      mutation: `update${Kind}`,
      input: (stage) => ({ ...subject(stage), title: "Renamed" }),
      stands: [`${thing}.admin`],
      seen: [thing],
    },
    { mutation: `delete${Kind}`, input: subject, stands: [`${thing}.admin`], seen: [thing], deletes: thing },
    move("in its place", () => ({}), [`${thing}.admin`]),
    move("to the top", () => ({ parentId: null }), [`${thing}.admin`, "organization.createContent"]),
    move("to other", ({ other }) => ({ parentId: other.id }), [`${thing}.admin`, "other.create"], "other"),
    move("to shut", ({ shut }) => ({ parentId: shut.id }), [`${thing}.admin`, "shut.create"], "shut"),
    ...(["open", "closed"] as const).map((target): Deed => ({
      mutation: `transfer${Kind}`,
      how: `to ${target}`,
      input: (stage) => ({ ...subject(stage), organizationId: stage[target].id }),
      stands: [`${thing}.admin`, `${target}.createContent`],
      seen: [thing],
      into: target,
    })),
  ];
});

const onSpaces: readonly Deed[] = [
  {
    mutation: "updateSpace",
    how: "that is public",
    input: ({ topSpace }) => ({ spaceId: topSpace.id, emoji: "🌍" }),
    stands: ["topSpace.admin"],
    seen: ["topSpace"],
  },
  {
    mutation: "duplicateSpace",
    input: ({ space }) => ({ spaceId: space.id }),
    stands: ["space.access", "collection.create"],
    seen: ["space"],
  },
  {
    mutation: "duplicateSpace",
    how: "that is public, at the top",
    input: ({ topSpace }) => ({ spaceId: topSpace.id }),
    stands: ["topSpace.access", "organization.createContent"],
    seen: ["topSpace"],
  },
  {
    mutation: "restoreSpace",
    input: ({ space }) => ({ spaceId: space.id }),
    stands: ["space.admin"],
    seen: ["space"],
    prepare: ({ space }, { prisma }) =>
      prisma.space.update({ where: { id: space.id }, data: { deletedAt: new Date() } }),
    isHidden: true,
  },
];

const deeds = [
  ...onOrganizations,
  ...onMembers,
  ...onTeams,
  ...onGrants,
  ...onContent,
  ...onSpaces,
  ...(await fromFeatures<{ deeds: readonly Deed[] }>("deeds.ts")).flatMap((feature) => feature.deeds),
];

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

let unchanged: Stage | undefined;
/** How many have done each deed: one that nobody can do, or everybody, proves little. */
const done = new Map<Deed, number>();

describe.each(deeds.map((deed) => [deed.mutation, deed.how ?? "", deed] as const))("%s %s", (_mutation, _how, deed) => {
  test.each(names)("%s", async (name) => {
    const stage = (unchanged ??= await makeStage(app.database));
    const flags = await ask(app, stage, name);
    await deed.prepare?.(stage, app.database);
    const outcome = await act(stage, deed, name);
    if (outcome === "done" || deed.prepare) unchanged = undefined;
    if (outcome === "done") done.set(deed, (done.get(deed) ?? 0) + 1);
    expect(outcome).toBe(expected(deed, name, flags));
  });
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
