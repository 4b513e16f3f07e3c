// Commands that add, change and delete SAML providers, and read metadata for their settings.
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
import { checkText, checkWebAddress, given, ifGiven, oneOf, type Optional } from "#src/domain/input.ts";
import { enumValue, settingChanges } from "#src/events/event.ts";
import { organizations } from "#src/features/organizations/reads.ts";
import {
  mayCreateSamlProvider,
  mayDeleteSamlProvider,
  mayReadSamlMetadata,
  mayUpdateSamlProvider,
} from "#src/features/saml/access.ts";
import { keepTeam } from "#src/features/saml/commands/people.ts";
import { samlProviderEvents } from "#src/features/saml/events.ts";
import { CertificateError, readCertificates } from "#src/features/saml/model/certificates.ts";
import type { IdpMetadata } from "#src/features/saml/model/idp-metadata.ts";
import { maxMetadata, samlLimits } from "#src/features/saml/model/limits.ts";
import { readMessage } from "#src/features/saml/model/message-reader.ts";
import { SamlError } from "#src/features/saml/model/xml.ts";
import { samlProviders } from "#src/features/saml/reads.ts";
import type { Role } from "#src/generated/prisma/enums.ts";
import { FetchError } from "#src/net/fetch-error.ts";

/** The settings of a provider; null clears an optional field. */
type Settings = Optional<{
  entityID: string;
  ssoURL: string;
  logoutURL: string;
  certificate: string;
  defaultTeamId: string;
  defaultRole: Role;
}>;

type ProviderPlace = { readonly organizationId: string; readonly samlProviderId: string };

const checkLabel = (label: string) => checkText("label", label, samlLimits.label);

/** The given settings, checked except for the team, which the transaction checks. */
function checkSettings({ entityID, ssoURL, logoutURL, certificate, defaultTeamId, defaultRole }: Settings) {
  return given({
    entityID: entityID == null ? entityID : checkText("entityID", entityID, samlLimits.entityID),
    ssoURL: ssoURL == null ? ssoURL : checkWebAddress("ssoURL", ssoURL),
    logoutURL: logoutURL == null ? logoutURL : checkWebAddress("logoutURL", logoutURL),
    certificate: certificate == null ? certificate : checkCertificate(certificate),
    defaultTeamId,
    defaultRole,
  });
}

/** The certificates as one PEM text. INVALID_INPUT for anything else; expired ones are accepted with a warning. */
function checkCertificate(text: string): string {
  const checked = checkText("certificate", text, samlLimits.certificate);
  try {
    const certificate = readCertificates(checked)
      .map(({ pem }) => pem)
      .join("");
    return checkText("certificate", certificate, samlLimits.certificate) && certificate;
  } catch (error) {
    throw error instanceof CertificateError ? invalidInput("certificate", error.message) : error;
  }
}

/** It is pending until the first sign-in. INVALID_INPUT for an invalid label, address, certificate or team. */
export async function createSamlProvider(
  context: Context,
  input: { organizationId: string; label: string } & Settings,
): Promise<{ id: string }> {
  const { id: organizationId } = await context.reader.found(organizations, input.organizationId, project([]));
  await requireAllowed(context, mayCreateSamlProvider, { organizationId });
  const data = { label: checkLabel(input.label), ...checkSettings(input) };
  const id = newId("SamlProvider");
  const createdAt = context.clock.now();
  return change(context, mayCreateSamlProvider, { organizationId }, async (transaction) => {
    await keepTeam(transaction, organizationId, data.defaultTeamId);
    await transaction.samlProvider.create({ data: { id, organizationId, createdAt, ...data } });
    const payload = { label: data.label };
    return { result: { id }, events: [{ type: samlProviderEvents.created, subjectId: id, organizationId, payload }] };
  });
}

/** Events only contain that certificates have changed, not their values. */
const auditedColumns = {
  label: "label",
  entityID: "entityID",
  ssoURL: "ssoURL",
  logoutURL: "logoutURL",
  defaultTeamId: "defaultTeamId",
  defaultRole: ["defaultRole", enumValue],
} as const;

