// Who may see integrations: everybody who is signed in finds the public ones, and those that are unlisted by their name
// or id; private ones are for members of the organization that publishes them, who are no guests.
import type { Viewer } from "#src/access/viewer.ts";
import { type Sql, sql } from "#src/db/connection/database.ts";
import {
  type InOrganization,
  onOrganization,
  organizationGuard,
  organizationPermissions,
} from "#src/features/organizations/access.ts";
import type { IntegrationVisibility } from "#src/generated/prisma/enums.ts";

const isPublishedBy = ({ memberOf }: Viewer): Sql => sql`t."organizationId" = any(${memberOf}::text[])`;

/** The visibility rule of integrations; the integration is `t`. */
export const canSeeIntegration = (viewer: Viewer): Sql =>
  sql`(t."visibility" <> 'private' or ${isPublishedBy(viewer)})`;

/** Whether the list of all integrations has integration `t`, which the viewer may see. */
export const isListed = (viewer: Viewer): Sql => sql`(t."visibility" = 'public' or ${isPublishedBy(viewer)})`;

export const mayListIntegrations = organizationGuard(
  "listIntegrations",
  "Guests may not see the integrations of an organization.",
);

/**
 * The flags of an integration that was read. Admins install it in their organizations, a private one in that which
 * publishes it.
 */
export function integrationPermissions(
  viewer: Viewer,
  { organizationId, visibility }: InOrganization & { readonly visibility: IntegrationVisibility },
) {
  const isAdmin = (id: string) => organizationPermissions(viewer, id).admin;
  const admin = isAdmin(organizationId);
  return { admin, install: visibility === "private" ? admin : [...viewer.memberships.keys()].some(isAdmin) };
}

/** The visibility rule of versions, which are seen with their integration; the version is `t`. */
export const canSeeWithIntegration = (viewer: Viewer): Sql =>
  sql`t."integrationId" in (select t.id from "Integration" t where ${canSeeIntegration(viewer)})`;

const refusal = "Only an admin of the organization may publish its integrations, develop them and delete them.";

export const mayPublishIntegration = onOrganization("admin", "integration.publish", refusal);
export const mayDeleteIntegration = onOrganization("admin", "integration.delete", refusal);
export const mayDevelopIntegration = onOrganization("admin", "integration.develop", refusal);
export const mayRotateIntegrationSigningKey = onOrganization("admin", "integration.rotateSigningKey", refusal);
