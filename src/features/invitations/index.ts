// The feature "invitations".
import { actionsIn } from "#src/domain/change.ts";
import * as access from "#src/features/invitations/access.ts";
import { invitationEmail, removeOverInvitations } from "#src/features/invitations/commands.ts";
import { invitationEvents, refusalEvents } from "#src/features/invitations/events.ts";
import "#src/features/invitations/mutations.ts";
import "#src/features/invitations/queries.ts";
import "#src/features/invitations/subscriptions.ts";
import { invitationPage } from "#src/features/invitations/http/invitations.ts";
import { inviteLinkPages } from "#src/features/invitations/http/invite-link.ts";
import { signInPages } from "#src/features/invitations/http/sign-in.ts";
import { invitationRoutes } from "#src/features/invitations/routes.ts";
import { invitationPages } from "#src/features/invitations/pages.ts";
import type { Feature } from "#src/features/feature.ts";

export const invitations: Feature = {
  name: "invitations",
  routes: invitationRoutes,
  events: [invitationEvents, refusalEvents],
  actions: actionsIn(access),
  jobs: [
    {
      name: "invitation.remove",
      schedule: "47 3 * * *",
      removesByAge: true,
      run: async ({ database, clock }) => removeOverInvitations(database, clock.now()),
    },
  ],
  emails: [invitationEmail],
  appPages: invitationPages,
  http: (gateway) => [...signInPages(gateway), invitationPage(gateway), ...inviteLinkPages(gateway)],
};