/** Changes the given settings. Another entity id or address makes it another provider, which is pending again. */
export async function updateSamlProvider(
  context: Context,
  input: ProviderPlace & Optional<{ label: string }> & Settings,
): Promise<{ id: string }> {
  const provider = await loadProvider(context, input);
  const { id, organizationId } = provider;
  await requireAllowed(context, mayUpdateSamlProvider, provider);
  const settings = given({ label: ifGiven("label", input.label, checkLabel), ...checkSettings(input) });
  return changeIfAny(context, mayUpdateSamlProvider, provider, async (transaction) => {
    await keepTeam(transaction, organizationId, settings.defaultTeamId);
    await transaction.$queryRaw`select from "SamlProvider" where id = ${id} for no key update`;
    const before = await transaction.samlProvider.findUnique({ where: { id } });
    if (!before) throw notFound(samlProviders.noun); // deleted since it was read
    const changes = settingChanges(before, settings, auditedColumns);
    const isRenewed = settings.certificate !== undefined && settings.certificate !== before.certificate;
    if (changes.length === 0 && !isRenewed) return { result: { id }, events: [] };
    const isAnother = changes.some(({ field }) => field === "entityID" || field === "ssoURL");
    await transaction.samlProvider.update({
      where: { id },
      data: { ...settings, ...(isAnother && { status: "pending" }) },
    });
    if (isAnother) await endSessionsBy(transaction, context, id);
    // Another provider may use the same names for other people.
    if (changes.some(({ field }) => field === "entityID"))
      await transaction.samlIdentity.deleteMany({ where: { providerId: id } });
    const payload = { label: settings.label ?? before.label, changes, isCertificateChanged: isRenewed };
    return { result: { id }, events: [{ type: samlProviderEvents.updated, subjectId: id, organizationId, payload }] };
  });
}

/** Users of a provider that was deleted or became another one must sign in again. */
async function endSessionsBy(transaction: Transaction, context: Context, providerId: string): Promise<void> {
  const by = { actorId: context.viewer.userId, origin: context.origin };
  await endSessions(transaction, { providerId }, { at: context.clock.now(), by });
}

/** The provider of the input. NOT_FOUND if the viewer does not see it there. */
async function loadProvider(context: Context, { organizationId, samlProviderId }: ProviderPlace) {
  await context.reader.found(organizations, organizationId, project([]));
  await requireAllowed(context, mayUpdateSamlProvider, { organizationId });
  const provider = await context.reader.row(samlProviders, samlProviderId, project(["organizationId"]));
  if (provider?.organizationId !== organizationId) throw notFound(samlProviders.noun);
  return provider;
}

/** Deletes a provider and ends its sessions. Its users stay members. */
export async function deleteSamlProvider(
  context: Context,
  { organizationId, samlProviderId }: ProviderPlace,
): Promise<Deleted> {
  await context.reader.found(organizations, organizationId, project([]));
  await requireAllowed(context, mayDeleteSamlProvider, { organizationId });
  const provider = await context.reader.row(samlProviders, samlProviderId, project(["organizationId"]));
  if (provider?.organizationId !== organizationId) return { deletedId: null };
  const { id } = provider;
  return deleteIfThere(context, mayDeleteSamlProvider, { organizationId }, async (transaction) => {
    const [deleted] = await transaction.$queryRaw<{ label: string }[]>`
      delete from "SamlProvider" where id = ${id} returning label`;
    if (deleted) await endSessionsBy(transaction, context, id);
    return deleted ? { type: samlProviderEvents.deleted, subjectId: id, organizationId, payload: deleted } : null;
  });
}

/** Reads the metadata of an identity provider. INVALID_INPUT if it cannot be fetched or is not valid. */
export async function readSamlMetadata(
  context: Context,
  organizationId: string,
  source: { url?: string | null | undefined; xml?: string | null | undefined },
): Promise<IdpMetadata> {
  const organization = await context.reader.found(organizations, organizationId, project([]));
  await requireAllowed(context, mayReadSamlMetadata, { organizationId: organization.id });
  const [name, value] = oneOf("from", { url: source.url, xml: source.xml });
  const text = name === "url" ? await fetchMetadata(context, checkWebAddress("from.url", value)) : value;
  if (text.length > maxMetadata)
    throw invalidInput(`from.${name}`, `must have at most ${maxMetadata} characters, but has ${text.length}.`);
  try {
    return await readMessage("metadata", text);
  } catch (error) {
    if (error instanceof SamlError) throw invalidInput(`from.${name}`, `is not usable metadata: ${error.message}.`);
    throw error;
  }
}

async function fetchMetadata({ fetch }: Context, url: string): Promise<string> {
  try {
    const accept = "application/samlmetadata+xml, application/xml, text/xml, */*;q=0.5";
    const { status, body } = await fetch(url, { headers: { accept }, maxBytes: maxMetadata });
    if (status !== 200) throw invalidInput("from.url", `the server returned ${status}.`);
    return body.toString("utf8");
  } catch (error) {
    if (error instanceof FetchError) throw invalidInput("from.url", `${error.message}.`);
    throw error;
  }
}
