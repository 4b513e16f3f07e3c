// Deletes integrations, sets their development mode, and rotates the keys that sign requests to their addresses.
import { found, invalidInput } from "#src/base/errors.ts";
import { project } from "#src/db/reading/entity.ts";
import {
  type Transaction,
  change,
  changeIfAny,
  type Deleted,
  deleteIfThere,
  requireAllowed,
} from "#src/domain/change.ts";
import type { Context } from "#src/domain/context.ts";
import { retryNow } from "#src/features/integrations/commands/runs/retry-now.ts";
import { signingKeyColumn } from "#src/features/integrations/commands/runs/runnable.ts";
import { checkIntegrationName } from "#src/features/integrations/model/manifest/names.ts";
import { newSigningKey } from "#src/features/integrations/model/runs/signing.ts";
import { integrations, listedIntegrations } from "#src/features/integrations/reads.ts";
import type { IntegrationModel } from "#src/generated/prisma/models.ts";
import { sql } from "#src/db/connection/database.ts";
import { answersWith } from "#src/domain/idempotency.ts";
import { checkWebAddress } from "#src/domain/input.ts";
import {
  mayDeleteIntegration,
  mayDevelopIntegration,
  mayRotateIntegrationSigningKey,
} from "#src/features/integrations/access.ts";
import type { DomainEvent } from "#src/events/event.ts";
import { eventOf, type Row } from "#src/features/integrations/commands/installations/installation-row.ts";
import { notifyOrganizations } from "#src/features/integrations/commands/installations/notify-organizations.ts";
import {
  developmentEvents,
  installationEvents,
  integrationEvent,
  integrationEvents,
} from "#src/features/integrations/events.ts";

type NamedIntegration = { readonly id: string; readonly organizationId: string; readonly name: string };

/** The integration of a name; null if the viewer sees none. INVALID_INPUT for an invalid name. */
function findIntegration({ reader }: Context, name: string): Promise<NamedIntegration | null> {
  const request = { key: { name: checkIntegrationName(name) }, projection: project(["organizationId", "name"]) };
  return reader.pick(listedIntegrations, {}, request);
}

/** The integration of a name. NOT_FOUND if the viewer sees none. */
const loadIntegration = async (context: Context, name: string): Promise<NamedIntegration> =>
  found(await findIntegration(context, name), integrations.noun);

/** Locks the row. NOT_FOUND if it was deleted meanwhile. */
async function lockIntegration(transaction: Transaction, id: string): Promise<IntegrationModel> {
  await transaction.$executeRaw`select from "Integration" where id = ${id} for update`;
  return found(await transaction.integration.findUnique({ where: { id } }), integrations.noun);
}

/** A new signing key in plain text and sealed. CONFLICT if the gateway has no key to seal it with. */
export function makeSigningKey({ secrets }: Pick<Context, "secrets">, id: string) {
  const signingKey = newSigningKey();
  return { signingKey, sealed: secrets.seal(signingKeyColumn, id, signingKey) };
}

type Named = { readonly integrationName: string };

/** Deletes an integration with its versions and installations; null if the viewer sees none. For admins. */
export async function deleteIntegration(
  context: Context,
  { integrationName }: Named,
): Promise<Deleted & { organizationId: string | null }> {
  const integration = await findIntegration(context, integrationName);
  if (!integration) return { deletedId: null, organizationId: null };
  const { id, organizationId } = integration;
  return answersWith(context, { organizationId }, () =>
    deleteIfThere(context, mayDeleteIntegration, integration, async (transaction) => {
      // Against concurrent installs.
      await transaction.$executeRaw`select from "Integration" where id = ${id} for update`;
      const uninstalled = await uninstallAll(transaction, id);
      const { count } = await transaction.integration.deleteMany({ where: { id } });
      if (count === 0) return null;
      await notifyOrganizations(transaction, context, { organizationId, events: uninstalled });
      return integrationEvent(integrationEvents.deleted, integration);
    }),
  );
}

