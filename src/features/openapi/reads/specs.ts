// Reads OpenAPI specifications, their versions, and the files of these.
import type { Viewer } from "#src/access/viewer.ts";
import { sql } from "#src/db/connection/database.ts";
import { entity, type Stored, type Projection } from "#src/db/reading/entity.ts";
import { byNumber, byTime } from "#src/db/reading/orders.ts";
import type { PageList } from "#src/db/reading/page-list.ts";
import type { Context } from "#src/domain/context.ts";
import { canSeeSpec, canSeeWithSpec } from "#src/features/openapi/access.ts";
import type { SpecAddressParts } from "#src/features/openapi/reads/addresses.ts";
import { Prisma } from "#src/generated/prisma/client.ts";
import type { OpenApiSpecModel, OpenApiSpecVersionModel } from "#src/generated/prisma/models.ts";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { parseExact } from "#src/features/openapi/model/exact.ts";
import type { SpecDocument } from "#src/features/openapi/model/spec-document.ts";

interface OpenApiSpecRow extends Omit<Stored<OpenApiSpecModel>, "addressKey"> {}

const { addressKey: _secret, ...columns } = Prisma.OpenApiSpecScalarFieldEnum;

type OpenApiSpecVersionRow = Stored<OpenApiSpecVersionModel> & { specAddress: SpecAddressParts };

declare module "#src/db/reading/entity.ts" {
  interface Rows {
    OpenApiSpec: OpenApiSpecRow;
    OpenApiSpecVersion: OpenApiSpecVersionRow;
  }
}

export const openApiSpecs = entity<OpenApiSpecRow, Viewer>({
  kind: "OpenApiSpec",
  noun: "OpenAPI specification",
  stored: columns,
  visible: canSeeSpec,
});

export const openApiSpecsOfOrganization: PageList<OpenApiSpecRow, Viewer> = {
  entity: openApiSpecs,
  parent: sql`t."organizationId" = p.id`,
  visible: "by its own rule",
  order: byTime("createdAt"),
};

export const openApiSpecVersions = entity<OpenApiSpecVersionRow, Viewer>({
  kind: "OpenApiSpecVersion",
  noun: "version of the OpenAPI specification",
  derived: {
    specAddress:
      () => sql`(select json_build_object('specId', s.id, 'organizationId', s."organizationId", 'slug', s."slug",
      'visibility', s."visibility", 'addressKey', translate(encode(s."addressKey", 'base64'), E'\\n', '')) from "OpenApiSpec" s where s.id = t."specId")`,
  },
  visible: canSeeWithSpec,
});

export const versionsOfSpec: PageList<OpenApiSpecVersionRow, Viewer> = {
  entity: openApiSpecVersions,
  parent: sql`t."specId" = p.id`,
  visible: "with parent",
  order: byNumber,
};

/** The specification of a name in an organization; the id of the parent joins both by a space. */
const specOfName: PageList<OpenApiSpecRow, Viewer> = {
  entity: openApiSpecs,
  parent: sql`(t.id = split_part(p.id, ' ', 2)
    or (t."organizationId" = split_part(p.id, ' ', 1) and t."slug" = split_part(p.id, ' ', 2)))`,
  visible: "by its own rule",
  order: byTime("createdAt"),
};

/** The specification that a slug or id names in an organization; null if the viewer sees none. Loads are batched. */
export function findSpecOfName(
  { reader }: Context,
  { organizationId, name }: { organizationId: string; name: string },
  projection: Projection,
): Promise<OpenApiSpecRow | null> {
  return reader.pick(specOfName, { id: `${organizationId} ${name}` }, { key: {}, projection });
}

type At = Pick<Context, "database" | "files">;

/** The document of a version as a stream of JSON; null if the version does not exist. Callers check rights. */
export async function openSpecDocument({ database, files }: At, versionId: string): Promise<Readable | null> {
  const [version] = await database.query<{ document: string }>(
    sql`select v."document" from "OpenApiSpecVersion" v where v.id = ${versionId}`,
  );
  return version ? files.open(version.document) : null;
}

/** The address that the specification of a version is fetched from; null if it was given. */
export async function findSource({ database }: At, versionId: string): Promise<string | null> {
  const [spec] = await database.query<{ sourceUrl: string | null }>(
    sql`select s."sourceUrl" from "OpenApiSpecVersion" v join "OpenApiSpec" s on s.id = v."specId" where v.id = ${versionId}`,
  );
  return spec?.sourceUrl ?? null;
}

/** The parsed document of a version: some megabytes for the largest. */
export async function readSpecDocument(at: At, versionId: string): Promise<SpecDocument | null> {
  const bytes = await openSpecDocument(at, versionId);
  return bytes ? (parseExact(await text(bytes)) as SpecDocument) : null; // `document` stores nothing else
}

/**
 * The parsed files by path, with numbers as they are written; `filesystem` is their blob. INVALID_INPUT beyond the
 * budget of the operation.
 */
export async function readFilesystem({ files, reader }: Context, filesystem: string): Promise<unknown> {
  const [stored, bytes] = [await files.find(filesystem), await files.open(filesystem)];
  if (!stored || !bytes) throw new Error(`The files ${filesystem} are not in the store`);
  try {
    reader.budget.takeText(stored.size);
  } catch (error) {
    bytes.destroy();
    throw error;
  }
  return parseExact(await text(bytes));
}
