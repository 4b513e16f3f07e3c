// Reads installations of integrations, and their rows on spaces and sites.
import { canSeeSpace } from "#src/access/content.ts";
import type { Viewer } from "#src/access/viewer.ts";
import { identifier, type Sql, sql } from "#src/db/connection/database.ts";
import { entity, type Stored } from "#src/db/reading/entity.ts";
import { whenGiven } from "#src/db/reading/filters.ts";
import { byTime } from "#src/db/reading/orders.ts";
import type { PageList } from "#src/db/reading/page-list.ts";
import {
  canSeeInstallation,
  canSeeIntegrationSite,
  canSeeIntegrationSpace,
  mayListIntegrations,
} from "#src/features/integrations/access.ts";
import type { Terms } from "#src/features/integrations/model/terms.ts";
import { runningNumber, termsOf } from "#src/features/integrations/reads/terms.ts";
import { Prisma } from "#src/generated/prisma/client.ts";
import type {
  IntegrationInstallationModel,
  IntegrationSiteModel,
  IntegrationSpaceModel,
} from "#src/generated/prisma/models.ts";

interface InstallationRow extends Omit<Stored<IntegrationInstallationModel>, "lease" | "leaseUntil" | "turnAt"> {
  integrationName: string;
  /** The number of spaces that the viewer sees. */
  spaceCount: number;
  /** The version that runs; null if its runtime has none. */
  version: number | null;
  running: Terms | null;
  agreed: Terms | null;
}

type OfInstallation = { integrationId: string; integrationName: string; organizationId: string };

interface IntegrationSpaceRow extends Stored<IntegrationSpaceModel>, OfInstallation {}
interface IntegrationSiteRow extends Stored<IntegrationSiteModel>, OfInstallation {}

declare module "#src/db/reading/entity.ts" {
  interface Rows {
    IntegrationInstallation: InstallationRow;
    IntegrationSpace: IntegrationSpaceRow;
    IntegrationSite: IntegrationSiteRow;
  }
}

const {
  lease: _lease,
  leaseUntil: _leaseUntil,
  turnAt: _turnAt,
  ...columns
} = Prisma.IntegrationInstallationScalarFieldEnum;

export const installations = entity<InstallationRow, Viewer>({
  kind: "IntegrationInstallation",
  noun: "installation",
  stored: columns,
  derived: {
    integrationName: () => sql`(select n.name from "Integration" n where n.id = t."integrationId")`,
    spaceCount: (viewer) => sql`(select count(*)::int from "IntegrationSpace" x where x."installationId" = t.id
      and x."spaceId" in (select t.id from "Space" t where ${canSeeSpace(viewer)}))`,
    version: () => runningNumber("t"),
    running: () => termsOf("t", runningNumber("t")),
    agreed: () => termsOf("t", sql`t."agreedVersion"`),
  },
  texts: ["configuration", "running", "agreed"],
  visible: canSeeInstallation,
});

const ofInstallation = (column: "integrationId" | "organizationId") => (): Sql =>
  sql`(select ${identifier("i", column)} from "IntegrationInstallation" i where i.id = t."installationId")`;

const derived = {
  integrationId: ofInstallation("integrationId"),
  organizationId: ofInstallation("organizationId"),
  integrationName:
    () => sql`(select n.name from "IntegrationInstallation" i join "Integration" n on n.id = i."integrationId"
    where i.id = t."installationId")`,
};

export const integrationSpaces = entity<IntegrationSpaceRow, Viewer>({
  kind: "IntegrationSpace",
  noun: "installation on a space",
  derived,
  texts: ["configuration"],
  visible: canSeeIntegrationSpace,
});

export const integrationSites = entity<IntegrationSiteRow, Viewer>({
  kind: "IntegrationSite",
  noun: "installation on a site",
  derived,
  texts: ["configuration"],
  visible: canSeeIntegrationSite,
});

interface InstallationFilter {
  /** A name that other services use. */
  readonly externalId?: string | null | undefined;
}

type ListOf<Row extends { id: string }> = PageList<Row, Viewer, InstallationFilter>;

const newestFirst = {
  visible: "by its own rule",
  order: byTime("createdAt", "desc"),
  where: ({ externalId }: InstallationFilter) => whenGiven(externalId, (id) => sql`t."externalIds" @> array[${id}]`),
} as const;

export const installationsOfIntegration: ListOf<InstallationRow> = {
  ...newestFirst,
  entity: installations,
  parent: sql`t."integrationId" = p.id`,
};

export const installationsOfOrganization: ListOf<InstallationRow> = {
  ...newestFirst,
  entity: installations,
  parent: sql`t."organizationId" = p.id`,
  policy: mayListIntegrations,
  visible: "with parent",
};

/** The visible installations of integration `p`, which are the keys of lists. */
const seenInstallations = (viewer: Viewer): Sql => sql`select t.id from "IntegrationInstallation" t
  where t."integrationId" = p.id and ${canSeeInstallation(viewer)}`;

const underIntegration = { ...newestFirst, parent: sql`t."installationId" = k.id`, keys: seenInstallations } as const;
const underInstallation = { ...newestFirst, parent: sql`t."installationId" = p.id` } as const;

export const spacesOfIntegration: ListOf<IntegrationSpaceRow> = { ...underIntegration, entity: integrationSpaces };
export const sitesOfIntegration: ListOf<IntegrationSiteRow> = { ...underIntegration, entity: integrationSites };
export const spacesOfInstallation: ListOf<IntegrationSpaceRow> = { ...underInstallation, entity: integrationSpaces };
export const sitesOfInstallation: ListOf<IntegrationSiteRow> = { ...underInstallation, entity: integrationSites };

export const integrationsOfSpace: ListOf<IntegrationSpaceRow> = {
  ...newestFirst,
  entity: integrationSpaces,
  parent: sql`t."spaceId" = p.id`,
};

export const integrationsOfSite: ListOf<IntegrationSiteRow> = {
  ...newestFirst,
  entity: integrationSites,
  parent: sql`t."siteId" = p.id`,
};
