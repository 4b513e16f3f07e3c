// Mutations on OpenAPI specifications.
import {
  checkGiven,
  createOpenApiSpec,
  deleteOpenApiSpec,
  putOpenApiSpec,
  refreshOpenApiSpec,
  updateOpenApiSpec,
} from "#src/features/openapi/commands/specs.ts";
import { slugLimit, slugPattern } from "#src/features/openapi/model/limits.ts";
import { openApiSpecs, openApiSpecsOfOrganization } from "#src/features/openapi/reads/specs.ts";
import { OpenApiSpecVisibility } from "#src/features/openapi/type/specification.ts";
import { organizations } from "#src/features/organizations/reads.ts";
import { builder, type InputFields } from "#src/graph/schema/builder.ts";
import { createdPayload, defineMutation, deletedPayload, rowPayload } from "#src/graph/schema/mutations.ts";
import { limited } from "#src/graph/schema/rest-forms.ts";

const OpenApiSpecSourceInput = builder.inputType("OpenApiSpecSourceInput", {
  description: "The source of an OpenAPI specification: set exactly one of the fields.",
  isOneOf: true,
  fields: (t) => ({
    url: t.string({
      extensions: limited({ format: "uri", maxLength: 2048 }),
      description: "Address of the specification, which is fetched with its references, and again every six hours.",
    }),
    text: t.string({
      description:
        "The specification itself as JSON or YAML, without references to other files. Upload it as `file` if it is too long for a GraphQL request.",
    }),
    file: t.field({
      type: "Upload",
      description:
        "A document as JSON or YAML, or a ZIP archive of several files with the root document `openapi.yaml`, `openapi.json` or `swagger.json`; at most 10 MB.",
    }),
  }),
});

const named = (t: InputFields) => ({
  organizationId: t.id({ required: true, description: "Id of the organization." }),
  slug: t.string({
    required: true,
    extensions: limited({ minLength: 1, maxLength: slugLimit, pattern: slugPattern }),
    description: "Slug: at most 100 lowercase letters, digits and single hyphens between them.",
  }),
});

const withSource = (t: InputFields) => ({
  ...named(t),
  source: t.field({ type: OpenApiSpecSourceInput, required: true, description: "Source." }),
});

const rights = "Needs the role `create` in the organization.";
const processed =
  "Its source is processed in the background: the gateway fetches references, validates the specification, and creates a version. `openApiEvents` reports progress and result.";

const created = createdPayload("openApiSpec", openApiSpecsOfOrganization, {
  description: "The specification.",
  in: "Organization.openApiSpecs",
});
const payload = rowPayload("openApiSpec", openApiSpecs, "The specification.");

defineMutation({
  name: "createOpenApiSpec",
  description: `Adds an OpenAPI specification, which is private. ${processed} CONFLICT if the slug is taken. ${rights}`,
  input: withSource,
  run: (input, context) => createOpenApiSpec(context, input),
  checkBeforeFiles: (input, context) => checkGiven(context, input, false),
  payload: created,
});

defineMutation({
  name: "putOpenApiSpec",
  description: `Replaces the source of the OpenAPI specification with a slug, or adds the specification. ${processed} ${rights}`,
  input: withSource,
  run: (input, context) => putOpenApiSpec(context, input),
  checkBeforeFiles: (input, context) => checkGiven(context, input, true),
  payload: created,
});

defineMutation({
  name: "updateOpenApiSpec",
  description: `Changes the visibility of an OpenAPI specification. ${rights}`,
  input: (t) => ({
    ...named(t),
    visibility: t.field({ type: OpenApiSpecVisibility, required: true, description: "Visibility." }),
  }),
  run: (input, context) => updateOpenApiSpec(context, input),
  payload,
});

defineMutation({
  name: "refreshOpenApiSpec",
  description: `Fetches and processes the source of an OpenAPI specification now. Changes nothing if that is already running. ${rights}`,
  input: named,
  run: (input, context) => refreshOpenApiSpec(context, input),
  payload,
});

defineMutation({
  name: "deleteOpenApiSpec",
  description: `Deletes an OpenAPI specification with its versions. CONFLICT while pages are computed from it; the details list the first ones. ${rights}`,
  input: (t) => ({
    ...named(t),
    force: t.boolean({ description: "Whether to delete it even if pages are computed from it." }),
  }),
  run: (input, context) => deleteOpenApiSpec(context, input),
  payload: (t) => ({
    ...deletedPayload(t),
    organization: t.row(organizations, "organizationId", "The organization that owned it."),
  }),
});
