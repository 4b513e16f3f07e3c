// Commands that add, change and delete OpenID providers. The configuration of a provider is read before it is stored.
import { endSessions } from "#src/access/sessions.ts";
import { invalidInput, notFound } from "#src/base/errors.ts";
import { newId } from "#src/base/ids.ts";
import { project } from "#src/db/reading/entity.ts";
import {
  change,
  changeIfAny,
  type Deleted,
  deleteIfThere,
  requireAllowed,
  type Transaction,
} from "#src/domain/change.ts";
import type { Context } from "#src/domain/context.ts";
import { checkLine, checkWebAddress, given, ifGiven, type Optional } from "#src/domain/input.ts";
import { enumValue, settingChanges } from "#src/events/event.ts";
import { mayCreateOidcProvider, mayDeleteOidcProvider, mayUpdateOidcProvider } from "#src/features/oidc/access.ts";
import { readConfiguration } from "#src/features/oidc/commands/client.ts";
import { oidcProviderEvents } from "#src/features/oidc/events.ts";
import { OidcError } from "#src/features/oidc/commands/errors.ts";
import { oidcLimits } from "#src/features/oidc/model/limits.ts";
import { clientSecretColumn, oidcProviders } from "#src/features/oidc/reads.ts";
import { organizations } from "#src/features/organizations/reads.ts";
import { keepTeam } from "#src/features/saml/commands/people.ts";
import type { Role } from "#src/generated/prisma/enums.ts";

/** Settings of a provider; null clears them. */
type Settings = Optional<{ clientSecret: string; defaultTeamId: string; defaultRole: Role }>;

type Identity = { readonly label: string; readonly issuer: string; readonly clientId: string };

type ProviderPlace = { readonly organizationId: string; readonly oidcProviderId: string };

const checkLabel = (label: string) => checkLine("label", label, oidcLimits.label);
const checkClientId = (id: string) => checkLine("clientId", id, oidcLimits.clientId);
const checkSecret = (secret: string) => checkLine("clientSecret", secret, oidcLimits.clientSecret);

/** INVALID_INPUT unless the configuration of an OpenID provider is found below the address. */
async function checkIssuer({ fetch }: Context, text: string): Promise<string> {
  const issuer = checkWebAddress("issuer", text);
  try {
    await readConfiguration(fetch, { issuer, clientId: "docgraph", clientSecret: null, label: "" });
  } catch (error) {
    if (error instanceof OidcError)
      throw invalidInput("issuer", `is not the issuer of a usable provider: ${error.message}.`);
    throw error;
  }
  return issuer;
}

const sealed = ({ secrets }: Context, id: string, secret: string | null | undefined) =>
  secret == null ? secret : secrets.seal(clientSecretColumn, id, checkSecret(secret));

/** INVALID_INPUT for invalid settings, and for an issuer whose configuration cannot be read. */
export async function createOidcProvider(
  context: Context,
  input: { readonly organizationId: string } & Identity & Settings,
): Promise<{ id: string }> {
  const { id: organizationId } = await context.reader.found(organizations, input.organizationId, project([]));
  await requireAllowed(context, mayCreateOidcProvider, { organizationId });
  const id = newId("OidcProvider");
  const { defaultTeamId, defaultRole } = input;
  const own = { label: checkLabel(input.label), clientId: checkClientId(input.clientId) };
  const clientSecret = sealed(context, id, input.clientSecret);
  const data = { ...own, issuer: await checkIssuer(context, input.issuer) };
  const createdAt = context.clock.now();
  return change(context, mayCreateOidcProvider, { organizationId }, async (transaction) => {
    await keepTeam(transaction, organizationId, defaultTeamId);
    const settings = given({ clientSecret, defaultTeamId, defaultRole });
    await transaction.oidcProvider.create({ data: { id, organizationId, createdAt, ...data, ...settings } });
    const payload = { label: data.label };
    return { result: { id }, events: [{ type: oidcProviderEvents.created, subjectId: id, organizationId, payload }] };
  });
}

