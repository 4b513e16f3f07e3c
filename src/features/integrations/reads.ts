// Reads integrations, their versions, and the events of installations.
import type { Viewer } from "#src/access/viewer.ts";
import { allOf, containsText, whenGiven } from "#src/db/reading/filters.ts";
import { type Database, sql, type Sql } from "#src/db/connection/database.ts";
import { entity, type Stored } from "#src/db/reading/entity.ts";
import { byNumber, byText, byTime } from "#src/db/reading/orders.ts";
import type { PageList } from "#src/db/reading/page-list.ts";
import {
  canSeeIntegration,
  canSeeWithIntegration,
  isListed,
  mayListIntegrations,
  canSeeIntegrationEvent,
  isAdministered,
} from "#src/features/integrations/access.ts";
import { Prisma } from "#src/generated/prisma/client.ts";
import type { IntegrationTarget, IntegrationEventStatus, IntegrationEventType } from "#src/generated/prisma/enums.ts";
import type { IntegrationModel, IntegrationVersionModel, IntegrationEventModel } from "#src/generated/prisma/models.ts";

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

/** The filters of lists, combined by AND. */
interface IntegrationFilter {
  /** Text anywhere in the name, case-insensitive. */
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

/** All integrations that are listed for the viewer. An unlisted one can still be picked by its name. */
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
  order: byNumber,
};

/** Whether an image of these bytes is one of the integration. Rights are not checked. */
export async function hasImage(database: Database, id: string, hash: string): Promise<boolean> {
  const rows = await database.query(
    sql`select t.id from "Integration" t where t.id = ${id} and t.blobs @> array[${hash}]`,
  );
  return rows.length > 0;
}

interface IntegrationEventRow extends Omit<Stored<IntegrationEventModel>, "sequence"> {
  integrationId: string;
  organizationId: string;
  /** The event that is delivered next to its installation; null once it was handled. */
  next: NextEvent | null;
}

/** `at` is the earliest time of its delivery. */
interface NextEvent extends Pick<IntegrationEventModel, "id" | "type"> {
  readonly at: string;
}

declare module "#src/db/reading/entity.ts" {
  interface Rows {
    IntegrationEvent: IntegrationEventRow;
  }
}

const { sequence: _sequence, ...eventColumns } = Prisma.IntegrationEventScalarFieldEnum;

const ofInstallation = (column: Sql) => (): Sql =>
  sql`(select ${column} from "IntegrationInstallation" i where i.id = t."installationId")`;

export const integrationEvents = entity<IntegrationEventRow, Viewer>({
  kind: "IntegrationEvent",
  noun: "event",
  stored: eventColumns,
  derived: {
    integrationId: ofInstallation(sql`i."integrationId"`),
    organizationId: ofInstallation(sql`i."organizationId"`),
    next: () => sql`(select json_build_object('id', e.id, 'type', e.type, 'at', e."nextTryAt")
      from "IntegrationEvent" e where t.status = 'pending' and e."installationId" = t."installationId"
        and e.status = 'pending' order by e.sequence limit 1)`,
  },
  texts: ["payload", "logs", "next"],
  visible: canSeeIntegrationEvent,
});

interface EventFilter {
  readonly status?: IntegrationEventStatus | null | undefined;
  readonly type?: IntegrationEventType | null | undefined;
}

const newestFirst = {
  entity: integrationEvents,
  visible: "by its own rule",
  order: byTime("createdAt", "desc"),
  where: ({ status, type }: EventFilter) =>
    allOf(
      whenGiven(status, (one) => sql`t.status = ${one}::"IntegrationEventStatus"`),
      whenGiven(type, (one) => sql`t.type = ${one}::"IntegrationEventType"`),
    ),
} as const;

type EventList = PageList<IntegrationEventRow, Viewer, EventFilter>;

export const eventsOfInstallation: EventList = { ...newestFirst, parent: sql`t."installationId" = p.id` };

/** To pick an event by its id. */
export const anyOfIntegration: PageList<IntegrationEventRow, Viewer> = {
  ...newestFirst,
  parent: sql`exists (select from "IntegrationInstallation" i where i.id = t."installationId" and i."integrationId" = p.id)`,
};

/** Keys are the installations that the viewer administers, whose events are in list order. */
export const eventsOfIntegration: EventList = {
  ...newestFirst,
  parent: sql`t."installationId" = k.id`,
  keys: (viewer) => sql`select i.id from "IntegrationInstallation" i
    where i."integrationId" = p.id and ${isAdministered(viewer)}`,
};
