// Permission cases of an OpenAPI specification with their flags.
import type { PermissionCase, Fixture } from "#test/support/access/fixture.ts";

const named = ({ organization, spec }: Fixture) => ({ organizationId: organization.id, slug: spec.slug });

/** A URL without a server: it is only requested. */
const source = { url: "https://docs.example.com/openapi.json" };

const inputs: Readonly<Record<string, (fixture: Fixture) => object>> = {
  updateOpenApiSpec: (fixture) => ({ ...named(fixture), visibility: "PUBLIC" }),
  refreshOpenApiSpec: named,
};

export const permissionCases: readonly PermissionCase[] = [
  {
    mutation: "createOpenApiSpec",
    input: ({ organization }) => ({ organizationId: organization.id, slug: "another", source }),
    allowedBy: ["organization.createOpenAPISpec"],
    seen: ["organization"],
  },
  {
    mutation: "putOpenApiSpec",
    how: "a new one",
    input: ({ organization }) => ({ organizationId: organization.id, slug: "another", source }),
    allowedBy: ["organization.createOpenAPISpec"],
    seen: ["organization"],
  },
  {
    mutation: "putOpenApiSpec",
    how: "an existing one",
    input: (fixture) => ({ ...named(fixture), source }),
    allowedBy: ["spec.edit"],
    seen: ["organization"],
  },
  ...Object.entries(inputs).map(([mutation, input]): PermissionCase => ({
    mutation,
    input,
    allowedBy: ["spec.edit"],
    seen: ["organization", "spec"],
  })),
  {
    mutation: "deleteOpenApiSpec",
    input: named,
    allowedBy: ["spec.edit"],
    seen: ["organization", "spec"],
    deletes: "spec",
  },
];

export const nodes = { OpenApiSpec: "reading.test.ts", OpenApiSpecVersion: "reading.test.ts" };
