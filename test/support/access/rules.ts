// Rules of the access table (test/access.test.ts): who sees a row, by which paths; and rules of paths from people to
// related objects and back.
import type { People } from "#test/support/world.ts";

/**
 * A path to a row: a document with `$<name>` for ids, whose response contains the row's id if and only if the viewer
 * may see it.
 */
export type Way = readonly [way: string, document: string];

export interface Rule {
  readonly row: string;
  readonly world: "closed" | "open";
  readonly seenBy: readonly (keyof People)[];
  readonly ways: readonly Way[];
}

/** The paths by the root fields `node` and `nodes`. */
export const node = (row: string): Way => ["node", `{ node(id: "$${row}") { id } nodes(ids: ["$${row}"]) { id } }`];

/** A document with a selection on the organization. */
export const inOrganization = (selection: string) => `{ organization(id: "$organization") { ${selection} } }`;

const ofNode = (row: string, type: string, selection: string) =>
  `{ node(id: "$${row}") { ... on ${type} { ${selection} } } }`;

type Names = readonly (keyof People)[];

/** Rules of paths over people, for members, people with a role on the content, insiders, and everybody. */
export function rulesOfPeople(
  ...[members, granted, inside, everyone]: [members: Names, granted: Names, inside: Names, everyone: Names]
): Rule[] {
  const rule = (world: Rule["world"], row: string, seenBy: Names, ...ways: Way[]): Rule => ({
    row,
    world,
    seenBy,
    ways,
  });
  return [
    rule("closed", "organization", inside, [
      "membership of the viewer",
      "{ viewer { memberships { nodes { organization { id } } } } }",
    ]),
    rule(
      "open",
      "organization",
      everyone,
      ["publisher of an open space", `{ space(id: "$space") { publisher { id } } }`],
      ["publisher of an open site", `{ site(id: "$site") { publisher { id } } }`],
    ),
    rule(
      "closed",
      "member",
      members,
      ["membership of a user", ofNode("user", "User", "memberships { nodes { id } }")],
      ["member of a space", `{ space(id: "$space") { members { nodes { member { id } } } } }`],
    ),
    rule(
      "closed",
      "team",
      members,
      ["team of a user", ofNode("teamOwner", "User", "teams { nodes { id } }")],
      ["source of a role", `{ space(id: "$space") { members { nodes { sources { team { id } } } } } }`],
    ),
    rule("closed", "teamMember", members, node("teamMember"), [
      "list",
      inOrganization(`team(id: "$team") { members { nodes { id } } }`),
    ]),
    rule("closed", "collection", members, ["of a team", ofNode("team", "Team", "collections { nodes { id } }")]),
    rule("closed", "space", members, ["of a team", ofNode("team", "Team", "spaces { nodes { id } }")]),
    ...(["closed", "open"] as const).flatMap((world) => [
      rule(
        world,
        "changeRequest",
        granted,
        ["list of the organization", inOrganization("changeRequests { nodes { id } }")],
        ["list of its author", ofNode("user", "User", "changeRequests { nodes { id } }")],
      ),
      rule(world, "review", granted, [
        "requests to the reviewer",
        ofNode("commenter", "User", "reviewRequests { nodes { id } }"),
      ]),
      rule(
        world,
        "comment",
        granted,
        ["list of the organization", inOrganization("comments { nodes { id } }")],
        ["list of its author", ofNode("commenter", "User", "comments { nodes { id } }")],
      ),
      rule(world, "site", world === "open" ? everyone : members, [
        "list of the space",
        `{ space(id: "$space") { sites { nodes { id } } } }`,
      ]),
      rule(world, "siteSpace", world === "open" ? everyone : members, [
        "list of the space",
        `{ space(id: "$space") { siteSpaces { nodes { id } } } }`,
      ]),
    ]),
  ];
}
