// The feature "oidc".
import { actionsIn } from "#src/domain/change.ts";
import * as access from "#src/features/oidc/access.ts";
import { forgetUses } from "#src/features/oidc/commands/sign-out.ts";
import { oidcMemberEvents, oidcProviderEvents } from "#src/features/oidc/events.ts";
import { oidcHttp } from "#src/features/oidc/http.ts";
import "#src/features/oidc/mutations.ts";
import "#src/features/oidc/queries.ts";
import { openIdProviderPage } from "#src/features/oidc/pages/provider.ts";
import { newOpenIdProviderPage } from "#src/features/oidc/pages/new-provider.ts";
import { clientSecretColumn, idTokenColumn } from "#src/features/oidc/reads.ts";
import "#src/features/oidc/subscriptions.ts";
import type { Feature } from "#src/features/feature.ts";

export const oidc: Feature = {
  name: "oidc",
  routes: [],
  events: [oidcProviderEvents, oidcMemberEvents],
  actions: actionsIn(access),
  secrets: [clientSecretColumn, idTokenColumn],
  jobs: [
    {
      name: "oidcUse.forget",
      schedule: "43 2 * * *",
      removesByAge: true,
      async run({ database, clock, log }) {
        const uses = await forgetUses(database, clock.now());
        if (uses > 0) log.info({ forgotten: uses }, "Removed expired sign-ins of OpenID providers");
      },
    },
  ],
  http: oidcHttp,
  appPages: [newOpenIdProviderPage, openIdProviderPage],
};
