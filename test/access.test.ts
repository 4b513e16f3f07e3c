// The access table: every node type, for every kind of viewer, by every path. Hidden nodes are absent or NOT_FOUND.
import type { GraphQLInterfaceType } from "graphql";
import { beforeAll, describe, expect, test } from "vitest";
import { kindOfNode } from "#src/base/ids.ts";
import { schema } from "#src/schema.ts";
import { addChangeRequest } from "#test/features/change-requests/factory.ts";
import { addComment, addReply } from "#test/features/comments/factory.ts";
import { addReview } from "#test/features/reviews/factory.ts";
import { addSection, addSectionGroup, addSite, addSiteSpace } from "#test/features/sites/factory.ts";
import { addSpace } from "#test/features/spaces/factory.ts";
import { inOrganization, node, type Rule, rulesOfPeople } from "#test/support/access/rules.ts";
import { fromFeatures } from "#test/support/features.ts";
import type { Rows } from "#test/support/rows.ts";
import { useApp } from "#test/support/app.ts";
import type { People, World } from "#test/support/world.ts";

const { app, world } = await useApp();
let people: People;
/** Ids by name, in a world with a private space and site, and in one where both are public. */
let closed: Readonly<Record<string, string>>;
let open: Readonly<Record<string, string>>;

type Everything = Awaited<ReturnType<World["everything"]>>;

function idsOf(world: Everything): Record<string, string> {
  return {
    organization: world.organization.id,
    member: world.editor.memberId,
    user: world.editor.id,
    commenter: world.commenter.id,
    team: world.team.id,
    teamOwner: world.teamOwner.id,
    teamMember: world.teamMember.id,
    collection: world.collection.id,
    space: world.space.id,
    changeRequest: world.changeRequest.id,
    proposed: world.changeRequest.revisionId,
    comment: world.comment.id,
    spaceComment: world.spaceComment.id,
    reply: world.reply.id,
    site: world.site.id,
    sectionGroup: world.sectionGroup.id,
    section: world.section.id,
    siteSpace: world.siteSpace.id,
  };
}

/** The same objects again in the same organization, with a public space and a published public site. */
function openTwin(rows: Rows, { organization, collection, editor, commenter }: Everything): Record<string, string> {
  const space = addSpace(rows, { organizationId: organization.id, parent: collection, visibility: "public" });
  const changeRequest = addChangeRequest(rows, { space, createdById: editor.id });
  const here = { spaceId: space.id, postedById: commenter.id };
  const comment = addComment(rows, { ...here, changeRequestId: changeRequest.id });
  const site = addSite(rows, { organizationId: organization.id, visibility: "public" });
  const sectionGroup = addSectionGroup(rows, { siteId: site.id });
  const section = addSection(rows, { siteId: site.id, sectionGroupId: sectionGroup.id });
  return {
    space: space.id,
    changeRequest: changeRequest.id,
    proposed: changeRequest.revisionId,
    review: addReview(rows, { changeRequest, reviewerId: commenter.id }).id,
    comment: comment.id,
    spaceComment: addComment(rows, here).id,
    reply: addReply(rows, { commentId: comment.id, postedById: editor.id }).id,
    site: site.id,
    sectionGroup: sectionGroup.id,
    section: section.id,
    siteSpace: addSiteSpace(rows, { siteId: site.id, sectionId: section.id, spaceId: space.id }).id,
  };
}

beforeAll(async () => {
  const first = await world.everything({ space: { visibility: "in_collection" }, site: { published: false } });
  ({ people } = first);
  const { changeRequest, commenter } = first;
  const review = await world.insert((rows) => addReview(rows, { changeRequest, reviewerId: commenter.id }));
  closed = { ...idsOf(first), review: review.id };
  const second = await world.insert((rows) => openTwin(rows, first));
  open = { ...closed, ...second };
});

const members = ["admin", "creator", "reviewer", "editor", "commenter", "reader", "teamOwner"] as const;
const granted = [...members, "invitedGuest", "teamGuest"] as const;
const inside = [...granted, "guest"] as const;
const everyone = [...inside, "disabled", "outsider"] as const;

