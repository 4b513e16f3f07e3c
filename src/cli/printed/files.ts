// The files that are printed from the code, so that every change of an interface shows as a readable diff.
import { lexicographicSortSchema, printSchema } from "graphql";
import { inColumns } from "#src/base/text/forms.ts";
import { audienceOf } from "#src/events/declared.ts";
import { features } from "#src/features/index.ts";
import { deliveries } from "#src/graph/schema/subscriptions.ts";
import { eventFacts } from "#src/reference/events.ts";
import { actionFacts, askerKinds, flagFacts } from "#src/reference/permissions.ts";
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
    { path: "test/contract/events.txt", content: eventTable() },
    { path: "test/contract/subscriptions.txt", content: subscriptionTable() },
    { path: "test/contract/permissions.txt", content: permissionTable() },
    { path: "test/contract/roles.txt", content: roleTable() },
  ];
}

/** A line for each event type: its feature, whether it changes rights, its audience, the audit log, its streams. */
function eventTable(): string {
  const rows = eventFacts().map(({ type, feature, unstreamed, ...facts }) => {
    const rights = facts.changesRights ? "changes rights" : "";
    const streams = [...facts.deliveries, ...(unstreamed === undefined ? [] : [`none: ${unstreamed}`])];
    return [type, feature, rights, audienceOf(type), facts.isAudited ? "audited" : "", streams.join(" ")] as const;
  });
  return inColumns(rows);
}

/** One line for each action: the feature that checks it, and the message of a refusal. */
const permissionTable = (): string =>
  inColumns(actionFacts().map(({ name, feature, refusal }) => [name, feature, refusal]));

/** A line for each type that a subscription delivers: the subscription, the type, and its events. */
function subscriptionTable(): string {
  const rows = deliveries().map(({ subscription, type, of }) => [subscription, type, of.join(" ")] as const);
  const key = ([subscription, type]: readonly string[]) => `${subscription} ${type}`;
  return inColumns(rows.toSorted((one, other) => (key(one) < key(other) ? -1 : 1)));
}

/** The roles that have each flag of `permissions` without a level or grant: outsiders, guests and each role. */
const roleTable = (): string =>
  inColumns(flagFacts().map(({ flag, has }) => [flag, ...askerKinds.map((kind, index) => (has[index] ? kind : "-"))]));
