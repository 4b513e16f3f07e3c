// Creating, changing and deleting OpenAPI specifications, and having their sources processed.
import { randomBytes } from "node:crypto";
import { DomainError, found } from "#src/base/errors.ts";
import { newId } from "#src/base/ids.ts";
import { want } from "#src/db/reading/entity.ts";
import {
  change,
  changeIfAny,
  type Deleted,
  deleteIfThere,
  requireAllowed,
  type Transaction,
} from "#src/domain/change.ts";
import type { Context } from "#src/domain/context.ts";
import { answersWith } from "#src/domain/idempotency.ts";
import { enumValue, settingChanges } from "#src/events/setting-changes.ts";
import {
  mayCreateOpenApiSpec,
  mayDeleteOpenApiSpec,
  mayRefreshOpenApiSpec,
  mayUpdateOpenApiSpec,
} from "#src/features/openapi/access.ts";
import { findComputedPages } from "#src/features/openapi/commands/computed-pages.ts";
import { checkSpecBytes, type GivenSource, readGiven, type Source } from "#src/features/openapi/commands/given.ts";
import { processSource } from "#src/features/openapi/commands/process-source.ts";
import { specEvent, specEvents, specFarewellEvents, specProgressEvents } from "#src/features/openapi/events.ts";
import { checkSpecSlug, specLimits } from "#src/features/openapi/model/limits.ts";
import { addressKeySecret } from "#src/features/openapi/reads/address-key.ts";
import { openApiSpecs, openApiSpecsOfOrganization } from "#src/features/openapi/reads/specs.ts";
import { organizations } from "#src/features/organizations/reads.ts";
import type { OpenApiSpecVisibility } from "#src/generated/prisma/enums.ts";
import type { OpenApiSpecModel } from "#src/generated/prisma/models.ts";

/** How a specification is named: by its slug in its organization. */
export interface SpecName {
  readonly organizationId: string;
  readonly slug: string;
}

type SpecInHand = SpecName & { readonly id: string };

/**
 * The specification; null where there is none that the viewer may see. NOT_FOUND for the organization, INVALID_INPUT
 * for a slug of another form.
 */
async function specIfThere(context: Context, { organizationId, slug }: SpecName): Promise<SpecInHand | null> {
  const request = { key: { slug: checkSpecSlug(slug) }, wanted: want(["organizationId", "slug"]) };
  const spec = await context.reader.pick(openApiSpecsOfOrganization, { id: organizationId }, request);
  if (!spec) await context.reader.found(organizations, organizationId, want([]));
  return spec;
}

const specInHand = async (context: Context, name: SpecName): Promise<SpecInHand> =>
  found(await specIfThere(context, name), openApiSpecs.noun);

/** The columns of a source that is still to be processed. */
const toBeProcessed = (now: Date) =>
  ({
    state: "pending",
    dueAt: now,
    failures: 0,
    etag: null,
    lastModified: null,
    lease: null,
    leaseUntil: null,
  }) as const;

/**
 * Has the source of a specification processed: by this process, and should that end by another one. The request does
 * not wait for it.
 */
function process({ background, database, files, fetch, clock, log, feed }: Context, id: string): void {
  const processing = background.run((stopping) => processSource({ database, files, fetch, clock, log }, id, stopping));
  processing.then(
    () => feed.wake(),
    (error: unknown) => log.error({ err: error, spec: id }, "A specification could not be processed"), // a job does it
  );
}

/** What is known of a new specification without its source. */
async function prepareNew(context: Context, { slug: given, organizationId: id }: SpecName): Promise<SpecName> {
  const slug = checkSpecSlug(given);
  const { id: organizationId } = await context.reader.found(organizations, id, want(["id"]));
  await requireAllowed(context, mayCreateOpenApiSpec, { organizationId });
  return { slug, organizationId };
}

