// Who may do what with installations of integrations: members of the organization see them, and its admins make, change
// and remove them. Configurations may hold credentials, and are shown to admins alone.
import { canSeeSpace } from "#src/access/content.ts";
import type { Viewer } from "#src/access/viewer.ts";
import { type Sql, sql } from "#src/db/connection/database.ts";
import type { Action } from "#src/domain/change.ts";
import { type InOrganization, onOrganization, organizationPermissions } from "#src/features/organizations/access.ts";
import { canSeeSite } from "#src/features/sites/access.ts";
import type { IntegrationVisibility } from "#src/generated/prisma/enums.ts";

/** The visibility rule of installations; the installation is `t`. */
export const canSeeInstallation = ({ memberOf }: Viewer): Sql => sql`t."organizationId" = any(${memberOf}::text[])`;

const ofSeenInstallation = (viewer: Viewer): Sql =>
  sql`t."installationId" in (select t.id from "IntegrationInstallation" t where ${canSeeInstallation(viewer)})`;

/** The visibility rule of installations on spaces, for those who see the space, too; the row is `t`. */
export const canSeeIntegrationSpace = (viewer: Viewer): Sql =>
  sql`(${ofSeenInstallation(viewer)} and t."spaceId" in (select t.id from "Space" t where ${canSeeSpace(viewer)}))`;

/** The same of sites. */
export const canSeeIntegrationSite = (viewer: Viewer): Sql =>
  sql`(${ofSeenInstallation(viewer)} and t."siteId" in (select t.id from "Site" t where ${canSeeSite(viewer)}))`;

/** Whether the viewer is shown the configurations of installations in an organization. */
export const mayReadConfigurations = (viewer: Viewer, { organizationId }: InOrganization): boolean =>
  organizationPermissions(viewer, organizationId).admin;

/** An integration that is to be installed in an organization. */
interface Installing extends InOrganization {
  readonly integration: InOrganization & { readonly visibility: IntegrationVisibility };
}

export const mayInstallIntegration: Action<Installing> = {
  name: "integration.install",
  isAllowed: ({ viewer }, { organizationId, integration }) =>
    organizationPermissions(viewer, organizationId).admin &&
    (integration.visibility !== "private" || integration.organizationId === organizationId),
  refusal:
    "Only an admin of an organization may install integrations there, and a private one only in the organization that publishes it.",
};

const onInstallation = (name: Action<InOrganization>["name"]) =>
  onOrganization(
    "admin",
    name,
    "Only an admin of the organization may change the installations of integrations there.",
  );

export const mayUpdateInstallation = onInstallation("integrationInstallation.update");
export const mayPauseInstallation = onInstallation("integrationInstallation.pause");
export const mayResumeInstallation = onInstallation("integrationInstallation.resume");
export const mayUninstallIntegration = onInstallation("integrationInstallation.delete");
export const mayInstallOnSpace = onInstallation("integrationSpace.create");
export const mayUpdateIntegrationSpace = onInstallation("integrationSpace.update");
export const mayUninstallFromSpace = onInstallation("integrationSpace.delete");
export const mayInstallOnSite = onInstallation("integrationSite.create");
export const mayUpdateIntegrationSite = onInstallation("integrationSite.update");
export const mayUninstallFromSite = onInstallation("integrationSite.delete");
