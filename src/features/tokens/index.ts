// The feature "tokens".
import { actionsIn } from "#src/domain/change.ts";
import * as access from "#src/features/tokens/access.ts";
import { serviceTokenEvents, tokenEvents } from "#src/features/tokens/events.ts";
import "#src/features/tokens/mutations.ts";
import "#src/features/tokens/type.ts";
import "#src/features/tokens/subscriptions.ts";
import { ownTokensPage } from "#src/features/tokens/pages/account.ts";
import { serviceTokensPage } from "#src/features/tokens/pages/organization.ts";
import type { Feature } from "#src/features/feature.ts";

export const tokens: Feature = {
  name: "tokens",
  routes: [],
  events: [tokenEvents, serviceTokenEvents],
  actions: actionsIn(access),
  appPages: [ownTokensPage, serviceTokensPage],
};
