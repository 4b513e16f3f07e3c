// The printed tables of events and actions, in which every change of them shows as a readable diff.
import { changesRights } from "#src/access/rights.ts";
import { audienceOf } from "#src/events/declared.ts";
import { inColumns } from "#src/base/text/columns.ts";
import { deliveriesOf } from "#src/graph/subscriptions.ts";
import type { Feature } from "#src/rest/route.ts";

/**
 * A line for each event type: the feature that writes it, whether it may change rights, who may hear of it, and what
 * delivers it live.
 */
export function eventTable(features: readonly Feature[]): string {
  const rows = features.flatMap(({ name, events = [] }) =>
    events.flatMap(Object.values<(typeof events)[number][string]>).map((type) => {
      const rights = changesRights({ type }) ? "changes rights" : "";
      return [type, name, rights, audienceOf(type), deliveriesOf(type).join(" ")] as const;
    }),
  );
  return inColumns(rows.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

/** One line for each action: the feature that checks it, and what a refusal says. */
export function permissionTable(features: readonly Feature[]): string {
  const rows = features.flatMap(({ name, actions = [] }) =>
    actions.map((action) => [action.name, name, action.refusal] as const),
  );
  return inColumns(rows.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}