/** Events only contain that the secret has changed. */
const auditedColumns = {
  label: "label",
  issuer: "issuer",
  clientId: "clientId",
  defaultTeamId: "defaultTeamId",
  defaultRole: ["defaultRole", enumValue],
} as const;

/** Changes the given settings. Another issuer or client makes it another provider, with other subjects. */
export async function updateOidcProvider(
  context: Context,
  input: ProviderPlace & Optional<Identity> & Settings,
): Promise<{ id: string }> {
  const provider = await loadProvider(context, input);
  const { id, organizationId } = provider;
  const { defaultTeamId, defaultRole } = input;
  const settings = given({
    label: ifGiven("label", input.label, checkLabel),
    clientId: ifGiven("clientId", input.clientId, checkClientId),
    clientSecret: sealed(context, id, input.clientSecret),
    ...(input.issuer !== undefined && {
      issuer: await ifGiven("issuer", input.issuer, (text) => checkIssuer(context, text)),
    }),
    defaultTeamId,
    defaultRole,
  });
  return changeIfAny(context, mayUpdateOidcProvider, provider, async (transaction) => {
    await keepTeam(transaction, organizationId, settings.defaultTeamId);
    await transaction.$queryRaw`select from "OidcProvider" where id = ${id} for no key update`;
    const before = await transaction.oidcProvider.findUnique({ where: { id } });
    if (!before) throw notFound(oidcProviders.noun); // deleted since it was read
    const { clientSecret, ...audited } = settings;
    const changes = settingChanges(before, audited, auditedColumns);
    const isSecretChanged = clientSecret !== undefined;
    if (changes.length === 0 && !isSecretChanged) return { result: { id }, events: [] };
    const isAnother = changes.some(({ field }) => field === "issuer" || field === "clientId");
    await transaction.oidcProvider.update({
      where: { id },
      data: { ...settings, ...(isAnother && { activatedAt: null }) },
    });
    if (isAnother) {
      await endSessionsBy(transaction, context, id);
      await transaction.oidcIdentity.deleteMany({ where: { source: id } });
    }
    const payload = { label: settings.label ?? before.label, changes, isSecretChanged };
    return { result: { id }, events: [{ type: oidcProviderEvents.updated, subjectId: id, organizationId, payload }] };
  });
}

/** Users of a provider that was deleted or became another one must sign in again. */
async function endSessionsBy(transaction: Transaction, context: Context, providerId: string): Promise<void> {
  const by = { actorId: context.viewer.userId, origin: context.origin };
  await endSessions(transaction, { providerId }, { at: context.clock.now(), by });
}

/** The provider of the input. NOT_FOUND if the viewer does not see it there. */
async function loadProvider(context: Context, { organizationId, oidcProviderId }: ProviderPlace) {
  await context.reader.found(organizations, organizationId, project([]));
  await requireAllowed(context, mayUpdateOidcProvider, { organizationId });
  const provider = await context.reader.row(oidcProviders, oidcProviderId, project(["organizationId"]));
  if (provider?.organizationId !== organizationId) throw notFound(oidcProviders.noun);
  return provider;
}

/** Deletes a provider and ends its sessions. Its users stay members. */
export async function deleteOidcProvider(
  context: Context,
  { organizationId, oidcProviderId }: ProviderPlace,
): Promise<Deleted> {
  await context.reader.found(organizations, organizationId, project([]));
  await requireAllowed(context, mayDeleteOidcProvider, { organizationId });
  const provider = await context.reader.row(oidcProviders, oidcProviderId, project(["organizationId"]));
  if (provider?.organizationId !== organizationId) return { deletedId: null };
  const { id } = provider;
  return deleteIfThere(context, mayDeleteOidcProvider, { organizationId }, async (transaction) => {
    const [deleted] = await transaction.$queryRaw<{ label: string }[]>`
      delete from "OidcProvider" where id = ${id} returning label`;
    if (deleted) await endSessionsBy(transaction, context, id);
    return deleted ? { type: oidcProviderEvents.deleted, subjectId: id, organizationId, payload: deleted } : null;
  });
}
