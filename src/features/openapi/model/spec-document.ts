// The document of a version: OpenAPI 3.1 or 3.2 without references to other documents, limited to the parts read here.

/** A value, or a reference to one: `$ref` is `#` and a JSON pointer. */
export type OrReference<Value> = Value | { readonly $ref: string };

/** Values by untrusted names: only own properties count. */
type Named<Value> = Readonly<Record<string, Value>>;

/** A repaired document: its objects have their form, but schemas, examples and extensions may contain anything. */
export interface SpecDocument {
  readonly openapi: string;
  readonly $self?: string;
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
  readonly termsOfService?: string;
  readonly contact?: unknown;
  readonly license?: unknown;
}

export interface SpecServer {
  readonly url: string;
  readonly name?: string;
  readonly description?: string;
  readonly variables?: Named<unknown>;
}

export interface SpecTag {
  readonly name: string;
  readonly summary?: string;
  readonly description?: string;
  /** The name of the tag above it. */
  readonly parent?: string;
  readonly externalDocs?: ExternalDocs;
}

export type ExternalDocs = { readonly url: string; readonly description?: string };
type SpecMethod = "get" | "put" | "post" | "delete" | "options" | "head" | "patch" | "trace" | "query";

export type PathItem = Readonly<Partial<Record<SpecMethod, Operation>>> & {
  /** Operations by other methods. */
  readonly additionalOperations?: Named<Operation>;
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
export type Parameter = Header & { readonly name: string; readonly in: string; readonly allowReserved?: boolean };

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
  readonly summary?: string;
  readonly description?: string;
  readonly headers?: Named<OrReference<Header>>;
  readonly content?: Named<MediaType>;
  readonly links?: Named<OrReference<SpecLink>>;
}

export interface MediaType {
  readonly schema?: Schema;
  /** The schema of each item of a sequence. */
  readonly itemSchema?: Schema;
  readonly encoding?: Named<unknown>;
  readonly example?: unknown;
  readonly examples?: Named<OrReference<SpecExample>>;
}

export interface SpecExample {
  readonly summary?: string;
  readonly description?: string;
  readonly value?: unknown;
  readonly dataValue?: unknown;
  readonly serializedValue?: unknown;
  readonly externalValue?: string;
}

/** A request that a response leads to. */
export interface SpecLink {
  readonly operationId?: string;
  readonly operationRef?: string;
  readonly description?: string;
  readonly parameters?: Named<unknown>;
  readonly requestBody?: unknown;
}

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
  readonly oauth2MetadataUrl?: string;
  readonly deprecated?: boolean;
  readonly flows?: Named<unknown>;
}
