// Who may see OpenAPI specifications: members of their organization that are no guests, and everybody the public ones.
// Whoever may create them in the organization may change them.
import type { Viewer } from "#src/access/viewer.ts";
import { type Sql, sql } from "#src/db/connection/database.ts";
import { actionsOn } from "#src/domain/change.ts";
import { type InOrganization, onOrganization, organizationPermissions } from "#src/features/organizations/access.ts";

/** The visibility rule of specifications; the specification is `t`. */
export function canSeeSpec(viewer: Viewer): Sql {
  return sql`(t."organizationId" = any(${viewer.memberOf}::text[]) or t."visibility" = 'public')`;
}

/** The visibility rule of versions, which are seen with their specification; the version is `t`. */
export function canSeeWithSpec(viewer: Viewer): Sql {
  return sql`t."specId" in (select t.id from "OpenApiSpec" t where ${canSeeSpec(viewer)})`;
}

/** The flags of a specification that was read: `view` is true, since only what may be viewed is ever read. */
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
