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
import { organizationJobs } from "#src/features/organizations/jobs.ts";
import "#src/features/organizations/mutations.ts";
import "#src/features/organizations/queries.ts";
import "#src/features/organizations/subscriptions.ts";
import { organizationRoutes } from "#src/features/organizations/routes.ts";
import { organizationPages } from "#src/features/organizations/pages.ts";
import type { Feature } from "#src/features/feature.ts";

export const organizations: Feature = {
  name: "organizations",
  routes: organizationRoutes,
  events: [organizationEvents, presenceEvents, emailDomainEvents, visitorKeyEvents],
  actions: actionsIn(access),
  jobs: organizationJobs,
  secrets: [visitorKeySecret],
  pages: organizationPages,
};
