// Creates, changes and deletes OpenAPI specifications, and starts the processing of their sources.
import { DomainError, invalidInput, found } from "#src/base/errors.ts";
import {
  type Transaction,
  change,
  changeIfAny,
  type Deleted,
  deleteIfThere,
  requireAllowed,
} from "#src/domain/change.ts";
import type { Context } from "#src/domain/context.ts";
import { checkWebAddress, oneOf, type Optional } from "#src/domain/input.ts";
import { lockBlobs } from "#src/features/content/commands/blobs.ts";
import { specLimits, checkSpecSlug } from "#src/features/openapi/model/limits.ts";
import type { ReceivedBlob } from "#src/files/file-store.ts";
import type { Upload } from "#src/files/upload.ts";
import { randomBytes } from "node:crypto";
import { newId } from "#src/base/ids.ts";
import { project } from "#src/db/reading/entity.ts";
import { answersWith } from "#src/domain/idempotency.ts";
import { enumValue, settingChanges } from "#src/events/event.ts";
import {
  mayCreateOpenApiSpec,
  mayDeleteOpenApiSpec,
  mayRefreshOpenApiSpec,
  mayUpdateOpenApiSpec,
} from "#src/features/openapi/access.ts";
import { findComputedPages } from "#src/features/openapi/commands/computed-pages.ts";
import { processSource } from "#src/features/openapi/commands/process-source.ts";
import { specEvent, specEvents, specTerminalEvents, specProgressEvents } from "#src/features/openapi/events.ts";
import { addressKeySecret } from "#src/features/openapi/reads/addresses.ts";
import { openApiSpecs, openApiSpecsOfOrganization } from "#src/features/openapi/reads/specs.ts";
import { organizations } from "#src/features/organizations/reads.ts";
import { released, unclaimed } from "#src/jobs/long-work.ts";
import type { OpenApiSpecVisibility } from "#src/generated/prisma/enums.ts";
import type { OpenApiSpecModel } from "#src/generated/prisma/models.ts";

/** Exactly one of these: an address or a text, or an uploaded document or ZIP archive. */
type GivenSource = { readonly source: Optional<{ url: string; text: string; file: Upload }> };

/** The columns of a source, and its bytes if it has some. */
interface Source extends Disposable {
  readonly columns: { readonly sourceUrl: string | null; readonly sourceBlob: string | null };
  /** Keeps the bytes in the transaction that writes the columns. */
  keep(transaction: Transaction): Promise<void>;
}

/** INVALID_INPUT unless exactly one valid source is given; TOO_LARGE beyond {@link specLimits}. */
async function readGiven({ files }: Pick<Context, "files">, { source }: GivenSource): Promise<Source> {
  const { url, text, file } = source;
  const [by, given] = oneOf("source", { url, text, file });
  if (by === "file") return ofBlob(given.blob, () => {}); // uploads are dropped with their request
  if (by === "url") {
    const sourceUrl = checkWebAddress("source/url", given);
    return { columns: { sourceUrl, sourceBlob: null }, keep: async () => {}, [Symbol.dispose]: () => {} };
  }
  if (given.trim() === "") throw invalidInput("source/text", "must not be empty.");
  const blob = await files.receive([Buffer.from(given)], specLimits.bytes);
  return ofBlob(blob, () => void blob.drop());
}

/** Throws TOO_LARGE beyond {@link specLimits}. */
function checkSpecBytes(bytes: number): void {
  if (bytes > specLimits.bytes)
    throw new DomainError("TOO_LARGE", `A specification must have at most ${specLimits.bytes} bytes.`);
}

function ofBlob(blob: ReceivedBlob, drop: () => void): Source {
  checkSpecBytes(blob.size);
  return {
    columns: { sourceUrl: null, sourceBlob: blob.hash },
    async keep(transaction) {
      await lockBlobs(transaction, [blob.hash]);
      await blob.keep();
    },
    [Symbol.dispose]: drop,
  };
}

type SpecName = { readonly organizationId: string; readonly slug: string };
type NamedSpec = SpecName & { readonly id: string };

/** The specification; null if the viewer sees none. NOT_FOUND for the organization, INVALID_INPUT for the slug. */
async function findSpec(context: Context, { organizationId, slug }: SpecName): Promise<NamedSpec | null> {
  const request = { key: { slug: checkSpecSlug(slug) }, projection: project(["organizationId", "slug"]) };
  const spec = await context.reader.pick(openApiSpecsOfOrganization, { id: organizationId }, request);
  if (!spec) await context.reader.found(organizations, organizationId, project([]));
  return spec;
}

