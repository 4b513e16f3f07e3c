// Who may do what with the events of installations: admins of the organization in which the integration is installed,
// and nobody else. Not the publisher: what happens there, and what a script logs of it, belongs to the organization.
import type { Viewer } from "#src/access/viewer.ts";
import { type Sql, sql } from "#src/db/connection/database.ts";
import { onOrganization } from "#src/features/organizations/access.ts";

/** The visibility rule of events; the event is `t`. */
export const canSeeIntegrationEvent = (viewer: Viewer): Sql =>
  sql`t."installationId" in (select i.id from "IntegrationInstallation" i where ${isAdministered(viewer)})`;

/** Whether the viewer administers the organization of installation `i`. */
export const isAdministered = ({ adminOf }: Viewer): Sql => sql`i."organizationId" = any(${adminOf}::text[])`;

export const mayRetryIntegrationEvent = onOrganization(
  "admin",
  "integrationEvent.retry",
  "Only an admin of the organization may have an event of an installation there tried again.",
);
