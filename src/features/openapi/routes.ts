// The /v1 operations on OpenAPI specifications (spec 2, section 4.10).
import { specLimits } from "#src/features/openapi/model/limits.ts";
import { defineRoutes } from "#src/rest/route.ts";

const tag = { name: "openapi-specs", description: "OpenAPI specifications and their versions." };

const specs = "/v1/orgs/{organizationId}/openapi";
const spec = `${specs}/{specSlug}` as const;
const named = { slug: "specSlug" };

const specFields = `
  fragment OpenApiSpecFields on OpenApiSpec {
    object id createdAt updatedAt slug title sourceURL processingState visibility lastVersion: lastVersionId
    lastProcessedAt lastProcessErrorCode lastProcessError lastProcessedErrorCount
    permissions { view edit }
    urls { location app published }
  }
`;

const versionFields = `
  fragment OpenApiSpecVersionFields on OpenApiSpecVersion {
    object id number createdAt url
    urls { location }
  }
`;

const ofSpec = { named, fields: specFields };
const ofVersion = { named, fields: versionFields };
const ofContent = { named, fields: "filesystem url urls { source public }" };

const source = "Source: an address, or the specification itself as JSON or YAML.";

/** The largest JSON form of a text of the largest size. */
const bodyLimit = 2 * specLimits.bytes;

/** Specifications are read without `organization`, which outsiders cannot see: public ones are for them, too. */
export const openApiRoutes = defineRoutes(() => tag, {
  listOpenApiSpecs: {
    request: `GET ${specs}`,
    summary: "List the OpenAPI specifications of an organization",
    list: true,
    answer: ["organization", "openApiSpecs"],
    fields: specFields,
  },
  createOpenApiSpec: {
    request: `POST ${specs}`,
    summary: "Add an OpenAPI specification",
    body: { slug: "Slug: lowercase letters, digits and single hyphens between them.", source },
    bodyLimit,
    success: 201,
    conflict: "The slug is taken.",
    answer: ["createOpenApiSpec", "openApiSpec"],
    fields: specFields,
  },
  getOpenApiSpec: {
    request: `GET ${spec}`,
    summary: "Get an OpenAPI specification",
    ...ofSpec,
    answer: ["openApiSpec"],
  },
  createOrUpdateOpenApiSpec: {
    request: `PUT ${spec}`,
    summary: "Add an OpenAPI specification, or replace its source",
    ...ofSpec,
    body: { source },
    bodyLimit,
    answer: ["putOpenApiSpec", "openApiSpec"],
  },
  updateOpenApiSpec: {
    request: `PATCH ${spec}`,
    summary: "Change the visibility of an OpenAPI specification",
    ...ofSpec,
    body: { visibility: "Visibility." },
    answer: ["updateOpenApiSpec", "openApiSpec"],
  },
  deleteOpenApiSpec: {
    request: `DELETE ${spec}`,
    summary: "Delete an OpenAPI specification with its versions",
    named,
    conflict: "Pages are computed from it: the message has their number, details the first ones.",
    answer: ["deleteOpenApiSpec", "deletedId"],
  },
  listOpenApiSpecVersions: {
    request: `GET ${spec}/versions`,
    summary: "List the versions of an OpenAPI specification",
    list: true,
    ...ofVersion,
    answer: ["openApiSpec", "versions"],
  },
  getLatestOpenApiSpecVersion: {
    request: `GET ${spec}/versions/latest`,
    summary: "Get the latest version of an OpenAPI specification; 404 before the first version",
    ...ofVersion,
    answer: ["openApiSpec", "lastVersion"],
  },
  getLatestOpenApiSpecVersionContent: {
    request: `GET ${spec}/versions/latest/content`,
    summary: "Get the content of the latest version of an OpenAPI specification",
    ...ofContent,
    answer: ["openApiSpec", "lastVersion", "content"],
  },
  getOpenApiSpecVersion: {
    request: `GET ${spec}/versions/{versionId}`,
    summary: "Get a version of an OpenAPI specification",
    ...ofVersion,
    answer: ["openApiSpec", "version"],
  },
  getOpenApiSpecVersionContent: {
    request: `GET ${spec}/versions/{versionId}/content`,
    summary: "Get the content of a version of an OpenAPI specification",
    ...ofContent,
    answer: ["openApiSpec", "version", "content"],
  },
});