const loadSpec = async (context: Context, name: SpecName): Promise<NamedSpec> =>
  found(await findSpec(context, name), openApiSpecs.noun);

const toBeProcessed = (now: Date) =>
  ({ state: "pending", dueAt: now, failures: 0, etag: null, lastModified: null, ...released }) as const;

/** Starts processing in this process, without waiting; if this process ends, a job of another one does it. */
function startProcessing({ background, database, files, fetch, clock, log, feed }: Context, id: string): void {
  const at = { database, files, fetch, clock, log };
  const processing = background.runResumable((stopping) => processSource(at, id, stopping));
  processing.then(
    () => feed.wake(),
    // A job retries it.
    (error: unknown) => log.error({ err: error, spec: id }, "A specification could not be processed"),
  );
}

/** Checks a new specification without its source. */
async function checkNew(context: Context, { slug: given, organizationId: id }: SpecName): Promise<SpecName> {
  const slug = checkSpecSlug(given);
  const { id: organizationId } = await context.reader.found(organizations, id, project(["id"]));
  await requireAllowed(context, mayCreateOpenApiSpec, { organizationId });
  return { slug, organizationId };
}

/** Throws the errors of {@link createOpenApiSpec} or {@link putOpenApiSpec} that can be found before the upload. */
export async function checkGiven(context: Context, input: SpecName & GivenSource, puts: boolean): Promise<void> {
  const spec = puts ? await findSpec(context, input) : null;
  if (spec) await requireAllowed(context, mayUpdateOpenApiSpec, spec);
  else await checkNew(context, input);
  checkSpecBytes(input.source.file?.leastBytes ?? 0);
}

/** Throws NOT_FOUND, INVALID_INPUT for the slug and source, TOO_LARGE, CONFLICT for a taken slug or too many. */
export async function createOpenApiSpec(context: Context, input: SpecName & GivenSource): Promise<{ id: string }> {
  const { slug, organizationId } = await checkNew(context, input);
  using source = await readGiven(context, input);
  const created = await change(context, mayCreateOpenApiSpec, { organizationId }, async (transaction) => {
    await requireRoom(transaction, { organizationId, slug });
    return insert(transaction, context, { organizationId, slug, source });
  });
  startProcessing(context, created.id);
  return created;
}

/** CONFLICT for a taken slug, and beyond the limit. Locks the organization against concurrent additions. */
async function requireRoom(transaction: Transaction, { organizationId, slug }: SpecName): Promise<void> {
  await transaction.$executeRaw`select from "Organization" where id = ${organizationId} for no key update`;
  if ((await transaction.openApiSpec.count({ where: { organizationId, slug } })) > 0)
    throw new DomainError("CONFLICT", "Another specification of the organization has this slug: choose another one.", [
      { path: "slug", message: "is taken." },
    ]);
  const count = await transaction.openApiSpec.count({ where: { organizationId } });
  if (count >= specLimits.ofOrganization)
    throw new DomainError(
      "CONFLICT",
      `The organization has ${count} OpenAPI specifications, which is the limit: delete one first.`,
    );
}

/** A new key, sealed; in plain text as long as the gateway has no key for secrets. */
function newAddressKey({ secrets }: Context, id: string): Uint8Array<ArrayBuffer> {
  const addressKey = randomBytes(32).toString("base64url");
  return secrets.presentHead ? secrets.seal(addressKeySecret, id, addressKey) : new TextEncoder().encode(addressKey);
}

async function insert(transaction: Transaction, context: Context, { source, ...name }: SpecName & { source: Source }) {
  const [id, now] = [newId("OpenApiSpec"), context.clock.now()];
  await source.keep(transaction);
  const made = { createdById: context.viewer.userId, createdAt: now, updatedAt: now };
  const addressKey = newAddressKey(context, id);
  const data = { id, ...name, ...source.columns, ...toBeProcessed(now), ...made, addressKey };
  await transaction.openApiSpec.create({ data });
  const created = specEvent(specEvents.created, { id, ...name }, { sourceURL: source.columns.sourceUrl });
  return { result: { id }, events: [created] as const };
}

/** Replaces the source of the specification with this slug, or adds one. Throws as {@link createOpenApiSpec} does. */
export async function putOpenApiSpec(context: Context, input: SpecName & GivenSource): Promise<{ id: string }> {
  const spec = await findSpec(context, input);
  if (spec) return setSource(context, spec, input);
  try {
    return await createOpenApiSpec(context, input);
  } catch (error) {
    if (!(error instanceof DomainError && error.code === "CONFLICT")) throw error;
    const added = await findSpec(context, input); // added by a concurrent request
    if (!added) throw error;
    return setSource(context, added, input);
  }
}