/** Throws what {@link createOpenApiSpec} does, or {@link putOpenApiSpec}, as far as it is known without a file. */
export async function checkGiven(context: Context, input: SpecName & GivenSource, puts: boolean): Promise<void> {
  const spec = puts ? await specIfThere(context, input) : null;
  if (spec) await requireAllowed(context, mayUpdateOpenApiSpec, spec);
  else await prepareNew(context, input);
  checkSpecBytes(input.source.file?.leastBytes ?? 0);
}

/**
 * Adds a specification, which is private; its source is processed from then on. Needs `create` in the organization.
 *
 * Throws NOT_FOUND for an organization that the viewer may not see, INVALID_INPUT for a slug or address of another form
 * and for a source that is not exactly one, TOO_LARGE for one beyond the limit, CONFLICT for a slug that is taken, and
 * where the organization has as many as it may have.
 */
export async function createOpenApiSpec(context: Context, input: SpecName & GivenSource): Promise<{ id: string }> {
  const { slug, organizationId } = await prepareNew(context, input);
  using source = await readGiven(context, input);
  const created = await change(context, mayCreateOpenApiSpec, { organizationId }, async (transaction) => {
    await requireRoom(transaction, { organizationId, slug });
    return insert(transaction, context, { organizationId, slug, source });
  });
  process(context, created.id);
  return created;
}

/** CONFLICT for a slug that is taken, and where there is no room for another one. Nobody else adds one meanwhile. */
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
      `The organization has ${count} OpenAPI specifications, and may have no more: delete one that is not needed.`,
    );
}

/** A new key, sealed; where the gateway has no key for secrets, as it is, until it has one. */
function newAddressKey({ secrets }: Context, id: string): Uint8Array<ArrayBuffer> {
  const addressKey = randomBytes(32).toString("base64url");
  return secrets.presentHead ? secrets.seal(addressKeySecret, id, addressKey) : new TextEncoder().encode(addressKey);
}

async function insert(transaction: Transaction, context: Context, { source, ...name }: SpecName & { source: Source }) {
  const [id, now] = [newId("OpenApiSpec"), context.clock.now()];
  await source.keep(transaction);
  await transaction.openApiSpec.create({
    data: {
      ...name,
      ...source.columns,
      ...toBeProcessed(now),
      id,
      createdById: context.viewer.userId,
      createdAt: now,
      updatedAt: now,
      addressKey: newAddressKey(context, id),
    },
  });
  const { sourceUrl } = source.columns;
  return {
    result: { id },
    events: [specEvent(specEvents.created, { id, ...name }, { sourceURL: sourceUrl })] as const,
  };
}

/**
 * Gives the specification of this slug another source, which is processed from then on, or adds one. Needs `create` in
 * the organization. Throws what {@link createOpenApiSpec} does, but for a slug that is taken.
 */
export async function putOpenApiSpec(context: Context, input: SpecName & GivenSource): Promise<{ id: string }> {
  const spec = await specIfThere(context, input);
  if (spec) return setSource(context, spec, input);
  try {
    return await createOpenApiSpec(context, input);
  } catch (error) {
    if (!(error instanceof DomainError && error.code === "CONFLICT")) throw error;
    const added = await specIfThere(context, input); // by somebody just now
    if (!added) throw error;
    return setSource(context, added, input);
  }
}

async function setSource(context: Context, spec: SpecInHand, input: GivenSource): Promise<{ id: string }> {
  const { id } = spec;
  await requireAllowed(context, mayUpdateOpenApiSpec, spec);
  using source = await readGiven(context, input);
  await change(context, mayUpdateOpenApiSpec, spec, async (transaction) => {
    const before = await locked(transaction, spec);
    await source.keep(transaction);
    const now = context.clock.now();
    await transaction.openApiSpec.update({
      where: { id },
      data: { ...source.columns, ...toBeProcessed(now), updatedAt: now },
    });
    const changes = settingChanges<OpenApiSpecModel>(before, source.columns, { sourceUrl: "sourceURL" });
    const queued = specEvent(specProgressEvents.progressed, spec, { state: "pending" });
    const updated = changes.length > 0 ? [specEvent(specEvents.updated, spec, { changes })] : [];
    return { result: { id }, events: [queued, ...updated] };
  });
  process(context, id);
  return { id };
}

