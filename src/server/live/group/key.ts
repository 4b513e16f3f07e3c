// What makes streams one group: the same operation, the same variables and the same rights; of an account, the account.
import type { Viewer } from "#src/access/viewer.ts";
import { startVariables, type Subscription } from "#src/graph/schema/subscriptions.ts";

/**
 * Equal keys get equal messages. The operation is part of it by identity (`idOf`): the executor keeps one for a text.
 * Variables that only say where the stream begins are left out.
 */
export function groupKey(
  { operation, variables, scope }: Pick<Subscription, "operation" | "variables" | "scope">,
  viewer: Viewer,
  idOf: (operation: object) => number,
): string {
  const starts = startVariables(operation);
  const relevant = Object.entries(variables).filter(([name]) => !starts.has(name));
  const account = scope.by === "actorId" ? scope.ids : []; // all other scopes are named by the operation
  return JSON.stringify([idOf(operation), relevant.toSorted(byName), rightsOf(viewer), account]);
}

/** All rights of a viewer that reads depend on, without who they are: equal texts mean equal rights. */
export function rightsOf({ memberships, grantedIds, grantedRoles, shareKey }: Viewer): string {
  const grants = grantedIds.map((id, index) => [id, grantedRoles[index]] as const);
  return JSON.stringify([[...memberships].toSorted(byName), grants.toSorted(byName), shareKey]);
}

const byName = ([one]: readonly [string, unknown], [other]: readonly [string, unknown]) => (one < other ? -1 : 1);