async function setSource(context: Context, spec: NamedSpec, input: GivenSource): Promise<{ id: string }> {
  const { id } = spec;
  await requireAllowed(context, mayUpdateOpenApiSpec, spec);
  using source = await readGiven(context, input);
  await change(context, mayUpdateOpenApiSpec, spec, async (transaction) => {
    const before = await lockSpec(transaction, spec);
    await source.keep(transaction);
    const now = context.clock.now();
    const data = { ...source.columns, ...toBeProcessed(now), updatedAt: now };
    await transaction.openApiSpec.update({ where: { id }, data });
    const changes = settingChanges<OpenApiSpecModel>(before, source.columns, { sourceUrl: "sourceURL" });
    const queued = specEvent(specProgressEvents.progressed, spec, { state: "pending" });
    const updated = changes.length > 0 ? [specEvent(specEvents.updated, spec, { changes })] : [];
    return { result: { id }, events: [queued, ...updated] };
  });
  startProcessing(context, id);
  return { id };
}

/** The specification, locked. NOT_FOUND if it was deleted meanwhile. */
async function lockSpec(transaction: Transaction, { id }: NamedSpec): Promise<OpenApiSpecModel> {
  await transaction.$executeRaw`select from "OpenApiSpec" where id = ${id} for update`;
  return found(await transaction.openApiSpec.findUnique({ where: { id } }), openApiSpecs.noun);
}

/** Changes the visibility of a specification. Needs `create` in its organization. NOT_FOUND if it is not visible. */
export async function updateOpenApiSpec(
  context: Context,
  { visibility, ...name }: SpecName & { visibility: OpenApiSpecVisibility },
): Promise<{ id: string }> {
  const spec = await loadSpec(context, name);
  const { id } = spec;
  return changeIfAny(context, mayUpdateOpenApiSpec, spec, async (transaction) => {
    const before = await lockSpec(transaction, spec);
    const changes = settingChanges<OpenApiSpecModel>(before, { visibility }, { visibility: ["visibility", enumValue] });
    if (changes.length === 0) return { result: { id }, events: [] };
    await transaction.openApiSpec.update({ where: { id }, data: { visibility, updatedAt: context.clock.now() } });
    return { result: { id }, events: [specEvent(specEvents.updated, spec, { changes })] };
  });
}

/** Nothing changes while it is being processed. NOT_FOUND unless the viewer sees it. */
export async function refreshOpenApiSpec(context: Context, name: SpecName): Promise<{ id: string }> {
  const spec = await loadSpec(context, name);
  const { id } = spec;
  const now = context.clock.now();
  await changeIfAny(context, mayRefreshOpenApiSpec, spec, async (transaction) => {
    const { count } = await transaction.openApiSpec.updateMany({
      where: { id, ...unclaimed(now) },
      data: { state: "pending", dueAt: now },
    });
    const events = count > 0 ? [specEvent(specProgressEvents.progressed, spec, { state: "pending" })] : [];
    return { result: { id }, events };
  });
  startProcessing(context, id);
  return { id };
}

const namedPages = 10;

/** CONFLICT while pages are computed from it, with their number and the first ones that the viewer sees. */
async function requireUnused(transaction: Transaction, { viewer }: Context, spec: NamedSpec): Promise<void> {
  const { pages, count } = await findComputedPages(transaction, viewer, { spec, most: namedPages });
  if (count === 0) return;
  const used = count === 1 ? "A page is" : `${count} pages are`;
  throw new DomainError(
    "CONFLICT",
    `${used} computed from this specification: delete these pages first, or set \`force\` in GraphQL.`,
    pages.map(({ spaceId, path }) => ({ path: "slug", message: `is used by the page ${path} of ${spaceId}.` })),
  );
}

/** Null if the viewer sees none. CONFLICT while pages are computed from it, which `force` leaves empty. */
export async function deleteOpenApiSpec(
  context: Context,
  { force, ...name }: SpecName & { force?: boolean | null | undefined },
): Promise<Deleted & { organizationId: string }> {
  const { organizationId } = name;
  const spec = await findSpec(context, name);
  if (!spec) return { deletedId: null, organizationId };
  return answersWith(context, { organizationId }, () =>
    deleteIfThere(context, mayDeleteOpenApiSpec, spec, async (transaction) => {
      if (!force) await requireUnused(transaction, context, spec);
      const { count } = await transaction.openApiSpec.deleteMany({ where: { id: spec.id } });
      return count > 0 ? specEvent(specTerminalEvents.deleted, spec) : null;
    }),
  );
}
