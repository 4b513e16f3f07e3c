// The feature "organizations".
import { actionsIn } from "#src/domain/change.ts";
import * as access from "#src/features/organizations/access.ts";
import { visitorKeySecret } from "#src/features/organizations/commands/visit.ts";
import {
  emailDomainEvents,
  organizationEvents,
  presenceEvents,
  visitorKeyEvents,
} from "#src/features/organizations/events.ts";
import "#src/features/organizations/mutations.ts";
import "#src/features/organizations/queries.ts";
import "#src/features/organizations/subscriptions.ts";
import { organizationAdditions, organizationRoutes } from "#src/features/organizations/routes.ts";
import { overviewPage } from "#src/features/organizations/pages/overview.ts";
import { settingsPage } from "#src/features/organizations/pages/settings.ts";
import { sql } from "#src/db/connection/database.ts";
import type { Feature } from "#src/features/feature.ts";
import { findPreview } from "#src/features/organizations/reads.ts";
import { listValues } from "#src/http/app-pages.ts";
import { html } from "#src/http/html.ts";
import { checkDueEmailDomains } from "#src/features/organizations/commands/email-domains.ts";

export const organizations: Feature = {
  name: "organizations",
  routes: [...organizationRoutes, ...organizationAdditions],
  events: [organizationEvents, presenceEvents, emailDomainEvents, visitorKeyEvents],
  actions: actionsIn(access),
  queues: [
    {
      name: "email domains",
      oldest: sql`select min("dueAt") from "EmailDomain" where "dueAt" <= now()`,
    },
  ],
  jobs: [
    {
      name: "organization.checkEmailDomains",
      schedule: "*/5 * * * *",
      async run(context) {
        const unanswered = await checkDueEmailDomains(context);
        if (unanswered > 0) context.log.warn({ domains: unanswered }, "DNS lookups of e-mail domains failed");
      },
    },
  ],
  secrets: [visitorKeySecret],
  appPages: [overviewPage, settingsPage],
  pages: [
    {
      path: "orgs/:org",
      async find(context, { org: id = "" }) {
        const preview = await findPreview(context, id);
        if (!preview) return null;
        const { title, hostname, logoURL } = preview;
        const values = Object.entries({ id, title, hostname, ...(logoURL !== null && { logo: logoURL }) });
        return {
          status: 200,
          title,
          body: html`<p>Organization</p>
            ${listValues(values)}`,
        };
      },
    },
  ],
};
