// The feature "grants".
import { actionsIn } from "#src/domain/change.ts";
import * as access from "#src/features/grants/access.ts";
import { keepRoleOfCloser, copyGrantsToHeirs, revokeGrantsOnTransfer } from "#src/features/grants/commands.ts";
import { grantEvents } from "#src/features/grants/events.ts";
import "#src/features/grants/mutations.ts";
import "#src/features/grants/queries.ts";
import "#src/features/grants/subscriptions.ts";
import type { Feature } from "#src/features/feature.ts";

export const grants: Feature = {
  name: "grants",
  routes: [],
  events: [grantEvents],
  actions: actionsIn(access),
  parts: [copyGrantsToHeirs, revokeGrantsOnTransfer, keepRoleOfCloser],
};
