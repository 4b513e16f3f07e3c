// Publishing an integration: each publication makes a version, which is the latest of its runtime from then on.
import { DomainError } from "#src/base/errors.ts";
import { newId } from "#src/base/ids.ts";
import { sql } from "#src/db/connection/database.ts";
import { change, requireAllowed, type Transaction } from "#src/domain/change.ts";
import type { Context } from "#src/domain/context.ts";
import { checkWebAddress, oneOf, type Optional } from "#src/domain/input.ts";
import { mayPublishIntegration } from "#src/features/integrations/access.ts";
import { imageBytes, publishedLimits, ReceivedBlobs, scriptBytes } from "#src/features/integrations/commands/images.ts";
import { announceVersion, type NewVersion } from "#src/features/integrations/commands/installations/new-version.ts";
import { leavePlaces } from "#src/features/integrations/commands/installations/places.ts";
import { tellEach } from "#src/features/integrations/commands/installations/tell-each.ts";
import { makeSigningKey } from "#src/features/integrations/commands/in-hand.ts";
import { secretsColumn } from "#src/features/integrations/commands/runs/runnable.ts";
import { integrationEvent, integrationEvents } from "#src/features/integrations/events.ts";
import { checkConfigurations, type Configurations } from "#src/features/integrations/model/manifest/configurations.ts";
import {
  checkManifest,
  checkSecrets,
  type GivenManifest,
  type Manifest,
  requireAtMost,
} from "#src/features/integrations/model/manifest/manifest.ts";
import { checkIntegrationName } from "#src/features/integrations/model/manifest/names.ts";
import { findOrganizationNamed } from "#src/features/organizations/reads.ts";
import { Prisma } from "#src/generated/prisma/client.ts";
import type { IntegrationModel } from "#src/generated/prisma/models.ts";

/** What is published. */
export interface Publication
  extends
    GivenManifest,
    Optional<{
      /** Exactly one of these two. */
      script: string;
      webhookUrl: string;
      configurations: unknown;
      secrets: unknown;
      icon: string;
      previewImages: readonly string[];
    }> {
  readonly name: string;
  /** Id or subdomain of the organization. */
  readonly organizationId: string;
}

/** What came of it; the signing key where one was made, which is told once. */
interface Published {
  readonly id: string;
  readonly signingKey: string | null;
}

/** Where events go, as a version has it. */
interface Way {
  readonly script: string | null;
  readonly scriptSize: number;
  readonly webhookUrl: string | null;
}

/** A publication that was checked, but for what is in the database. `undefined` leaves what was published before. */
interface Checked {
  readonly name: string;
  readonly organizationId: string;
  readonly manifest: Manifest;
  readonly configurations: Configurations;
  readonly way: Way;
  readonly secrets: Readonly<Record<string, string>> | undefined;
  readonly icon: string | null | undefined;
  readonly previewImages: string[] | undefined;
}

/**
 * Publishes an integration under a name, for the first time or anew: then everything takes the place of what was
 * published before, but that secrets and images stay where none are given. Installations run it on the terms that their
 * organizations agreed to, without the scopes that it does not ask for. For admins of the organization.
 *
 * Throws NOT_FOUND for an organization that the viewer may not see, INVALID_INPUT with the place of what is wrong,
 * TOO_LARGE for a script beyond the limit, and CONFLICT for the name of another organization's integration, where the
 * organization has as many as it may have, and for secrets where docgraph has no key to seal them with.
 */
export async function publishIntegration(context: Context, input: Publication): Promise<Published> {
  const name = checkIntegrationName(input.name);
  const { id: organizationId } = await findOrganizationNamed(context, input.organizationId);
  await requireAllowed(context, mayPublishIntegration, { organizationId }); // before anything is received
  using received = new ReceivedBlobs(context.files);
  const checked = await check(input, { name, organizationId }, received);
  return await change(context, mayPublishIntegration, { organizationId }, async (transaction) => {
    const before = await findNamed(transaction, checked);
    await received.keep(transaction);
    const { integration, signingKey, published } = await write(transaction, context, { before, checked });
    const { version, visibility } = integration;
    if (before) await announceVersion(transaction, context, { ...published, organizationId });
    await leaveUnfit(transaction, context, integration);
    const event = integrationEvent(integrationEvents.published, integration, { version, visibility });
    return { result: { id: integration.id, signingKey }, events: [event] };
  });
}

/** Installations that are not pinned leave the spaces and sites that the version is not made for at once. */
async function leaveUnfit(
  transaction: Transaction,
  context: Context,
  { id, organizationId, target }: IntegrationModel,
): Promise<void> {
  for (const level of ["space", "site"] as const) {
    if (target === "all" || target === level) continue;
    const events = await leavePlaces(transaction, level, sql`i."integrationId" = ${id}`);
    await tellEach(transaction, context, { organizationId, events });
  }
}

