// The feature "invitations".
import { actionsIn } from "#src/domain/change.ts";
import * as access from "#src/features/invitations/access.ts";
import { invitationEmail } from "#src/features/invitations/commands.ts";
import { invitationEvents, refusalEvents } from "#src/features/invitations/events.ts";
import { invitationJobs } from "#src/features/invitations/jobs.ts";
import "#src/features/invitations/mutations.ts";
import "#src/features/invitations/queries.ts";
import "#src/features/invitations/subscriptions.ts";
import { invitationPage } from "#src/features/invitations/http/invitations.ts";
import { signInPages } from "#src/features/invitations/http/sign-in.ts";
import type { Feature } from "#src/features/feature.ts";

export const invitations: Feature = {
  name: "invitations",
  routes: [],
  events: [invitationEvents, refusalEvents],
  actions: actionsIn(access),
  jobs: invitationJobs,
  emails: [invitationEmail],
  http: (gateway) => [...signInPages(gateway), invitationPage(gateway)],
};
