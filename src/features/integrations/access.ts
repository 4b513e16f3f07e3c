// Access to integrations, which all users see except private ones, and to installations, which members see. Only admins
// see configurations, which may hold credentials, and events. `canSee…` are the visibility rules of rows `t`.
import type { Viewer } from "#src/access/viewer.ts";
import { emptySql, type Sql, sql } from "#src/db/connection/database.ts";
import {
  type InOrganization,
  onOrganization,
  organizationGuard,
  organizationPermissions,
} from "#src/features/organizations/access.ts";
import type { IntegrationVisibility } from "#src/generated/prisma/enums.ts";
import { canSeeSpace } from "#src/access/content.ts";
import type { Action } from "#src/domain/change.ts";
import { canSeeSite } from "#src/features/sites/access.ts";

const isPublishedBy = ({ memberOf }: Viewer): Sql => sql`t."organizationId" = any(${memberOf}::text[])`;

/** An installation sees its own integration. */
export const canSeeIntegration = (viewer: Viewer): Sql =>
  sql`(t."visibility" <> 'private' or ${isPublishedBy(viewer)}${isOwn(sql`t.id`, viewer.installation?.integrationId)})`;

const isOwn = (id: Sql, own: string | undefined): Sql => (own === undefined ? emptySql : sql` or ${id} = ${own}`);

/** Whether the list of all integrations has a visible integration `t`. */
export const isListed = (viewer: Viewer): Sql => sql`(t."visibility" = 'public' or ${isPublishedBy(viewer)})`;

export const mayListIntegrations = organizationGuard(
  "listIntegrations",
  "Guests may not see the integrations of an organization.",
);

/** The flags of a visible integration. A private one is installed only in the organization that publishes it. */
export function integrationPermissions(
  viewer: Viewer,
  { organizationId, visibility }: InOrganization & { readonly visibility: IntegrationVisibility },
) {
  const isAdmin = (id: string) => organizationPermissions(viewer, id).admin;
  const admin = isAdmin(organizationId);
  return { admin, install: visibility === "private" ? admin : [...viewer.memberships.keys()].some(isAdmin) };
}

export const canSeeWithIntegration = (viewer: Viewer): Sql =>
  sql`t."integrationId" in (select t.id from "Integration" t where ${canSeeIntegration(viewer)})`;

const refusal = "Only an admin of the organization may publish, develop and delete its integrations.";

export const mayPublishIntegration = onOrganization("admin", "integration.publish", refusal);
export const mayDeleteIntegration = onOrganization("admin", "integration.delete", refusal);
export const mayDevelopIntegration = onOrganization("admin", "integration.develop", refusal);
export const mayRotateIntegrationSigningKey = onOrganization("admin", "integration.rotateSigningKey", refusal);

/** An installation sees itself. */
export const canSeeInstallation = ({ memberOf, installation }: Viewer): Sql =>
  sql`(t."organizationId" = any(${memberOf}::text[])${isOwn(sql`t.id`, installation?.id)})`;

const ofSeenInstallation = (viewer: Viewer): Sql =>
  sql`t."installationId" in (select t.id from "IntegrationInstallation" t where ${canSeeInstallation(viewer)})`;

/** The visibility rule of installations on spaces `t`, for viewers who also see the space. */
export const canSeeIntegrationSpace = (viewer: Viewer): Sql =>
  sql`(${ofSeenInstallation(viewer)} and t."spaceId" in (select t.id from "Space" t where ${canSeeSpace(viewer)}))`;

/** The visibility rule of installations on sites `t`, for viewers who also see the site. */
export const canSeeIntegrationSite = (viewer: Viewer): Sql =>
  sql`(${ofSeenInstallation(viewer)} and t."siteId" in (select t.id from "Site" t where ${canSeeSite(viewer)}))`;

interface OfInstallation extends InOrganization {
  readonly id: string;
  /** Of an installation on a space or site. */
  readonly installationId?: string;
}

/** Admins, and the installation itself. */
export const mayReadConfigurations = (viewer: Viewer, row: OfInstallation): boolean =>
  organizationPermissions(viewer, row.organizationId).admin || isInstallation(viewer, row);

const isInstallation = ({ installation }: Viewer, { id, installationId = id }: OfInstallation): boolean =>
  installation?.id === installationId;

interface Installing extends InOrganization {
  readonly integration: InOrganization & { readonly visibility: IntegrationVisibility };
}

export const mayInstallIntegration: Action<Installing> = {
  name: "integration.install",
  isAllowed: ({ viewer }, { organizationId, integration }) =>
    organizationPermissions(viewer, organizationId).admin &&
    (integration.visibility !== "private" || integration.organizationId === organizationId),
  refusal:
    "Only an admin of an organization may install integrations there; a private integration can only be installed in the organization that publishes it.",
};

const onInstallation = (name: Action<InOrganization>["name"]) =>
  onOrganization("admin", name, "Only an admin of the organization may change its installations of integrations.");

const configurable = (name: Action<OfInstallation>["name"]): Action<OfInstallation> => ({
  name,
  isAllowed: ({ viewer }, row) => mayReadConfigurations(viewer, row),
  refusal: "Only an admin of the organization, and the installation itself, may change its settings.",
});

export const mayUpdateInstallation = configurable("integrationInstallation.update");
export const mayPauseInstallation = onInstallation("integrationInstallation.pause");
export const mayResumeInstallation = onInstallation("integrationInstallation.resume");
export const mayUninstallIntegration = onInstallation("integrationInstallation.delete");
export const mayInstallOnSpace = onInstallation("integrationSpace.create");
export const mayUpdateIntegrationSpace = configurable("integrationSpace.update");
export const mayUninstallFromSpace = onInstallation("integrationSpace.delete");
export const mayInstallOnSite = onInstallation("integrationSite.create");
export const mayUpdateIntegrationSite = configurable("integrationSite.update");
export const mayUninstallFromSite = onInstallation("integrationSite.delete");

export const canSeeIntegrationEvent = (viewer: Viewer): Sql =>
  sql`t."installationId" in (select i.id from "IntegrationInstallation" i where ${isAdministered(viewer)})`;

/** Whether the viewer administers the organization of installation `i`. */
export const isAdministered = ({ adminOf }: Viewer): Sql => sql`i."organizationId" = any(${adminOf}::text[])`;

export const mayRetryIntegrationEvent = onOrganization(
  "admin",
  "integrationEvent.retry",
  "Only an admin of the organization may retry events of its installations.",
);
