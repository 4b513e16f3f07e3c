// Reads the events of installations, and their outcomes.
import type { Viewer } from "#src/access/viewer.ts";
import { type Sql, sql } from "#src/db/connection/database.ts";
import { entity, type Stored } from "#src/db/reading/entity.ts";
import { allOf, whenGiven } from "#src/db/reading/filters.ts";
import { byTime } from "#src/db/reading/orders.ts";
import type { PageList } from "#src/db/reading/page-list.ts";
import { canSeeIntegrationEvent, isAdministered } from "#src/features/integrations/access.ts";
import { Prisma } from "#src/generated/prisma/client.ts";
import type { IntegrationEventStatus, IntegrationEventType } from "#src/generated/prisma/enums.ts";
import type { IntegrationEventModel } from "#src/generated/prisma/models.ts";

interface IntegrationEventRow extends Omit<Stored<IntegrationEventModel>, "sequence"> {
  integrationId: string;
  organizationId: string;
}

declare module "#src/db/reading/entity.ts" {
  interface Rows {
    IntegrationEvent: IntegrationEventRow;
  }
}

const { sequence: _sequence, ...columns } = Prisma.IntegrationEventScalarFieldEnum;

const ofInstallation = (column: Sql) => (): Sql =>
  sql`(select ${column} from "IntegrationInstallation" i where i.id = t."installationId")`;

export const integrationEvents = entity<IntegrationEventRow, Viewer>({
  kind: "IntegrationEvent",
  noun: "event",
  stored: columns,
  derived: {
    integrationId: ofInstallation(sql`i."integrationId"`),
    organizationId: ofInstallation(sql`i."organizationId"`),
  },
  texts: ["payload", "logs"],
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

export const eventsOfInstallation: PageList<IntegrationEventRow, Viewer, EventFilter> = {
  ...newestFirst,
  parent: sql`t."installationId" = p.id`,
};

/** To pick an event by its id. */
export const anyOfIntegration: PageList<IntegrationEventRow, Viewer> = {
  ...newestFirst,
  parent: sql`exists (select from "IntegrationInstallation" i where i.id = t."installationId" and i."integrationId" = p.id)`,
};

/**
 * The events of all installations that the viewer administers. Keys are installations, whose events are in list order.
 */
export const eventsOfIntegration: PageList<IntegrationEventRow, Viewer, EventFilter> = {
  ...newestFirst,
  parent: sql`t."installationId" = k.id`,
  keys: (viewer) => sql`select i.id from "IntegrationInstallation" i
    where i."integrationId" = p.id and ${isAdministered(viewer)}`,
};