const rules: readonly Rule[] = [
  ...rulesOfPeople(members, granted, inside, everyone),
  {
    row: "organization",
    world: "closed",
    seenBy: inside,
    ways: [
      node("organization"),
      ["root field", `{ organization(id: "$organization") { id } }`],
      ["list", "{ organizations { nodes { id } } }"],
    ],
  },
  {
    row: "organization",
    world: "open",
    seenBy: inside,
    ways: [
      ["relation of an open space", `{ space(id: "$space") { organization { id } } }`],
      ["relation of an open site", `{ site(id: "$site") { organization { id } } }`],
    ],
  },
  { row: "user", world: "closed", seenBy: inside, ways: [node("user")] },
  {
    row: "user",
    world: "closed",
    seenBy: granted,
    ways: [["relation of a change request", `{ changeRequest(id: "$changeRequest") { createdBy { id } } }`]],
  },
  {
    row: "member",
    world: "closed",
    seenBy: members,
    ways: [
      node("member"),
      ["list", inOrganization("members(first: 100) { nodes { id } }")],
      ["one of the list", inOrganization(`member(userId: "$user") { id }`)],
    ],
  },
  {
    row: "team",
    world: "closed",
    seenBy: members,
    ways: [
      node("team"),
      ["list", inOrganization("teams { nodes { id } }")],
      ["one of the list", inOrganization(`team(id: "$team") { id }`)],
    ],
  },
  {
    row: "collection",
    world: "closed",
    seenBy: granted,
    ways: [
      node("collection"),
      ["root field", `{ collection(id: "$collection") { id } }`],
      ["list", inOrganization("collections { nodes { id } }")],
      ["relation", `{ space(id: "$space") { parent { id } } }`],
      ["breadcrumbs", `{ space(id: "$space") { ancestors { id } } }`],
      ["content of the organization", inOrganization("content { nodes { id } }")],
    ],
  },
  {
    row: "collection",
    world: "open",
    seenBy: granted,
    ways: [
      ["relation of an open space", `{ space(id: "$space") { parent { id } } }`],
      ["breadcrumbs of an open space", `{ space(id: "$space") { ancestors { id } } }`],
    ],
  },
  {
    row: "space",
    world: "closed",
    seenBy: granted,
    ways: [
      node("space"),
      ["root field", `{ space(id: "$space") { id } }`],
      ["list of the organization", inOrganization("spaces { nodes { id } }")],
      ["list of the collection", `{ collection(id: "$collection") { spaces { nodes { id } } } }`],
      ["content of the collection", `{ collection(id: "$collection") { content { nodes { id } } } }`],
      ["content of a place", inOrganization('content(parentId: "$collection") { nodes { id } }')],
      ["relation of a change request", `{ changeRequest(id: "$changeRequest") { space { id } } }`],
      ["relation of a comment", `{ comment(id: "$comment") { space { id } } }`],
    ],
  },
  {
    row: "space",
    world: "open",
    seenBy: everyone,
    ways: [
      node("space"),
      ["root field", `{ space(id: "$space") { id } }`],
      ["relation of an open site", `{ site(id: "$site") { siteSpaces { nodes { space { id } } } } }`],
    ],
  },
  {
    row: "space",
    world: "open",
    seenBy: inside,
    ways: [
      ["list of the organization", inOrganization("spaces { nodes { id } }")],
      ["content of a place", inOrganization('content(parentId: "$collection") { nodes { id } }')],
    ],
  },
  ...(["closed", "open"] as const).flatMap((world): Rule[] => [
    {
      row: "changeRequest",
      world,
      seenBy: granted,
      ways: [
        node("changeRequest"),
        ["root field", `{ changeRequest(id: "$changeRequest") { id } }`],
        ["list", `{ space(id: "$space") { changeRequests { nodes { id } } } }`],
        ["one of the list", `{ space(id: "$space") { changeRequest(by: { id: "$changeRequest" }) { id } } }`],
        ["relation of a comment", `{ comment(id: "$comment") { changeRequest { id } } }`],
      ],
    },
    {
      row: "review",
      world,
      seenBy: granted,
      ways: [node("review"), ["list", `{ changeRequest(id: "$changeRequest") { reviews { nodes { id } } } }`]],
    },
    {
      row: "review",
      world,
      seenBy: ["commenter"],
      ways: [["list of requests", "{ reviewRequests { nodes { id } } }"]],
    },
    {
      row: "proposed",
      world,
      seenBy: granted,
      ways: [
        node("proposed"),
        ["content", `{ changeRequest(id: "$changeRequest") { content { id } } }`],
        ["diff", `{ changeRequest(id: "$changeRequest") { changes { revisionAfterId } } }`],
        ["diff of a revision", `{ node(id: "$proposed") { ... on Revision { changes { revisionAfterId } } } }`],
        [
          "diff of the main content",
          `{ space(id: "$space") { content { changes(sinceRevisionId: "$proposed") { revisionBeforeId } } } }`,
        ],
      ],
    },
    {
      row: "comment",
      world,
      seenBy: granted,
      ways: [
        node("comment"),
        ["root field", `{ comment(id: "$comment") { id } }`],
        ["list", `{ changeRequest(id: "$changeRequest") { comments { nodes { id } } } }`],
        ["relation of a reply", `{ node(id: "$reply") { ... on CommentReply { comment { id } } } }`],
      ],
    },
    {
      row: "spaceComment",
      world,
      seenBy: granted,
      ways: [
        node("spaceComment"),
        ["list", `{ space(id: "$space") { comments { nodes { id } } } }`],
        ["one of the list", `{ space(id: "$space") { comment(id: "$spaceComment") { id } } }`],
      ],
    },
    {
      row: "reply",
      world,
      seenBy: granted,
      ways: [node("reply"), ["list", `{ comment(id: "$comment") { replies { nodes { id } } } }`]],
    },
  ]),
  ...(
    [
      ["closed", members],
      ["open", everyone],
    ] as const
  ).flatMap(([world, seenBy]): Rule[] => [
    {
      row: "site",
      world,
      seenBy,
      ways: [
        node("site"),
        ["root field", `{ site(id: "$site") { id } }`],
        ["relation", `{ node(id: "$section") { ... on SiteSection { site { id } } } }`],
      ],
    },
    {
      row: "site",
      world,
      seenBy: seenBy.filter((name) => (inside as readonly string[]).includes(name)),
      ways: [["list", inOrganization("sites { nodes { id } }")]],
    },
    {
      row: "section",
      world,
      seenBy,
      ways: [node("section"), ["list", `{ site(id: "$site") { sections { nodes { id } } } }`]],
    },
    {
      row: "sectionGroup",
      world,
      seenBy,
      ways: [node("sectionGroup"), ["list", `{ site(id: "$site") { sectionGroups { nodes { id } } } }`]],
    },
    {
      row: "siteSpace",
      world,
      seenBy,
      ways: [node("siteSpace"), ["list", `{ site(id: "$site") { siteSpaces { nodes { id } } } }`]],
    },
  ]),
];

