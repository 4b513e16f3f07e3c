// The feature "saml".
import { actionsIn } from "#src/domain/change.ts";
import * as access from "#src/features/saml/access.ts";
import { samlMemberEvents, samlProviderEvents } from "#src/features/saml/events.ts";
import { forgetAnswers } from "#src/features/saml/commands/sign-in.ts";
import "#src/features/saml/mutations.ts";
import "#src/features/saml/queries.ts";
import { samlRoutes } from "#src/features/saml/routes.ts";
import "#src/features/saml/subscriptions.ts";
import { samlHttp } from "#src/features/saml/http.ts";
import { providerPage } from "#src/features/saml/pages/provider.ts";
import { providersPage } from "#src/features/saml/pages/providers.ts";
import type { Feature } from "#src/features/feature.ts";

export const saml: Feature = {
  name: "saml",
  routes: samlRoutes,
  events: [samlProviderEvents, samlMemberEvents],
  actions: actionsIn(access),
  jobs: [
    {
      name: "samlAnswer.forget",
      schedule: "41 2 * * *",
      removesByAge: true,
      async run({ database, clock, log }) {
        const answers = await forgetAnswers(database, clock.now());
        if (answers > 0) log.info({ forgotten: answers }, "Removed expired responses of SAML providers");
      },
    },
  ],
  http: samlHttp,
  appPages: [providersPage, providerPage],
};
