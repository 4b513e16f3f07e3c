// Publishes integrations: each publication creates a version, which becomes the latest one of its runtime.
import { DomainError, invalidInput } from "#src/base/errors.ts";
import { type Transaction, change, requireAllowed } from "#src/domain/change.ts";
import { defineBlobColumns, lockBlobs } from "#src/features/content/commands/blobs.ts";
import { svgFault } from "#src/features/integrations/model/manifest/svg.ts";
import { contentTypeOf } from "#src/files/content-type.ts";
import type { FileStore, ReceivedBlob } from "#src/files/file-store.ts";
import { newId } from "#src/base/ids.ts";
import { sql } from "#src/db/connection/database.ts";
import type { Context } from "#src/domain/context.ts";
import { checkWebAddress, oneOf, type Optional } from "#src/domain/input.ts";
import { mayPublishIntegration } from "#src/features/integrations/access.ts";
import {
  announceVersion,
  notifyOrganizations,
} from "#src/features/integrations/commands/installations/notify-organizations.ts";
import { removePlaces } from "#src/features/integrations/commands/installations/places-table.ts";
import { makeSigningKey } from "#src/features/integrations/commands/manage.ts";
import { retryNow } from "#src/features/integrations/commands/runs/retry-now.ts";
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

/** In bytes; `previews` is the number of preview images. */
const publishedLimits = { script: 1_000_000, icon: 256_000, preview: 1_000_000, previews: 8 } as const;

/** Received bytes, which are dropped unless `keep` is called. */
class ReceivedBlobs implements Disposable {
  readonly #files: FileStore;
  readonly #blobs: ReceivedBlob[] = [];

  constructor(files: FileStore) {
    this.#files = files;
  }

  /** Receives bytes, and returns their hash. */
  async add(bytes: Buffer): Promise<string> {
    const blob = await this.#files.receive([bytes], bytes.length);
    this.#blobs.push(blob);
    return blob.hash;
  }

