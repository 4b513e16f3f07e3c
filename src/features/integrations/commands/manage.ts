// Deleting and developing integrations, and the key that signs what goes to their addresses.
import { sql } from "#src/db/connection/database.ts";
import { change, changeIfAny, type Deleted, deleteIfThere, type Transaction } from "#src/domain/change.ts";
import type { Context } from "#src/domain/context.ts";
import { answersWith } from "#src/domain/idempotency.ts";
import { checkWebAddress } from "#src/domain/input.ts";
import {
  mayDeleteIntegration,
  mayDevelopIntegration,
  mayRotateIntegrationSigningKey,
} from "#src/features/integrations/access.ts";
import {
  integrationIfThere,
  integrationInHand,
  lockedIntegration,
  makeSigningKey,
} from "#src/features/integrations/commands/in-hand.ts";
import type { DomainEvent } from "#src/events/event.ts";
import { eventOf, type Row } from "#src/features/integrations/commands/installations/held.ts";
import { tellEach } from "#src/features/integrations/commands/installations/tell-each.ts";
import {
  developmentEvents,
  installationEvents,
  integrationEvent,
  integrationEvents,
} from "#src/features/integrations/events.ts";

/** An integration by its name. */
export interface Named {
  readonly integrationName: string;
}

/**
 * Deletes an integration with its versions, wherever it is installed. For admins of its organization. Answers null for
 * one that is not there or that the viewer may not see.
 */
export async function deleteIntegration(
  context: Context,
  { integrationName }: Named,
): Promise<Deleted & { organizationId: string | null }> {
  const integration = await integrationIfThere(context, integrationName);
  if (!integration) return { deletedId: null, organizationId: null };
  const { id, organizationId } = integration;
  return answersWith(context, { organizationId }, () =>
    deleteIfThere(context, mayDeleteIntegration, integration, async (transaction) => {
      await transaction.$executeRaw`select from "Integration" where id = ${id} for update`; // none is added meanwhile
      const uninstalled = await uninstallAll(transaction, id);
      const { count } = await transaction.integration.deleteMany({ where: { id } });
      if (count === 0) return null;
      await tellEach(transaction, context, { organizationId, events: uninstalled });
      return integrationEvent(integrationEvents.deleted, integration);
    }),
  );
}

/** Removes all installations of an integration, with what they are on. Answers the events. */
async function uninstallAll(transaction: Transaction, integrationId: string): Promise<DomainEvent[]> {
  const gone = await transaction.$queryRaw<Omit<Row, "level" | "configuration">[]>(sql`
    with gone as (delete from "IntegrationInstallation" i where i."integrationId" = ${integrationId} returning i.*)
    select g.id, g.id as "placeId", g.id as "installationId", g."integrationId", g."organizationId", g.status::text
    from gone g order by g.id`);
  return gone.map((row) => eventOf({ ...row, level: "account", configuration: {} }, installationEvents.deleted));
}

/** What came of it; the signing key where one was made, which is told once. */
interface Developed {
  readonly id: string;
  readonly signingKey: string | null;
}

/**
 * Sends the events of an integration to an address from now on, signed: those of its own organization, or with `all` of
 * every one that allows it. For admins of the organization. NOT_FOUND for an integration that the viewer may not see,
 * INVALID_INPUT for what is no address of the web, CONFLICT where docgraph has no key to seal a signing key with.
 */
export async function setIntegrationDevMode(
  context: Context,
  input: Named & { readonly tunnelUrl: string; readonly all?: boolean | null | undefined },
): Promise<Developed> {
  const tunnelUrl = checkWebAddress("tunnelUrl", input.tunnelUrl);
  const tunnelAll = input.all ?? false;
  const integration = await integrationInHand(context, input.integrationName);
  const { id } = integration;
  return changeIfAny(context, mayDevelopIntegration, integration, async (transaction) => {
    const before = await lockedIntegration(transaction, id);
    if (before.tunnelUrl === tunnelUrl && before.tunnelAll === tunnelAll)
      return { result: { id, signingKey: null }, events: [] };
    const made = before.signingKey ? null : makeSigningKey(context, id);
    const signing = made && { signingKey: made.sealed };
    await transaction.integration.update({ where: { id }, data: { tunnelUrl, tunnelAll, ...signing } });
    const event = integrationEvent(developmentEvents.devModeSet, integration, { all: tunnelAll });
    return { result: { id, signingKey: made?.signingKey ?? null }, events: [event] };
  });
}

/**
 * Ends the development mode of an integration, whether or not it was on. For admins of the organization; NOT_FOUND for
 * an integration that the viewer may not see.
 */
export async function disableIntegrationDevMode(context: Context, { integrationName }: Named): Promise<{ id: string }> {
  const integration = await integrationInHand(context, integrationName);
  const { id } = integration;
  return changeIfAny(context, mayDevelopIntegration, integration, async (transaction) => {
    const where = { id, tunnelUrl: { not: null } };
    const { count } = await transaction.integration.updateMany({ where, data: { tunnelUrl: null, tunnelAll: false } });
    return { result: { id }, events: count > 0 ? [integrationEvent(developmentEvents.devModeEnded, integration)] : [] };
  });
}

/**
 * Makes another key that signs what goes to the addresses of an integration; the one before signs nothing more. For
 * admins of the organization. NOT_FOUND for an integration that the viewer may not see, CONFLICT where docgraph has no
 * key to seal it with.
 */
export async function rotateIntegrationSigningKey(
  context: Context,
  { integrationName }: Named,
): Promise<{ id: string; signingKey: string }> {
  const integration = await integrationInHand(context, integrationName);
  const { id } = integration;
  return change(context, mayRotateIntegrationSigningKey, integration, async (transaction) => {
    await lockedIntegration(transaction, id);
    const { signingKey, sealed } = makeSigningKey(context, id);
    await transaction.integration.update({ where: { id }, data: { signingKey: sealed } });
    const event = integrationEvent(developmentEvents.signingKeyRotated, integration);
    return { result: { id, signingKey }, events: [event] };
  });
}