async function check(
  input: Publication,
  named: Pick<Checked, "name" | "organizationId">,
  received: ReceivedBlobs,
): Promise<Checked> {
  const manifest = checkManifest(input);
  const configurations = await checkConfigurations(input.configurations ?? {});
  const secrets = input.secrets == null ? undefined : checkSecrets(input.secrets);
  requireAtMost("previewImages", input.previewImages ?? [], publishedLimits.previews);
  const { icon, previewImages } = input;
  const iconBytes = icon == null ? null : imageBytes("icon", icon, publishedLimits.icon);
  const previews = previewImages?.map((image, index) =>
    imageBytes(`previewImages/${index}`, image, publishedLimits.preview),
  );
  const way = await wayOf(input, received);
  const hashes: string[] = [];
  for (const bytes of previews ?? []) hashes.push(await received.add(bytes));
  return {
    ...named,
    manifest,
    configurations,
    secrets,
    way,
    icon: iconBytes ? await received.add(iconBytes) : icon === null ? null : undefined,
    previewImages: previews && hashes,
  };
}

async function wayOf({ script, webhookUrl }: Publication, received: ReceivedBlobs): Promise<Way> {
  const [by] = oneOf("code", { script, webhookUrl });
  if (by === "webhookUrl")
    return { script: null, scriptSize: 0, webhookUrl: checkWebAddress("webhookUrl", webhookUrl ?? "") };
  const bytes = scriptBytes(script ?? "");
  return { script: await received.add(bytes), scriptSize: bytes.length, webhookUrl: null };
}

/** The most integrations of an organization. */
const mostOfOrganization = 100;

/**
 * The integration of the name, locked, or null for a new one. CONFLICT for one of another organization, and where there
 * is no room for a new one. Nobody else publishes this name, or for this organization, meanwhile.
 */
async function findNamed(
  transaction: Transaction,
  { name, organizationId }: Pick<Checked, "name" | "organizationId">,
): Promise<IntegrationModel | null> {
  await transaction.$executeRaw`select from "Organization" where id = ${organizationId} for no key update`;
  await transaction.$executeRaw`select from "Integration" where name = ${name} for update`;
  const found = await transaction.integration.findUnique({ where: { name } });
  if (found?.organizationId === organizationId) return found;
  const taken = [{ path: "name", message: "is taken." }];
  if (found) throw new DomainError("CONFLICT", "Another organization has this name: choose another one.", taken);
  if ((await transaction.integration.count({ where: { organizationId } })) < mostOfOrganization) return null;
  throw new DomainError(
    "CONFLICT",
    `The organization has ${mostOfOrganization} integrations, and may have no more: delete one that is not needed.`,
  );
}

/** What was written. */
interface Written extends Pick<Published, "signingKey"> {
  readonly integration: IntegrationModel;
  readonly published: Omit<NewVersion, "organizationId">;
}

async function write(
  transaction: Transaction,
  context: Context,
  { before, checked }: { before: IntegrationModel | null; checked: Checked },
): Promise<Written> {
  const { manifest, configurations, secrets, way } = checked;
  const id = before?.id ?? newId("Integration");
  const [now, number] = [context.clock.now(), (before?.version ?? 0) + 1];
  const made = way.webhookUrl !== null && !before?.signingKey ? makeSigningKey(context, id) : null;
  const told = asJson({ ...manifest, configurations });
  const { icon = before?.icon ?? null, previewImages = before?.previewImages ?? [] } = checked;
  const data = {
    ...told,
    icon,
    previewImages,
    blobs: [...(icon === null ? [] : [icon]), ...previewImages],
    version: number,
    updatedAt: now,
    ...(secrets && { secrets: sealed(context, id, secrets) }),
    ...(made && { signingKey: made.sealed }),
  };
  const by = { createdById: context.viewer.userId, createdAt: now };
  const { name, organizationId } = checked;
  const integration = before
    ? await transaction.integration.update({ where: { id }, data })
    : await transaction.integration.create({ data: { id, name, organizationId, ...by, ...data } });
  const version = { id: newId("IntegrationVersion"), integrationId: id, number, runtime: manifest.runtime };
  await transaction.integrationVersion.create({ data: { ...version, ...by, ...way, manifest: told } });
  const published = { ...version, ...way, scopes: manifest.scopes };
  return { integration, signingKey: made?.signingKey ?? null, published };
}

/** Null for none. */
const sealed = ({ secrets }: Context, id: string, texts: Readonly<Record<string, string>>) =>
  Object.keys(texts).length === 0 ? null : secrets.seal(secretsColumn, id, JSON.stringify(texts));

/** Lists of objects, as Prisma takes them. */
function asJson({
  blocks,
  contentSources,
  externalLinks,
  configurations,
  ...others
}: Manifest & { configurations: Configurations }) {
  const json = (value: object) => JSON.parse(JSON.stringify(value)) as Prisma.InputJsonValue;
  return {
    ...others,
    blocks: json(blocks),
    contentSources: json(contentSources),
    externalLinks: json(externalLinks),
    configurations: json(configurations),
  };
}
