// Permission cases of an OpenAPI specification with their flags.
import type { Deed, Stage } from "#test/support/access/stage.ts";

const named = ({ organization, spec }: Stage) => ({ organizationId: organization.id, slug: spec.slug });

/** A URL without a server: it is only requested. */
const source = { url: "https://docs.example.com/openapi.json" };

const inputs: Readonly<Record<string, (stage: Stage) => object>> = {
  updateOpenApiSpec: (stage) => ({ ...named(stage), visibility: "PUBLIC" }),
  refreshOpenApiSpec: named,
};

export const deeds: readonly Deed[] = [
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
    input: (stage) => ({ ...named(stage), source }),
    allowedBy: ["spec.edit"],
    seen: ["organization"],
  },
  ...Object.entries(inputs).map(([mutation, input]): Deed => ({
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
