// The OpenAPI 3.1 description of the routes, made from their declarations and the GraphQL types of their documents.
import { errorCodes, retryAfter } from "#src/base/errors.ts";
import { keyLengths } from "#src/domain/idempotency.ts";
import type { Endpoint } from "#src/rest/endpoint.ts";
import { bodySchema, SchemaWriter, typeSchema } from "#src/rest/description/schemas.ts";
import { pathExamples } from "#src/rest/description/path-examples.ts";
import { richDocumentSchemas } from "#src/rest/description/rich-document-schema.ts";
import type { Parameter } from "#src/rest/request/parameters.ts";
import type { Route } from "#src/rest/route.ts";
import { readFile } from "node:fs/promises";

type Json = Readonly<Record<string, unknown>>;

const refusals = {
  BadRequest: 400,
  Unauthorized: 401,
  Forbidden: 403,
  NotFound: 404,
  Conflict: 409,
  TooLarge: 413,
  UnsupportedMediaType: 415,
  KeyReused: 422,
  TooManyRequests: 429,
  InternalError: 500,
  Unavailable: 503,
} as const;
type RefusalName = keyof typeof refusals;
const refusalNames = Object.keys(refusals) as RefusalName[]; // its own keys

export const descriptionInfo = { title: "docgraph REST interface", version: "1.0.0" };

interface Described {
  /** The address of the gateway. */
  readonly url?: string;
  /** Where the examples of paths are found (see path-examples.ts). */
  readonly ids?: unknown;
}

/** Describes endpoints as an OpenAPI document, with their examples. */
export function describeEndpoints(
  endpoints: readonly Endpoint[],
  examples: Examples = {},
  { url = "/", ids }: Described = {},
): Json {
  const schemas = new SchemaWriter();
  const paths: Record<string, Record<string, Json>> = {};
  for (const endpoint of endpoints) {
    const { path, method, operationId } = endpoint.route;
    const example = { ...examples[operationId], path: pathExamples(path, ids) };
    (paths[path] ??= {})[method.toLowerCase()] = describeEndpoint(endpoint, schemas, example);
  }
  return {
    openapi: "3.1.0",
    info: {
      ...descriptionInfo,
      license: { name: "MIT", identifier: "MIT" },
      description: "The /v1 operations that this gateway serves; each runs a GraphQL operation.",
    },
    servers: [{ url }],
    security: [{ bearerAuth: [] }],
    tags: tagsOf(endpoints),
    paths,
    components: {
      securitySchemes,
      parameters: { ...pagingParameters(endpoints), IdempotencyKey: keyHeader },
      responses: Object.fromEntries(refusalNames.map((name) => [name, refusal(refusals[name])])),
      schemas: { ...schemas.components, ...richDocumentSchemas, Error: errorSchema },
    },
  };
}

function describeEndpoint(
  { route, about, inputs, shape, beside }: Endpoint,
  schemas: SchemaWriter,
  example: Example & { readonly path: Readonly<Record<string, string>> },
) {
  const described = [
    ...inputs.parameters.map((parameter) =>
      parameter.isPaging ? reference(parameter) : describe(parameter, example.path),
    ),
    ...(takesKey(route) ? [{ $ref: "#/components/parameters/IdempotencyKey" }] : []),
  ];
  const possible = refusalNames.filter((name) => isPossible(name, { route, inputs }));
  const description = [
    ...(route.isAddition ? [addition] : []),
    ...(route.deprecated ? [replacedBy(route.deprecated.successor)] : []),
    ...(about === "" ? [] : [about]),
  ];
  return {
    operationId: route.operationId,
    tags: [route.tag.name],
    summary: route.summary,
    ...(description.length > 0 && { description: description.join("\n\n") }),
    ...(route.isAddition && { "x-docgraph-addition": true }),
    ...(route.deprecated && { deprecated: true }),
    ...(route.openToVisitors && { security: [{ bearerAuth: [] }, { visitorToken: [] }, {}] }),
    ...(described.length > 0 && { parameters: described }),
    ...(inputs.properties && {
      requestBody: { required: inputs.isBodyRequired, content: asJson(bodySchema(inputs.properties), example.body) },
    }),
    responses: {
      ...describeSuccess(route, () => answerSchema(schemas, { route, shape, beside }), example.answer),
      ...Object.fromEntries(possible.map((name) => [refusals[name], describeRefusal(name, route)])),
    },
  };
}

/** Authentication: an API token, except for operations open to visitors, who may have a token of their own. */
const securitySchemes: Json = {
  bearerAuth: { type: "http", scheme: "bearer" },
  visitorToken: {
    type: "apiKey",
    in: "header",
    name: "x-visitor-token",
    description: "A JWT that the owner of a published site has issued to one of its visitors.",
  },
};

const addition = "An addition of docgraph, which is not part of the documented contract.";
const replacedBy = (path: string) =>
  `Deprecated: use ${path}. Responses are marked by the headers Deprecation (RFC 9745) and Link.`;

/** The contract's rules: 400 needs a query, body or path pattern; 404 a path that names something; 409 is declared. */
function isPossible(refusal: RefusalName, { route, inputs }: Pick<Endpoint, "route" | "inputs">): boolean {
  const ids = route.path.match(/(?:Id|Slug|Name)\}/g)?.length ?? 0;
  if (refusal === "BadRequest")
    return (
      inputs.properties !== null ||
      inputs.parameters.some(({ place, limits }) => place === "query" || limits["pattern"] !== undefined)
    );
  if (refusal === "NotFound") return ids > (route.success === "deleted" ? 1 : 0);
  if (refusal === "Conflict") return route.conflict !== undefined || takesKey(route);
  if (refusal === "KeyReused") return takesKey(route);
  if (refusal === "TooLarge") return inputs.properties !== null || route.tooLarge !== undefined;
  if (refusal === "UnsupportedMediaType") return inputs.properties !== null;
  return true;
}

