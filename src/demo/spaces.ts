// The spaces of the demo, of every visibility and edit mode, and the roles granted on them and on collections.
import { newId } from "#src/base/ids.ts";
import { at } from "#src/demo/calendar.ts";
import type { CollectionName, Tree } from "#src/demo/collections.ts";
import type { TeamName, Teams } from "#src/demo/members.ts";
import type { OrganizationName, Organizations } from "#src/demo/organizations.ts";
import type { People, PersonName } from "#src/demo/people.ts";
import type { DemoRows } from "#src/demo/rows.ts";
import type { Prisma } from "#src/generated/prisma/client.ts";
import type { Role } from "#src/generated/prisma/enums.ts";

interface SpacePlan extends Omit<Partial<Prisma.SpaceCreateManyInput>, "id"> {
  readonly of: OrganizationName;
  readonly in?: CollectionName;
  readonly title: string;
  readonly emoji: string;
}

const spaces = {
  gettingStarted: {
    of: "harbour",
    in: "guides",
    title: "Getting started",
    emoji: "🚀",
    visibility: "public",
    gitSync: {
      repoName: "harbour-instruments/getting-started",
      installationProvider: "github",
      integration: "github",
      url: "https://git.example.com/harbour-instruments/getting-started",
      updatedAt: at(246, "7:00").toISOString(),
    },
  },
  calibration: {
    of: "harbour",
    in: "guides",
    title: "Calibration handbook",
    emoji: "📏",
    visibility: "unlisted",
    editMode: "locked",
  },
  tideGauge: { of: "harbour", in: "devices", title: "Tide gauge manual", emoji: "🌊", visibility: "in_collection" },
  waveBuoy: {
    of: "harbour",
    in: "devices",
    title: "Wave buoy manual",
    emoji: "🛟",
    visibility: "in_collection",
    defaultLevel: "review",
  },
  apiReference: {
    of: "harbour",
    in: "reference",
    title: "API reference",
    emoji: "🧩",
    visibility: "public",
    editMode: "locked",
    gitSync: {
      repoName: "harbour/api-docs",
      installationProvider: "gitlab",
      url: "https://git.example.com/harbour/api-docs",
    },
  },
  errorCodes: { of: "harbour", in: "reference", title: "Error codes", emoji: "🚨", visibility: "public" },
  handbook: {
    of: "harbour",
    in: "company",
    title: "Editorial handbook",
    emoji: "🖋️",
    visibility: "in_collection",
    defaultLevel: "edit",
  },
  runbooks: { of: "harbour", in: "engineering", title: "Runbooks", emoji: "🧯", visibility: "private" },
  knowledgeBase: {
    of: "harbour",
    title: "Customer knowledge base",
    emoji: "💡",
    visibility: "visitor_auth",
    visitorAuthBackend: "oidc",
  },
  partners: {
    of: "harbour",
    title: "Partner portal",
    emoji: "🤝",
    visibility: "share_link",
    shareKey: "demo-share-key-of-the-partner-portal",
  },
  launch: { of: "harbour", title: "Launch plans", emoji: "🗓️", visibility: "private", defaultLevel: "read" },
  website: { of: "harbour", title: "Old website texts", emoji: "🗑️", visibility: "private" },
  manual: { of: "opentide", in: "project", title: "User manual", emoji: "📘", visibility: "public" },
  contributing: { of: "opentide", in: "project", title: "Contributing", emoji: "🌱", visibility: "public" },
  ideas: { of: "opentide", title: "Ideas", emoji: "💭", visibility: "unlisted", defaultLevel: "comment" },
} satisfies Record<string, SpacePlan>;

export type SpaceName = keyof typeof spaces;

/** The rows of the spaces by name: the histories told of them still change them. */
export type Spaces = Record<SpaceName, Prisma.SpaceCreateManyInput>;

/** Adds the spaces. They have no revision yet: their history gives them one. */
export function addSpaces(rows: DemoRows, tree: Tree): Spaces {
  const entries = Object.entries<SpacePlan>(spaces).map(([name, { of, in: parent, ...fields }]) => {
    const createdAt = of === "harbour" ? at(5, "10:00") : at(63, "10:00");
    // The one date that is not the story's: a week after it, a deleted space is removed for good.
    const deletedAt = name === "website" ? new Date() : null;
    const id = newId("Space");
    const row = {
      createdAt,
      updatedAt: createdAt,
      deletedAt,
      revisionId: "",
      ...fields,
      id,
      ...tree.place(of, parent),
    };
    return [name, row] as const;
  });
  rows.spaces.push(...entries.map(([, row]) => row));
  return Object.fromEntries(entries) as Spaces; // made from the very names
}

interface GrantPlan {
  readonly of: OrganizationName;
  readonly to: PersonName | { team: TeamName };
  readonly on: { collection: CollectionName } | { space: SpaceName };
  readonly role: Role;
}

const grants: GrantPlan[] = [
  { of: "harbour", to: "ines", on: { space: "waveBuoy" }, role: "edit" },
  { of: "harbour", to: "sam", on: { space: "launch" }, role: "comment" },
  { of: "harbour", to: { team: "writers" }, on: { collection: "product" }, role: "review" },
  { of: "harbour", to: { team: "field" }, on: { collection: "devices" }, role: "comment" },
  { of: "harbour", to: { team: "field" }, on: { space: "runbooks" }, role: "edit" },
  { of: "opentide", to: { team: "maintainers" }, on: { collection: "project" }, role: "admin" },
];

export function addGrants(
  rows: DemoRows,
  known: { organizations: Organizations; people: People; teams: Teams; tree: Tree; spaces: Spaces },
): void {
  for (const { of, to, on, role } of grants) {
    rows.grants.push({
      id: newId("Grant"),
      organizationId: known.organizations[of],
      role,
      createdAt: at(166),
      ...(typeof to === "string" ? { userId: known.people[to] } : { teamId: known.teams[to.team] }),
      ...("space" in on ? { spaceId: known.spaces[on.space].id } : { collectionId: known.tree.id(on.collection) }),
    });
  }
}
