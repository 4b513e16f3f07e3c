// The OpenAPI 3.1 description of what is routed, made from the rows and from the GraphQL types behind their documents.
import { errorCodes } from "#src/base/errors.ts";
import { pageSize } from "#src/db/reader.ts";
import type { Endpoint } from "#src/rest/endpoint.ts";
import type { Parameter } from "#src/rest/parameters.ts";
import { SchemaWriter, typeSchema } from "#src/rest/json-schema.ts";

type Json = Readonly<Record<string, unknown>>;

/** The refusals that an operation may answer, by the contract's rule: 404 only where the path names something. */
const refusals = {
  BadRequest: 400,
  Unauthorized: 401,
  Forbidden: 403,
  NotFound: 404,
} as const;

/** Describes endpoints as an OpenAPI document. */
export function describeEndpoints(endpoints: readonly Endpoint[]): Json {
  const schemas = new SchemaWriter();
  const paths: Record<string, Record<string, Json>> = {};
  for (const endpoint of endpoints) {
    const { path, method } = endpoint.route;
    (paths[path] ??= {})[method.toLowerCase()] = describeEndpoint(endpoint, schemas);
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "docgraph REST interface",
      version: "1.0.0",
      description: "The /v1 operations that this gateway serves; each runs a GraphQL operation of the same name.",
    },
    servers: [{ url: "/" }],
    security: [{ bearerAuth: [] }],
    paths,
    components: {
      securitySchemes: { bearerAuth: { type: "http", scheme: "bearer" } },
      parameters: pagingParameters(endpoints),
      responses: Object.fromEntries(Object.entries(refusals).map(([name, status]) => [name, refusal(status)])),
      schemas: { ...schemas.components, Error: errorSchema },
    },
  };
}

function describeEndpoint({ route, parameters, shape }: Endpoint, schemas: SchemaWriter): Json {
  const item = schemas.schemaOf(shape);
  const described = parameters.map((parameter) => (isPaging(parameter) ? reference(parameter) : describe(parameter)));
  const names = Object.entries(refusals).filter(([name]) => name !== "NotFound" || route.path.includes("{"));
  return {
    operationId: route.operationId,
    summary: route.summary,
    ...(described.length > 0 && { parameters: described }),
    responses: {
      200: {
        description: route.list ? "One page of the list." : `The ${route.noun}.`,
        content: { "application/json": { schema: route.list ? listSchema(item) : item } },
      },
      ...Object.fromEntries(names.map(([name, status]) => [status, { $ref: `#/components/responses/${name}` }])),
    },
  };
}

function isPaging({ place, name, variable }: Parameter): boolean {
  return place === "query" && name !== variable;
}

function componentName({ name }: Parameter): string {
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

function reference(parameter: Parameter): Json {
  return { $ref: `#/components/parameters/${componentName(parameter)}` };
}

function pagingParameters(endpoints: readonly Endpoint[]): Json {
  const paging = endpoints.flatMap(({ parameters }) => parameters.filter(isPaging));
  return Object.fromEntries(paging.map((parameter) => [componentName(parameter), describe(parameter)]));
}

function describe(parameter: Parameter): Json {
  const { name, place, required, description, isList, type } = parameter;
  const limits = name === "limit" && isPaging(parameter) ? { minimum: 1, maximum: pageSize.max } : {};
  const preset = parameter.default === undefined ? {} : { default: parameter.default };
  const schema = isList ? { type: "array", items: typeSchema(type) } : { ...typeSchema(type), ...limits, ...preset };
  return { name, in: place, required, description, schema };
}

function listSchema(items: Json): Json {
  return {
    type: "object",
    required: ["items", "count"],
    properties: {
      items: { type: "array", items },
      count: { type: "integer", minimum: 0, description: "Number of all matching items, over all pages." },
      next: {
        type: "object",
        description: "Pointer to the following page; missing on the last one.",
        required: ["page"],
        properties: { page: { type: "string" } },
      },
    },
  };
}

function refusal(status: number): Json {
  const known = Object.values(errorCodes).find((code) => code.status === status);
  return {
    description: known?.message ?? "",
    ...(status === errorCodes.UNAUTHENTICATED.status && {
      headers: { "WWW-Authenticate": { description: "Always `Bearer`.", schema: { type: "string" } } },
    }),
    content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } },
  };
}

const errorSchema: Json = {
  type: "object",
  description: "Body of every failed call.",
  required: ["error"],
  properties: {
    error: {
      type: "object",
      required: ["code", "message"],
      properties: {
        code: { type: "integer", description: "The HTTP status, repeated." },
        message: { type: "string", description: "What went wrong, for a person." },
        details: {
          type: "array",
          description: "One entry for each rejected piece of input.",
          items: {
            type: "object",
            required: ["path", "message"],
            properties: {
              path: { type: "string", description: "JSON pointer into the body, or the name of the parameter." },
              message: { type: "string", description: "What is wrong there." },
            },
          },
        },
      },
    },
  },
};
