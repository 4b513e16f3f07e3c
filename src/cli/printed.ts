// The files that are printed from the code, so that every change of an interface shows as a readable diff.
import { lexicographicSortSchema, printSchema } from "graphql";
import { eventTable, permissionTable, roleTable, subscriptionTable } from "#src/cli/tables.ts";
import { features } from "#src/features/index.ts";
import { routeTable } from "#src/rest/description/table.ts";
import { schema } from "#src/schema.ts";

export interface PrintedFile {
  /** Path from the root of the project. */
  readonly path: string;
  readonly content: string;
}

/** Every printed file as the code has it now. */
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
