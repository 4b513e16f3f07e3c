// The feature "grants".
import { actionsIn } from "#src/domain/change.ts";
import * as access from "#src/features/grants/access.ts";
import { keepRoleOfCloser, copyGrantsToHeirs, revokeGrantsOnTransfer } from "#src/features/grants/commands.ts";
import { grantEvents } from "#src/features/grants/events.ts";
import "#src/features/grants/mutations.ts";
import "#src/features/grants/queries.ts";
import "#src/features/grants/subscriptions.ts";
import { grantRoutes } from "#src/features/grants/routes.ts";
import { organizationAccessPage } from "#src/features/grants/pages/organization.ts";
import { spaceAccessPage } from "#src/features/grants/pages/space.ts";
import type { Feature } from "#src/features/feature.ts";

export const grants: Feature = {
  name: "grants",
  routes: grantRoutes,
  events: [grantEvents],
  actions: actionsIn(access),
  appPages: [organizationAccessPage, spaceAccessPage],
  parts: [copyGrantsToHeirs, revokeGrantsOnTransfer, keepRoleOfCloser],
};
