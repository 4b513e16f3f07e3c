// The document of a version: OpenAPI 3.1 without references to other documents, limited to the parts read here.

/** A value, or a reference to one: `$ref` is `#` and a JSON pointer. */
export type OrReference<Value> = Value | { readonly $ref: string };

/** Values by untrusted names: only own properties count. */
type Named<Value> = Readonly<Record<string, Value>>;

/** A valid document; validation does not check the contents of schemas, examples and extensions. */
export interface SpecDocument {
  readonly openapi: string;
  readonly info: SpecInfo;
  readonly servers?: readonly SpecServer[];
  readonly paths?: Named<OrReference<PathItem>>;
  readonly webhooks?: Named<OrReference<PathItem>>;
  readonly components?: SpecComponents;
  readonly security?: readonly SecurityRequirement[];
  readonly tags?: readonly SpecTag[];
  readonly externalDocs?: ExternalDocs;
}

interface SpecInfo {
  readonly title: string;
  readonly version: string;
  readonly summary?: string;
  readonly description?: string;
}

export type SpecServer = { readonly url: string; readonly description?: string; readonly variables?: Named<unknown> };
type SpecTag = { readonly name: string; readonly description?: string; readonly externalDocs?: ExternalDocs };
export type ExternalDocs = { readonly url: string; readonly description?: string };
export type SpecMethod = "get" | "put" | "post" | "delete" | "options" | "head" | "patch" | "trace";

export type PathItem = Readonly<Partial<Record<SpecMethod, Operation>>> & {
  readonly summary?: string;
  readonly description?: string;
  readonly servers?: readonly SpecServer[];
  readonly parameters?: readonly OrReference<Parameter>[];
};

export interface Operation {
  readonly operationId?: string;
  readonly summary?: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly deprecated?: boolean;
  readonly parameters?: readonly OrReference<Parameter>[];
  readonly requestBody?: OrReference<RequestBody>;
  readonly responses?: Named<OrReference<SpecResponse>>;
  readonly callbacks?: Named<OrReference<Callback>>;
  readonly security?: readonly SecurityRequirement[];
  readonly servers?: readonly SpecServer[];
  readonly externalDocs?: ExternalDocs;
}

/** Path items by expressions, which evaluate to the addresses that the server calls. */
export type Callback = Named<OrReference<PathItem>>;
export type Parameter = Header & { readonly name: string; readonly in: "path" | "query" | "header" | "cookie" };

export interface Header {
  readonly description?: string;
  readonly required?: boolean;
  readonly deprecated?: boolean;
  readonly style?: string;
  readonly explode?: boolean;
  readonly schema?: Schema;
  readonly content?: Named<MediaType>;
  readonly example?: unknown;
  readonly examples?: Named<OrReference<SpecExample>>;
}

export interface RequestBody {
  readonly description?: string;
  readonly required?: boolean;
  readonly content: Named<MediaType>;
}

export interface SpecResponse {
  readonly description?: string;
  readonly headers?: Named<OrReference<Header>>;
  readonly content?: Named<MediaType>;
}

export interface MediaType {
  readonly schema?: Schema;
  readonly example?: unknown;
  readonly examples?: Named<OrReference<SpecExample>>;
}

export type SpecExample = { readonly value?: unknown };

/** JSON Schema 2020-12, which may combine `$ref` with other keywords, and may be recursive. */
export type Schema = boolean | Readonly<Record<string, unknown>>;

/** Security schemes that are required together, by name, with their scopes. */
export type SecurityRequirement = Named<readonly string[]>;

interface SpecComponents {
  readonly schemas?: Named<Schema>;
  readonly securitySchemes?: Named<OrReference<SecurityScheme>>;
}

export interface SecurityScheme {
  readonly type: "apiKey" | "http" | "mutualTLS" | "oauth2" | "openIdConnect";
  readonly description?: string;
  readonly name?: string;
  readonly in?: string;
  readonly scheme?: string;
  readonly bearerFormat?: string;
  readonly openIdConnectUrl?: string;
  readonly flows?: Named<unknown>;
}
