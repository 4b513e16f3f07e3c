// The form in which versions of specifications are read: one OpenAPI 3.1 document without references to others.

/** A value that may stand elsewhere in the document: `$ref` is `#` and a JSON pointer to it. */
export type OrReference<Value> = Value | Reference;

interface Reference {
  readonly $ref: string;
  readonly summary?: string;
  readonly description?: string;
}

/** Objects by the names that the authors of the specification chose: own properties alone count. */
type Named<Value> = Readonly<Record<string, Value>>;

/**
 * The whole document. Whatever version of OpenAPI it was written in, it is one of 3.1; references to other files lead
 * to copies of them within it. It has passed the validation, which looks at the parts that OpenAPI defines: what is in
 * schemas, examples and extensions is anybody's guess.
 */
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

export interface SpecServer {
  readonly url: string;
  readonly description?: string;
  readonly variables?: Named<{
    readonly default: string;
    readonly enum?: readonly string[];
    readonly description?: string;
  }>;
}

interface SpecTag {
  readonly name: string;
  readonly description?: string;
  readonly externalDocs?: ExternalDocs;
}

export interface ExternalDocs {
  readonly url: string;
  readonly description?: string;
}

/** The methods under which a path item has operations. */
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

/** Path items by expressions, which give the addresses that the server calls. */
export type Callback = Named<OrReference<PathItem>>;

export interface Parameter extends Header {
  readonly name: string;
  readonly in: "path" | "query" | "header" | "cookie";
}

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

export interface SpecExample {
  readonly summary?: string;
  readonly description?: string;
  readonly value?: unknown;
  readonly externalValue?: string;
}

/** JSON Schema 2020-12, which may have `$ref` beside other keywords, and lead back to itself. */
export type Schema = boolean | Readonly<Record<string, unknown>>;

/** Names of security schemes with the scopes that are needed: all in one of these together. */
export type SecurityRequirement = Named<readonly string[]>;

interface SpecComponents {
  readonly schemas?: Named<Schema>;
  readonly responses?: Named<OrReference<SpecResponse>>;
  readonly parameters?: Named<OrReference<Parameter>>;
  readonly requestBodies?: Named<OrReference<RequestBody>>;
  readonly headers?: Named<OrReference<Header>>;
  readonly examples?: Named<OrReference<SpecExample>>;
  readonly securitySchemes?: Named<OrReference<SecurityScheme>>;
  readonly pathItems?: Named<OrReference<PathItem>>;
  readonly callbacks?: Named<OrReference<Callback>>;
}

export interface SecurityScheme {
  readonly type: "apiKey" | "http" | "mutualTLS" | "oauth2" | "openIdConnect";
  readonly description?: string;
  readonly name?: string;
  readonly in?: string;
  readonly scheme?: string;
  readonly bearerFormat?: string;
  readonly openIdConnectUrl?: string;
  readonly flows?: Named<{
    readonly authorizationUrl?: string;
    readonly tokenUrl?: string;
    readonly scopes?: Named<string>;
  }>;
}
