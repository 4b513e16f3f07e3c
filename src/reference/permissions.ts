// The reference of permissions: the actions that features check, and the flags of `permissions` by role.
import { itemRole } from "#src/access/content.ts";
import { roles } from "#src/access/roles.ts";
import { makeViewer } from "#src/access/viewer.ts";
import { changeRequestPermissions } from "#src/features/change-requests/access.ts";
import { collectionPermissions } from "#src/features/collections/access.ts";
import { commentPermissions } from "#src/features/comments/access.ts";
import { features } from "#src/features/index.ts";
import { organizationPermissions } from "#src/features/organizations/access.ts";
import { spacePermissions } from "#src/features/spaces/access.ts";
import type { Reference } from "#src/reference/reference.ts";

/** Who may have a flag without a level or grant of their own. */
export const askerKinds = ["outsider", "guest", ...roles] as const;

/** All actions by name: the feature that checks it, and the message of its FORBIDDEN. */
export function actionFacts() {
  const facts = features.flatMap(({ name: feature, actions = [] }) =>
    actions.map(({ name, refusal }) => ({ name, feature, refusal })),
  );
  return facts.toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

/** All flags, such as `space.edit`, with whether each of {@link askerKinds} has it. */
export function flagFacts(): { readonly flag: string; readonly has: readonly boolean[] }[] {
  const flags = askerKinds.map((kind) => flagsOf(kind));
  return Object.keys(flags[0] ?? {}).map((flag) => ({ flag, has: flags.map((of) => of[flag] ?? false) }));
}

/** The flags of a member of that role, such as `space.edit`; for change requests and comments of somebody else. */
function flagsOf(kind: (typeof askerKinds)[number]): Readonly<Record<string, boolean>> {
  const organizationId = "organization";
  const memberships = kind === "outsider" ? [] : [[organizationId, kind === "guest" ? null : kind] as const];
  const viewer = makeViewer({ userId: "viewer", tokenId: "", memberships, grants: [] });
  const item = { organizationId, inheritedLevel: null, grantedRole: null, isClosed: false };
  const posted = { postedById: "somebody else", role: itemRole(viewer, item) };
  const all = {
    organization: organizationPermissions(viewer, organizationId),
    collection: collectionPermissions(viewer, item),
    space: spacePermissions(viewer, item),
    changeRequest: changeRequestPermissions(viewer, { space: item, createdById: "somebody else" }),
    comment: commentPermissions(viewer, posted),
  };
  return Object.fromEntries(
    Object.entries(all).flatMap(([of, flags]) => Object.entries(flags).map(([flag, may]) => [`${of}.${flag}`, may])),
  ) as Record<string, boolean>; // flags are truth values
}

export const permissionsReference: Reference = {
  path: "/reference/permissions",
  title: "Permissions",
  about: "Every flag of `permissions` by role, and every action that is checked.",
  introduction:
    "Objects have a field `permissions` with a flag for each thing that you may do. A role in an organization applies to everything in it; a level or grant on a collection or space changes it there. [People](/docs/people) explains roles.",
  tables: () => [
    {
      id: "flags",
      title: "Flags by role",
      introduction:
        "The roles of members of the organization, without a level or grant of their own. Guests belong to the organization through a grant alone; outsiders do not belong to it. For change requests and comments the author is another user.",
      columns: ["Flag", ...askerKinds],
      rows: flagFacts().map(({ flag, has }) => ({
        id: flag,
        cells: [`\`${flag}\``, ...has.map((one) => (one ? "yes" : "–"))],
      })),
    },
    {
      id: "actions",
      title: "Actions",
      introduction: "A change that you may not make is refused as `FORBIDDEN` with the message of its action.",
      columns: ["Action", "Feature", "Message"],
      rows: actionFacts().map(({ name, feature, refusal }) => ({
        id: `action-${name}`,
        cells: [`\`${name}\``, feature, refusal],
      })),
    },
  ],
};