  /** Keeps the bytes in the transaction that writes their hashes. */
  async keep(transaction: Transaction): Promise<void> {
    const hashes = this.#blobs.map(({ hash }) => hash);
    await lockBlobs(transaction, hashes);
    for (const blob of this.#blobs) await blob.keep();
  }

  [Symbol.dispose](): void {
    for (const blob of this.#blobs) void blob.drop();
  }
}

/** The bytes of a script. TOO_LARGE beyond the limit, INVALID_INPUT for an empty one. */
function scriptBytes(script: string): Buffer {
  if (script.trim() === "") throw invalidInput("code.script", "must not be empty.");
  const bytes = Buffer.from(script);
  if (bytes.length <= publishedLimits.script) return bytes;
  throw new DomainError("TOO_LARGE", `A script must have at most ${publishedLimits.script} bytes.`);
}

/** Compiles a script without running it. INVALID_INPUT with the place of a fault, and if it exports neither form. */
async function checkScript({ scripts }: Context, organizationId: string, script: string): Promise<void> {
  const checked = await scripts?.sandbox.check([organizationId], script);
  if (!checked) return; // scripts do not publish scripts
  if ("fault" in checked) {
    const { message, line, column } = checked.fault;
    const place = line === null ? "" : ` at line ${line}${column === null ? "" : `, column ${column}`}`;
    throw invalidInput("code.script", `does not compile${place}: ${message}`);
  }
  if (checked.exports.includes("handle") || checked.exports.includes("default")) return;
  throw invalidInput("code.script", "must export a function `handle`, or a default object with a function `fetch`.");
}

const types: ReadonlySet<string> = new Set(["image/png", "image/jpeg", "image/webp", "image/svg+xml"]);

/** An image from base64. INVALID_INPUT for other files, beyond `most` bytes, and for SVG that is not plain. */
function imageBytes(path: string, base64: string, most: number): Buffer {
  const isBase64 = base64.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(base64);
  if (!isBase64) throw invalidInput(path, "must be a base64-encoded image.");
  const bytes = Buffer.from(base64, "base64");
  if (bytes.length > most) throw invalidInput(path, `must have at most ${most} bytes, but has ${bytes.length}.`);
  const type = contentTypeOf(bytes, "");
  if (!types.has(type)) throw invalidInput(path, "must be a PNG, JPEG, WebP or SVG image.");
  const fault = type === "image/svg+xml" ? svgFault(bytes.toString()) : null;
  if (fault !== null) throw invalidInput(path, `must be a plain SVG: ${fault}`);
  return bytes;
}

defineBlobColumns(
  { table: "IntegrationVersion", column: "script" },
  { table: "Integration", column: "blobs", isList: true },
);

interface Publication
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

interface Published {
  readonly id: string;
  /** Shown once, when it is created. */
  readonly signingKey: string | null;
}

/** The receiver of events: a script or an address. */
type Receiver = { readonly script: string | null; readonly scriptSize: number; readonly webhookUrl: string | null };

/** A checked publication. `undefined` keeps what was published before. */
type Checked = Awaited<ReturnType<typeof check>>;

/**
 * Secrets and images stay unless given. Installations run the new version under the agreed terms.
 * Throws NOT_FOUND for the organization, INVALID_INPUT with the path of a fault, TOO_LARGE for a script, and CONFLICT
 * for a taken name, too many integrations, and secrets if the gateway has no key to seal them with.
 */
export async function publishIntegration(context: Context, input: Publication): Promise<Published> {
  const name = checkIntegrationName(input.name);
  const { id: organizationId } = await findOrganizationNamed(context, input.organizationId);
  await requireAllowed(context, mayPublishIntegration, { organizationId }); // before anything is received
  using received = new ReceivedBlobs(context.files);
  const checked = await check(context, input, { name, organizationId }, received);
  return await change(context, mayPublishIntegration, { organizationId }, async (transaction) => {
    const before = await findNamed(transaction, checked);
    await received.keep(transaction);
    const { integration, signingKey, published } = await write(transaction, context, { before, checked });
    const { version, visibility } = integration;
    if (before) await announceVersion(transaction, context, { ...published, organizationId });
    if (before) await retryNow(transaction, context, sql`i."integrationId" = ${before.id}`);
    await removeUnsupportedPlaces(transaction, context, integration);
    const event = integrationEvent(integrationEvents.published, integration, { version, visibility });
    return { result: { id: integration.id, signingKey }, events: [event] };
  });
}

/** Removes installations that are not pinned from spaces or sites that the target no longer includes. */
async function removeUnsupportedPlaces(
  transaction: Transaction,
  context: Context,
  { id, organizationId, target }: IntegrationModel,
): Promise<void> {
  for (const level of ["space", "site"] as const) {
    if (target === "all" || target === level) continue;
    const events = await removePlaces(transaction, level, sql`i."integrationId" = ${id}`);
    await notifyOrganizations(transaction, context, { organizationId, events });
  }
}

async function check(
  context: Context,
  input: Publication,
  named: { readonly name: string; readonly organizationId: string },
  received: ReceivedBlobs,
) {
  const manifest = checkManifest(input);
  const configurations = await checkConfigurations(input.configurations ?? {});
  const secrets = input.secrets == null ? undefined : checkSecrets(input.secrets);
  requireAtMost("previewImages", input.previewImages ?? [], publishedLimits.previews);
  const { icon, previewImages } = input;
  const iconBytes = icon == null ? null : imageBytes("icon", icon, publishedLimits.icon);
  const previews = previewImages?.map((image, index) =>
    imageBytes(`previewImages/${index}`, image, publishedLimits.preview),
  );
  const receiver = await receiverOf(input, received);
  if (input.script != null) await checkScript(context, named.organizationId, input.script);
  const hashes: string[] = [];
  for (const bytes of previews ?? []) hashes.push(await received.add(bytes));
  return {
    ...named,
    manifest,
    configurations,
    secrets,
    receiver,
    icon: iconBytes ? await received.add(iconBytes) : icon === null ? null : undefined,
    previewImages: previews && hashes,
  };
}

async function receiverOf({ script, webhookUrl }: Publication, received: ReceivedBlobs): Promise<Receiver> {
  const [by] = oneOf("code", { script, webhookUrl });
  if (by === "webhookUrl")
    return { script: null, scriptSize: 0, webhookUrl: checkWebAddress("webhookUrl", webhookUrl ?? "") };
  const bytes = scriptBytes(script ?? "");
  return { script: await received.add(bytes), scriptSize: bytes.length, webhookUrl: null };
}

const mostOfOrganization = 100;

/** Null for a new one. CONFLICT for a taken name and beyond the limit. Locks the organization against others, too. */
async function findNamed(
  transaction: Transaction,
  { name, organizationId }: Pick<Checked, "name" | "organizationId">,
): Promise<IntegrationModel | null> {
  await transaction.$executeRaw`select from "Organization" where id = ${organizationId} for no key update`;
  await transaction.$executeRaw`select from "Integration" where name = ${name} for update`;
  const found = await transaction.integration.findUnique({ where: { name } });
  if (found?.organizationId === organizationId) return found;
  const taken = [{ path: "name", message: "is taken." }];
  if (found)
    throw new DomainError(
      "CONFLICT",
      "An integration of another organization has this name: choose another one.",
      taken,
    );
  if ((await transaction.integration.count({ where: { organizationId } })) < mostOfOrganization) return null;
  throw new DomainError(
    "CONFLICT",
    `The organization has ${mostOfOrganization} integrations, which is the limit: delete one first.`,
  );
}

async function write(
  transaction: Transaction,
  context: Context,
  { before, checked }: { before: IntegrationModel | null; checked: Checked },
) {
  const { manifest, configurations, secrets, receiver } = checked;
  const id = before?.id ?? newId("Integration");
  const [now, number] = [context.clock.now(), (before?.version ?? 0) + 1];
  const made = receiver.webhookUrl !== null && !before?.signingKey ? makeSigningKey(context, id) : null;
  const manifestJson = asJson({ ...manifest, configurations });
  const { icon = before?.icon ?? null, previewImages = before?.previewImages ?? [] } = checked;
  const data = {
    ...manifestJson,
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
  await transaction.integrationVersion.create({ data: { ...version, ...by, ...receiver, manifest: manifestJson } });
  const published = { ...version, ...receiver, scopes: manifest.scopes };
  return { integration, signingKey: made?.signingKey ?? null, published };
}

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