/** The specification as it is now, locked. NOT_FOUND where it has gone meanwhile. */
async function locked(transaction: Transaction, { id }: SpecInHand): Promise<OpenApiSpecModel> {
  await transaction.$executeRaw`select from "OpenApiSpec" where id = ${id} for update`;
  return found(await transaction.openApiSpec.findUnique({ where: { id } }), openApiSpecs.noun);
}

/**
 * Changes who may see a specification. Needs `create` in its organization; NOT_FOUND for one that the viewer may not
 * see.
 */
export async function updateOpenApiSpec(
  context: Context,
  { visibility, ...name }: SpecName & { visibility: OpenApiSpecVisibility },
): Promise<{ id: string }> {
  const spec = await specInHand(context, name);
  const { id } = spec;
  return changeIfAny(context, mayUpdateOpenApiSpec, spec, async (transaction) => {
    const before = await locked(transaction, spec);
    const changes = settingChanges<OpenApiSpecModel>(before, { visibility }, { visibility: ["visibility", enumValue] });
    if (changes.length === 0) return { result: { id }, events: [] };
    await transaction.openApiSpec.update({ where: { id }, data: { visibility, updatedAt: context.clock.now() } });
    return { result: { id }, events: [specEvent(specEvents.updated, spec, { changes })] };
  });
}

/**
 * Has the source of a specification processed now, whenever that was due. One that is being processed goes on. Needs
 * `create` in its organization; NOT_FOUND for one that the viewer may not see.
 */
export async function refreshOpenApiSpec(context: Context, name: SpecName): Promise<{ id: string }> {
  const spec = await specInHand(context, name);
  const { id } = spec;
  const now = context.clock.now();
  await changeIfAny(context, mayRefreshOpenApiSpec, spec, async (transaction) => {
    const { count } = await transaction.openApiSpec.updateMany({
      where: { id, OR: [{ leaseUntil: null }, { leaseUntil: { lt: now } }] },
      data: { state: "pending", dueAt: now },
    });
    const events = count > 0 ? [specEvent(specProgressEvents.progressed, spec, { state: "pending" })] : [];
    return { result: { id }, events };
  });
  process(context, id);
  return { id };
}

/** How many pages a refusal names. */
const namedPages = 10;

/** CONFLICT while pages are computed from it, with their number and the first of them that the viewer sees. */
async function requireUnused(transaction: Transaction, { viewer }: Context, spec: SpecInHand): Promise<void> {
  const { pages, count } = await findComputedPages(transaction, viewer, { spec, most: namedPages });
  if (count === 0) return;
  const used = count === 1 ? "A page is" : `${count} pages are`;
  throw new DomainError(
    "CONFLICT",
    `${used} computed from this specification: delete first what is computed, or use \`force\`.`,
    pages.map(({ spaceId, path }) => ({ path: "slug", message: `is used by the page ${path} of ${spaceId}.` })),
  );
}

/**
 * Deletes a specification with its versions. Needs `create` in its organization. Answers null for one that is not there
 * or that the viewer may not see; NOT_FOUND for the organization. CONFLICT, with their number and the first of them,
 * while pages are computed from it, unless with `force`: these are empty then.
 */
export async function deleteOpenApiSpec(
  context: Context,
  { force, ...name }: SpecName & { force?: boolean | null | undefined },
): Promise<Deleted & { organizationId: string }> {
  const { organizationId } = name;
  const spec = await specIfThere(context, name);
  if (!spec) return { deletedId: null, organizationId };
  return answersWith(context, { organizationId }, () =>
    deleteIfThere(context, mayDeleteOpenApiSpec, spec, async (transaction) => {
      if (!force) await requireUnused(transaction, context, spec);
      const { count } = await transaction.openApiSpec.deleteMany({ where: { id: spec.id } });
      return count > 0 ? specEvent(specFarewellEvents.deleted, spec) : null;
    }),
  );
}