const takesKey = ({ method }: Route): boolean => method !== "GET";

const keyHeader: Json = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  description:
    "A text that the client generates for each change, such as a UUID. For 24 hours a repeated request with the same key is not executed again: it returns the first response, with `Idempotency-Replayed: true`. Another request with the key is rejected (422), and so is a repetition while the first is still running (409). An addition of docgraph.",
  schema: { type: "string", minLength: keyLengths.least, maxLength: keyLengths.most, pattern: "^[!-~]+$" },
};

function describeRefusal(name: RefusalName, { conflict, tooLarge }: Route): Json {
  const description = name === "Conflict" ? (conflict ?? keyInUse) : name === "TooLarge" ? tooLarge : undefined;
  return { $ref: `#/components/responses/${name}`, ...(description !== undefined && { description }) };
}

const keyInUse = "A request with the same Idempotency-Key is still running.";

function tagsOf(endpoints: readonly Endpoint[]): Json[] {
  const tags = new Map(endpoints.map(({ route: { tag } }) => [tag.name, { ...tag }]));
  return [...tags.values()];
}

const asJson = (schema: Json, example?: unknown): Json => ({
  "application/json": { schema, ...(example !== undefined && { example }) },
});

function answerSchema(schemas: SchemaWriter, { route, shape, beside }: Pick<Endpoint, "route" | "shape" | "beside">) {
  const item = schemas.schemaOf(shape);
  return route.list
    ? listSchema(item, Object.fromEntries(Object.entries(beside).map(([name, of]) => [name, schemas.schemaOf(of)])))
    : item;
}

function describeSuccess({ success, list, withoutBody }: Route, schemaOfAnswer: () => Json, example: unknown): Json {
  if (success === 204 || withoutBody) return { [success]: { description: "Done." } };
  if (success === "deleted")
    return { 204: { description: "The object did not exist." }, 205: { description: "Deleted." } };
  const description = list ? "One page of the list." : success === 201 ? "The created object." : "The result.";
  return { [success]: { description, content: asJson(schemaOfAnswer(), example) } };
}

const componentName = ({ name }: Parameter): string => `${name.charAt(0).toUpperCase()}${name.slice(1)}`;

const reference = (parameter: Parameter): Json => ({ $ref: `#/components/parameters/${componentName(parameter)}` });

function pagingParameters(endpoints: readonly Endpoint[]): Json {
  const paging = endpoints.flatMap(({ inputs }) => inputs.parameters.filter(({ isPaging }) => isPaging));
  return Object.fromEntries(paging.map((parameter) => [componentName(parameter), describe(parameter, {})]));
}

function describe(parameter: Parameter, examples: Readonly<Record<string, string>>): Json {
  const { name, place, required, description, isList, type, limits } = parameter;
  const preset = parameter.default === undefined ? {} : { default: parameter.default };
  const schema = isList
    ? { type: "array", items: typeSchema(type), ...limits }
    : { ...typeSchema(type), ...limits, ...preset };
  const example = place === "path" ? examples[name] : undefined;
  return { name, in: place, required, description, schema, ...(example !== undefined && { example }) };
}

function listSchema(items: Json, beside: Readonly<Record<string, Json>>): Json {
  return {
    type: "object",
    required: ["items", "count", ...Object.keys(beside)],
    properties: {
      items: { type: "array", items },
      count: { type: "integer", minimum: 0, description: "Number of all matching items, over all pages." },
      next: {
        type: "object",
        description: "Pointer to the next page; absent on the last page.",
        required: ["page"],
        properties: { page: { type: "string" } },
      },
      ...beside,
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
    ...(retryAfter(status) !== null && {
      headers: { "Retry-After": { description: "Seconds to wait.", schema: { type: "integer", minimum: 0 } } },
    }),
    content: asJson({ $ref: "#/components/schemas/Error" }),
  };
}

const errorSchema: Json = {
  type: "object",
  description: "Body of every failed request.",
  required: ["error"],
  properties: {
    error: {
      type: "object",
      required: ["code", "type", "message"],
      properties: {
        code: { type: "integer", description: "The HTTP status." },
        type: {
          type: "string",
          enum: Object.keys(errorCodes),
          description: "The error code, for programs: the `extensions.code` of GraphQL.",
        },
        message: { type: "string", description: "What is wrong and what to do, for people." },
        details: {
          type: "array",
          description: "One entry for each rejected property of the input.",
          items: {
            type: "object",
            required: ["path", "message"],
            properties: {
              path: { type: "string", description: "JSON pointer into the body, or the name of a parameter." },
              message: { type: "string", description: "What is wrong with this property." },
            },
          },
        },
      },
    },
  },
};

/** The request and response of an operation, as JSON; absent without a body. */
export interface Example {
  readonly body?: unknown;
  /** The body of the response to it, or to a request without one. */
  readonly answer?: unknown;
}

export type Examples = Readonly<Record<string, Example>>;

/** Reads the requests and responses of the demo, which `npm run examples` writes. */
export async function readExamples(): Promise<Examples> {
  const text = await readFile(new URL("examples.json", import.meta.url), "utf8");
  return JSON.parse(text) as Examples; // a test writes the file in this form
}