/** Removes all installations of an integration, and returns the events. */
async function uninstallAll(transaction: Transaction, integrationId: string): Promise<DomainEvent[]> {
  const gone = await transaction.$queryRaw<Omit<Row, "level" | "configuration">[]>(sql`
    with gone as (delete from "IntegrationInstallation" i where i."integrationId" = ${integrationId} returning i.*)
    select g.id, g.id as "placeId", g.id as "installationId", g."integrationId", g."organizationId", g.status::text
    from gone g order by g.id`);
  return gone.map((row) => eventOf({ ...row, level: "account", configuration: {} }, installationEvents.deleted));
}

interface Developed {
  readonly id: string;
  /** Shown once, when it is created. */
  readonly signingKey: string | null;
}

/** INVALID_INPUT for an address that events could never be sent to. */
async function requireReachable({ scripts }: Context, tunnelUrl: string): Promise<void> {
  if (!scripts || (await scripts.tunnels.mayReach(tunnelUrl))) return;
  throw invalidInput(
    "tunnelUrl",
    "must be the address of a public server, or of a host that ALLOWED_FETCH_HOSTS lists. Outside of production (NODE_ENV) it may also be on the machine of the gateway.",
  );
}

/** NOT_FOUND, INVALID_INPUT for the address, CONFLICT if the gateway has no key to seal a signing key with. */
export async function setIntegrationDevMode(
  context: Context,
  input: Named & { readonly tunnelUrl: string; readonly all?: boolean | null | undefined },
): Promise<Developed> {
  const tunnelUrl = checkWebAddress("tunnelUrl", input.tunnelUrl);
  const tunnelAll = input.all ?? false;
  const integration = await loadIntegration(context, input.integrationName);
  await requireAllowed(context, mayDevelopIntegration, integration); // before a name is looked up for anybody
  await requireReachable(context, tunnelUrl);
  const { id } = integration;
  return changeIfAny(context, mayDevelopIntegration, integration, async (transaction) => {
    const before = await lockIntegration(transaction, id);
    if (before.tunnelUrl === tunnelUrl && before.tunnelAll === tunnelAll)
      return { result: { id, signingKey: null }, events: [] };
    const made = before.signingKey ? null : makeSigningKey(context, id);
    const signing = made && { signingKey: made.sealed };
    await transaction.integration.update({ where: { id }, data: { tunnelUrl, tunnelAll, ...signing } });
    await retryNow(transaction, context, sql`i."integrationId" = ${id}`);
    const event = integrationEvent(developmentEvents.devModeSet, integration, { all: tunnelAll });
    return { result: { id, signingKey: made?.signingKey ?? null }, events: [event] };
  });
}

/** Works whether or not it was on. NOT_FOUND unless the viewer sees the integration. */
export async function disableIntegrationDevMode(context: Context, { integrationName }: Named): Promise<{ id: string }> {
  const integration = await loadIntegration(context, integrationName);
  const { id } = integration;
  return changeIfAny(context, mayDevelopIntegration, integration, async (transaction) => {
    const where = { id, tunnelUrl: { not: null } };
    const { count } = await transaction.integration.updateMany({ where, data: { tunnelUrl: null, tunnelAll: false } });
    if (count === 0) return { result: { id }, events: [] };
    await retryNow(transaction, context, sql`i."integrationId" = ${id}`);
    return { result: { id }, events: [integrationEvent(developmentEvents.devModeEnded, integration)] };
  });
}

/** NOT_FOUND unless the viewer sees it, CONFLICT if the gateway has no key to seal it with. */
export async function rotateIntegrationSigningKey(
  context: Context,
  { integrationName }: Named,
): Promise<{ id: string; signingKey: string }> {
  const integration = await loadIntegration(context, integrationName);
  const { id } = integration;
  return change(context, mayRotateIntegrationSigningKey, integration, async (transaction) => {
    await lockIntegration(transaction, id);
    const { signingKey, sealed } = makeSigningKey(context, id);
    await transaction.integration.update({ where: { id }, data: { signingKey: sealed } });
    const event = integrationEvent(developmentEvents.signingKeyRotated, integration);
    return { result: { id, signingKey }, events: [event] };
  });
}
