// The spaces of the demo, of every visibility and edit mode, and the roles granted on them and on collections.
import { newId } from "#src/base/ids.ts";
import { at } from "#src/demo/calendar.ts";
import type { CollectionName, Tree } from "#src/demo/collections.ts";
import type { TeamName, Teams } from "#src/demo/members.ts";
import type { OrganizationName, Organizations } from "#src/demo/organizations.ts";
import type { People, PersonName } from "#src/demo/people.ts";
import type { RowOf, Rows } from "#src/demo/rows.ts";
import type { Role } from "#src/generated/prisma/enums.ts";

interface SpacePlan extends Omit<Partial<RowOf<"Space">>, "id"> {
  readonly of: OrganizationName;
  readonly in?: CollectionName;
  readonly title: string;
  readonly emoji: string;
}

/** By the names of the folders of their stories. */
const spaces = {
  "getting-started": {
    of: "harbour",
    in: "guides",
    title: "Getting started",
    emoji: "🚀",
    visibility: "public",
  },
  calibration: {
    of: "harbour",
    in: "guides",
    title: "Calibration handbook",
    emoji: "📏",
    visibility: "unlisted",
    editMode: "locked",
  },
  "tide-gauge": { of: "harbour", in: "devices", title: "Tide gauge manual", emoji: "🌊", visibility: "in_collection" },
  "wave-buoy": {
    of: "harbour",
    in: "devices",
    title: "Wave buoy manual",
    emoji: "🛟",
    visibility: "in_collection",
    defaultLevel: "review",
  },
  "api-reference": {
    of: "harbour",
    in: "reference",
    title: "API reference",
    emoji: "🧩",
    visibility: "public",
    editMode: "locked",
  },
  "error-codes": { of: "harbour", in: "reference", title: "Error codes", emoji: "🚨", visibility: "public" },
  handbook: {
    of: "harbour",
    in: "company",
    title: "Editorial handbook",
    emoji: "🖋️",
    visibility: "in_collection",
    defaultLevel: "edit",
  },
  runbooks: { of: "harbour", in: "engineering", title: "Runbooks", emoji: "🧯", visibility: "private" },
  "knowledge-base": {
    of: "harbour",
    title: "Customer knowledge base",
    emoji: "💡",
    visibility: "visitor_auth",
  },
  partners: {
    of: "harbour",
    title: "Partner portal",
    emoji: "🤝",
    visibility: "share_link",
    shareKey: "demo-share-key-of-the-partner-portal",
  },
  launch: { of: "harbour", title: "Launch plans", emoji: "🗓️", visibility: "private", defaultLevel: "read" },
  "launch-de": {
    of: "harbour",
    title: "Launch plans (de)",
    emoji: "🗓️",
    visibility: "private",
    defaultLevel: "read",
    searchLanguage: "german",
  },
  website: { of: "harbour", title: "Old website texts", emoji: "🗑️", visibility: "private", openToMembers: true },
  manual: { of: "opentide", in: "project", title: "User manual", emoji: "📘", visibility: "public" },
  contributing: { of: "opentide", in: "project", title: "Contributing", emoji: "🌱", visibility: "public" },
  ideas: { of: "opentide", title: "Ideas", emoji: "💭", visibility: "unlisted", defaultLevel: "comment" },
} satisfies Record<string, SpacePlan>;

export type SpaceName = keyof typeof spaces;

/** The rows of the spaces by name. Their stories still change them. */
export type Spaces = Record<SpaceName, RowOf<"Space">>;

/** Adds the spaces. They have no revision yet: their stories give them one. */
export function addSpaces(rows: Rows, tree: Tree): Spaces {
  const entries = Object.entries<SpacePlan>(spaces).map(([name, { of, in: parent, ...fields }]) => {
    const createdAt = of === "harbour" ? at(5, "10:00") : at(63, "10:00");
    // The one date that is not the story's: a week after it, a deleted space is removed for good.
    const deletedAt = name === "website" ? new Date() : null;
    const id = newId("Space");
    const row: RowOf<"Space"> = {
      createdAt,
      updatedAt: createdAt,
      deletedAt,
      revisionId: "",
      ...fields,
      id,
      ...tree.place(of, parent),
    };
    return [name, rows.add("Space", row)] as const;
  });
  return Object.fromEntries(entries) as Spaces; // made from the very names
}

interface GrantPlan {
  readonly of: OrganizationName;
  readonly to: PersonName | { team: TeamName };
  readonly on: { collection: CollectionName } | { space: SpaceName };
  readonly role: Role;
}

const grants: GrantPlan[] = [
  { of: "harbour", to: "ines", on: { space: "wave-buoy" }, role: "edit" },
  { of: "harbour", to: "sam", on: { space: "launch" }, role: "comment" },
  { of: "harbour", to: { team: "writers" }, on: { collection: "product" }, role: "review" },
  { of: "harbour", to: { team: "field" }, on: { collection: "devices" }, role: "comment" },
  { of: "harbour", to: { team: "field" }, on: { space: "runbooks" }, role: "edit" },
  { of: "opentide", to: { team: "maintainers" }, on: { collection: "project" }, role: "admin" },
];

export function addGrants(
  rows: Rows,
  known: { organizations: Organizations; people: People; teams: Teams; tree: Tree; spaces: Spaces },
): void {
  for (const { of, to, on, role } of grants) {
    rows.add("Grant", {
      id: newId("Grant"),
      organizationId: known.organizations[of].id,
      role,
      createdAt: at(166),
      ...(typeof to === "string" ? { userId: known.people[to] } : { teamId: known.teams[to.team] }),
      ...("space" in on ? { spaceId: known.spaces[on.space].id } : { collectionId: known.tree.id(on.collection) }),
    });
  }
}
