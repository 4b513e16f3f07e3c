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
import { OpenApiSpecVisibility } from "#src/features/openapi/type.ts";
import { organizations } from "#src/features/organizations/reads.ts";
import { builder, type InputFields } from "#src/graph/schema/builder.ts";
import { createdPayload, defineMutation, deletedPayload, rowPayload } from "#src/graph/schema/mutations.ts";
import { limited } from "#src/graph/schema/rest-forms.ts";

const OpenApiSpecSourceInput = builder.inputType("OpenApiSpecSourceInput", {
  description: "Where an OpenAPI specification comes from: exactly one of the fields.",
  isOneOf: true,
  fields: (t) => ({
    url: t.string({
      extensions: limited({ format: "uri", maxLength: 2048 }),
      description: "The address at which it is, with what it refers to; it is fetched again every six hours.",
    }),
    text: t.string({
      description:
        "The specification itself as JSON or YAML, without references to other files. One that is too long for a request of GraphQL is sent as `file`.",
    }),
    file: t.field({
      type: "Upload",
      description:
        "A document as JSON or YAML, or a ZIP archive of one of several files, which begins with `openapi.yaml`, `openapi.json` or `swagger.json`; at most 10 MB.",
    }),
  }),
});

const named = (t: InputFields) => ({
  organizationId: t.id({ required: true, description: "Id of the organization." }),
  slug: t.string({
    required: true,
    extensions: limited({ minLength: 1, maxLength: slugLimit, pattern: slugPattern }),
    description: "Its slug: small letters and digits with - between, at most 100.",
  }),
});

const withSource = (t: InputFields) => ({
  ...named(t),
  source: t.field({ type: OpenApiSpecSourceInput, required: true, description: "Where it comes from." }),
});

const rights = "Needs the role `create` in the organization.";
const processed =
  "Its source is processed from then on, and `openApiEvents` tells of it: what it refers to is fetched, all of it is checked, and becomes a version.";

const created = createdPayload("openApiSpec", openApiSpecsOfOrganization, {
  description: "The specification.",
  in: "Organization.openApiSpecs",
});
const payload = rowPayload("openApiSpec", openApiSpecs, "The specification.");

defineMutation({
  name: "createOpenApiSpec",
  description: `Adds an OpenAPI specification, which is private. ${processed} CONFLICT for a slug that is taken. ${rights}`,
  input: withSource,
  run: (input, context) => createOpenApiSpec(context, input),
  checkBeforeFiles: (input, context) => checkGiven(context, input, false),
  payload: created,
});

defineMutation({
  name: "putOpenApiSpec",
  description: `Gives the OpenAPI specification of a slug another source, or adds one. ${processed} ${rights}`,
  input: withSource,
  run: (input, context) => putOpenApiSpec(context, input),
  checkBeforeFiles: (input, context) => checkGiven(context, input, true),
  payload: created,
});

defineMutation({
  name: "updateOpenApiSpec",
  description: `Changes who may read an OpenAPI specification. ${rights}`,
  input: (t) => ({
    ...named(t),
    visibility: t.field({ type: OpenApiSpecVisibility, required: true, description: "Who may read it." }),
  }),
  run: (input, context) => updateOpenApiSpec(context, input),
  payload,
});

defineMutation({
  name: "refreshOpenApiSpec",
  description: `Has the source of an OpenAPI specification fetched and processed now. Where that goes on already, nothing changes. ${rights}`,
  input: named,
  run: (input, context) => refreshOpenApiSpec(context, input),
  payload,
});

defineMutation({
  name: "deleteOpenApiSpec",
  description: `Deletes an OpenAPI specification with its versions. CONFLICT, with the first of them, while pages are computed from it. ${rights}`,
  input: (t) => ({
    ...named(t),
    force: t.boolean({ description: "Whether it is deleted although pages are computed from it." }),
  }),
  run: (input, context) => deleteOpenApiSpec(context, input),
  payload: (t) => ({
    ...deletedPayload(t),
    organization: t.row(organizations, "organizationId", "The organization that it was in."),
  }),
});
