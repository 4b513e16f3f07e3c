// Reads integrations and their versions.
import type { Viewer } from "#src/access/viewer.ts";
import { allOf, containsText, whenGiven } from "#src/db/reading/filters.ts";
import { type Database, sql } from "#src/db/connection/database.ts";
import { entity, type Stored } from "#src/db/reading/entity.ts";
import { byText } from "#src/db/reading/orders.ts";
import type { PageList } from "#src/db/reading/page-list.ts";
import {
  canSeeIntegration,
  canSeeWithIntegration,
  isListed,
  mayListIntegrations,
} from "#src/features/integrations/access.ts";
import { Prisma } from "#src/generated/prisma/client.ts";
import type { IntegrationTarget } from "#src/generated/prisma/enums.ts";
import type { IntegrationModel, IntegrationVersionModel } from "#src/generated/prisma/models.ts";

interface IntegrationRow extends Omit<Stored<IntegrationModel>, "secrets" | "signingKey"> {}

/** Sealed columns are read for runs only. */
const { secrets: _secrets, signingKey: _signingKey, ...columns } = Prisma.IntegrationScalarFieldEnum;

interface IntegrationVersionRow extends Stored<IntegrationVersionModel> {
  /** The publisher. */
  organizationId: string;
}

declare module "#src/db/reading/entity.ts" {
  interface Rows {
    Integration: IntegrationRow;
    IntegrationVersion: IntegrationVersionRow;
  }
}

export const integrations = entity<IntegrationRow, Viewer>({
  kind: "Integration",
  stored: columns,
  texts: ["summary"],
  visible: canSeeIntegration,
});

/** The filters of lists; all given ones have to hold. */
export interface IntegrationFilter {
  /** Text anywhere in the name, in any letter case. */
  readonly search?: string | null | undefined;
  readonly category?: string | null | undefined;
  /** With a block for one of these hosts. */
  readonly blockDomains?: readonly string[] | null | undefined;
  readonly hasBlocks?: boolean | null | undefined;
  readonly hasContentSources?: boolean | null | undefined;
  readonly scope?: string | null | undefined;
  readonly target?: IntegrationTarget | null | undefined;
}

const isFiltered = ({ search, category, blockDomains, scope, ...given }: IntegrationFilter) =>
  allOf(
    whenGiven(search, (text) => containsText(sql`t."name"`, text)),
    whenGiven(category, (one) => sql`t."categories" @> array[${one}]`),
    whenGiven(blockDomains, (hosts) => sql`t."blockDomains" && ${hosts}::text[]`),
    whenGiven(given.hasBlocks, (has) => sql`t."hasBlocks" = ${has}`),
    whenGiven(given.hasContentSources, (has) => sql`t."hasContentSources" = ${has}`),
    whenGiven(scope, (one) => sql`t."scopes" @> array[${one}]`),
    whenGiven(given.target, (one) => sql`t."target" = ${one}::"IntegrationTarget"`),
  );

/** All integrations that the viewer finds without their names. An unlisted one can still be picked. */
export const listedIntegrations: PageList<
  IntegrationRow,
  Viewer,
  IntegrationFilter & { readonly organizationId?: string | null | undefined },
  object
> = {
  entity: integrations,
  under: ({ userId }) => userId,
  parent: sql`p.id is not null`,
  visible: "by its own rule",
  order: byText("name"),
  where: ({ organizationId, ...filter }, viewer) =>
    allOf(
      isListed(viewer),
      whenGiven(organizationId, (id) => sql`t."organizationId" = ${id}`),
      isFiltered(filter),
    ),
};

export const integrationsOfOrganization: PageList<IntegrationRow, Viewer, IntegrationFilter> = {
  entity: integrations,
  parent: sql`t."organizationId" = p.id`,
  policy: mayListIntegrations,
  visible: "with parent",
  order: byText("name"),
  where: isFiltered,
};

export const integrationVersions = entity<IntegrationVersionRow, Viewer>({
  kind: "IntegrationVersion",
  noun: "version of the integration",
  derived: {
    organizationId: () => sql`(select i."organizationId" from "Integration" i where i.id = t."integrationId")`,
  },
  visible: canSeeWithIntegration,
});

export const versionsOfIntegration: PageList<IntegrationVersionRow, Viewer> = {
  entity: integrationVersions,
  parent: sql`t."integrationId" = p.id`,
  visible: "with parent",
  order: { name: "number", key: sql`t."number"`, type: "int4", direction: "desc" },
};

/** Whether an image of these bytes is one of the integration. Rights are not checked. */
export async function hasImage(database: Database, id: string, hash: string): Promise<boolean> {
  const rows = await database.query(
    sql`select t.id from "Integration" t where t.id = ${id} and t.blobs @> array[${hash}]`,
  );
  return rows.length > 0;
}