describe.each(everyone)("%s", (name) => {
  test.each(
    rules.flatMap(({ row, world, seenBy, ways }) =>
      ways.map(([way, document]) => [world, row, way, seenBy.includes(name), document] as const),
    ),
  )("%s %s by %s: %s", async (world, row, way, isSeen, document) => {
    const ids = world === "open" ? open : closed;
    const asked = document.replaceAll(/\$(\w+)/g, (_match, name_: string) => ids[name_] ?? "");
    const { data, errors } = await app.direct(people[name].token).graphql(asked);
    expect(JSON.stringify(data ?? null).includes(ids[row] ?? "?"), JSON.stringify({ data, errors })).toBe(isSeen);
    if (isSeen) expect(errors).toBeUndefined();
    for (const error of errors ?? []) expect(["NOT_FOUND", "FORBIDDEN"]).toContain(error.extensions.code);
    if (way === "root field" && !isSeen) expect(errors?.[0]?.extensions.code).toBe("NOT_FOUND");
  });
});

/** Node types that are not in the table: their features test who sees them, and say where. */
const elsewhere = (await fromFeatures<{ nodes?: Readonly<Record<string, string>> }>("permission-cases.ts")).map(
  ({ nodes = {} }) => nodes,
);

test("every node type is in the access table or names another test", () => {
  const types = schema.getImplementations(schema.getType("Node") as GraphQLInterfaceType).objects;
  const tested = rules.filter(({ ways }) => ways.some(([way]) => way === "node")).map(({ row }) => closed[row] ?? "");
  expect(new Set([...tested.map(kindOfNode), ...elsewhere.flatMap(Object.keys)])).toEqual(new Set(types.map(String)));
});

test("returns 401 without a token on every way to an object", async () => {
  for (const { ways } of rules) {
    for (const [, document] of ways) expect((await app.as(null).graphql(document)).status).toBe(401);
  }
});

test("excludes change requests and comments of a public space from counts for viewers without a role", async () => {
  const counts = `{ space(id: "${open["space"]}") { commentCount changeRequestCount openChangeRequestCount draftChangeRequestCount
    changeRequests { totalCount } comments { totalCount } } }`;
  const none = { commentCount: 0, changeRequestCount: 0, openChangeRequestCount: 0, draftChangeRequestCount: 0 };
  for (const name of ["guest", "disabled", "outsider"] as const) {
    expect(await app.as(people[name].token).query(counts)).toEqual({
      space: { ...none, changeRequests: { totalCount: 0 }, comments: { totalCount: 0 } },
    });
  }
  expect(await app.as(people.reader.token).query(counts)).toMatchObject({
    space: { commentCount: 1, changeRequestCount: 1, openChangeRequestCount: 1, changeRequests: { totalCount: 1 } },
  });
});
