// Access to OpenAPI specifications: members see all, others public ones. The role `create` allows changes.
import type { Viewer } from "#src/access/viewer.ts";
import { type Sql, sql } from "#src/db/connection/database.ts";
import { actionsOn } from "#src/domain/change.ts";
import { type InOrganization, onOrganization, organizationPermissions } from "#src/features/organizations/access.ts";

/** The visibility rule of specifications `t`. */
export const canSeeSpec = ({ memberOf }: Viewer): Sql =>
  sql`(t."organizationId" = any(${memberOf}::text[]) or t."visibility" = 'public')`;

/** The visibility rule of versions `t`, which are visible with their specification. */
export const canSeeWithSpec = (viewer: Viewer): Sql =>
  sql`t."specId" in (select t.id from "OpenApiSpec" t where ${canSeeSpec(viewer)})`;

/** The flags of a visible specification. */
export function specPermissions(viewer: Viewer, { organizationId }: InOrganization) {
  return { view: true, edit: organizationPermissions(viewer, organizationId).createOpenAPISpec };
}

const onSpec = actionsOn(specPermissions);
const refusal = "You need the role create in an organization to change its OpenAPI specifications.";

export const mayCreateOpenApiSpec = onOrganization(
  "createOpenAPISpec",
  "openApiSpec.create",
  "You need the role create in an organization to add OpenAPI specifications.",
);
export const mayUpdateOpenApiSpec = onSpec("edit", "openApiSpec.update", refusal);
export const mayRefreshOpenApiSpec = onSpec("edit", "openApiSpec.refresh", refusal);
export const mayDeleteOpenApiSpec = onSpec("edit", "openApiSpec.delete", refusal);
