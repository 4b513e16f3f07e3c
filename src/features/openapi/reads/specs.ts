// Reads OpenAPI specifications and their versions.
import type { Viewer } from "#src/access/viewer.ts";
import { sql } from "#src/db/connection/database.ts";
import { entity, type Stored, type Projection } from "#src/db/reading/entity.ts";
import { byTime } from "#src/db/reading/orders.ts";
import type { PageList } from "#src/db/reading/page-list.ts";
import type { Context } from "#src/domain/context.ts";
import { canSeeSpec, canSeeWithSpec } from "#src/features/openapi/access.ts";
import type { SpecAddressParts } from "#src/features/openapi/reads/addresses.ts";
import { Prisma } from "#src/generated/prisma/client.ts";
import type { OpenApiSpecModel, OpenApiSpecVersionModel } from "#src/generated/prisma/models.ts";

interface OpenApiSpecRow extends Omit<Stored<OpenApiSpecModel>, "addressKey"> {}

const { addressKey: _secret, ...columns } = Prisma.OpenApiSpecScalarFieldEnum;

interface OpenApiSpecVersionRow extends Stored<OpenApiSpecVersionModel> {
  specAddress: SpecAddressParts;
}

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
  order: { name: "number", key: sql`t."number"`, type: "int4", direction: "desc" },
};

/** The specification of a name in an organization; the id of the parent is both, with a blank between. */
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
