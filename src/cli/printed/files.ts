// The files that are printed from the code, so that every change of an interface shows as a readable diff.
import { changesRights } from "#src/access/audience.ts";
import { inColumns } from "#src/base/text/forms.ts";
import { lexicographicSortSchema, printSchema } from "graphql";
import { audienceOf, auditedEvents, unstreamedEvents } from "#src/events/declared.ts";
import { itemRole } from "#src/access/content.ts";
import { roles } from "#src/access/roles.ts";
import { makeViewer } from "#src/access/viewer.ts";
import { changeRequestPermissions } from "#src/features/change-requests/access.ts";
import { collectionPermissions } from "#src/features/collections/access.ts";
import { commentPermissions } from "#src/features/comments/access.ts";
import { organizationPermissions } from "#src/features/organizations/access.ts";
import { spacePermissions } from "#src/features/spaces/access.ts";
import { deliveries, deliveriesOf } from "#src/graph/schema/subscriptions.ts";
import type { Feature } from "#src/features/feature.ts";
import { features } from "#src/features/index.ts";
import { routeTable } from "#src/rest/route.ts";
import { schema } from "#src/schema.ts";

export interface PrintedFile {
  /** Path from the root of the project. */
  readonly path: string;
  readonly content: string;
}

/** Every printed file as the current code has it. */
export function printedFiles(): PrintedFile[] {
  return [
    { path: "schema.graphql", content: `${printSchema(lexicographicSortSchema(schema))}\n` },
    { path: "test/contract/routes.txt", content: routeTable(features.flatMap(({ routes }) => routes)) },
    { path: "test/contract/events.txt", content: eventTable(features) },
    { path: "test/contract/subscriptions.txt", content: subscriptionTable() },
    { path: "test/contract/permissions.txt", content: permissionTable(features) },
    { path: "test/contract/roles.txt", content: roleTable() },
  ];
}

/** A line for each event type: its feature, whether it changes rights, its audience, the audit log, its streams. */
function eventTable(features: readonly Feature[]): string {
  const rows = features.flatMap(({ name, events = [] }) =>
    events.flatMap(Object.values<(typeof events)[number][string]>).map((type) => {
      const rights = changesRights({ type }) ? "changes rights" : "";
      const audited = auditedEvents.has(type) ? "audited" : "";
      const reason = unstreamedEvents.get(type);
      const streams = [...deliveriesOf(type), ...(reason === undefined ? [] : [`none: ${reason}`])];
      return [type, name, rights, audienceOf(type), audited, streams.join(" ")] as const;
    }),
  );
  return inColumns(rows.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

/** One line for each action: the feature that checks it, and the message of a refusal. */
function permissionTable(features: readonly Feature[]): string {
  const rows = features.flatMap(({ name, actions = [] }) =>
    actions.map((action) => [action.name, name, action.refusal] as const),
  );
  return inColumns(rows.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

/** A line for each type that a subscription delivers: the subscription, the type, and its events. */
function subscriptionTable(): string {
  const rows = deliveries().map(({ subscription, type, of }) => [subscription, type, of.join(" ")] as const);
  const key = ([subscription, type]: readonly string[]) => `${subscription} ${type}`;
  return inColumns(rows.toSorted((one, other) => (key(one) < key(other) ? -1 : 1)));
}

/** The roles that have each flag of `permissions` without a level or grant: outsiders, guests and each role. */
function roleTable(): string {
  const kinds = ["outsider", "guest", ...roles] as const;
  const flags = kinds.map((kind) => flagsOf(kind));
  const cells = (flag: string) => kinds.map((kind, index) => (flags[index]?.[flag] ? kind : "-"));
  return inColumns(Object.keys(flags[0] ?? {}).map((flag) => [flag, ...cells(flag)]));
}

/** The flags of a member with that role, such as `space.edit`; for change requests and comments of other users. */
function flagsOf(kind: "outsider" | "guest" | (typeof roles)[number]): Readonly<Record<string, boolean>> {
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
