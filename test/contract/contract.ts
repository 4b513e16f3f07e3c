// The contract of /v1, if available, as tests read it. It is not part of the project.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import addFormats from "ajv-formats";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { parse } from "yaml";

export interface ContractParameter {
  readonly name: string;
  readonly in: "path" | "query";
  readonly required?: boolean;
  readonly schema: ContractSchema;
}

export interface ContractSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly (string | null)[];
  readonly const?: string;
  readonly default?: unknown;
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: ContractSchema;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, ContractSchema>>;
  readonly additionalProperties?: boolean | ContractSchema;
  readonly anyOf?: readonly ContractSchema[];
  readonly oneOf?: readonly ContractSchema[];
  readonly allOf?: readonly ContractSchema[];
}

export interface ContractBody {
  readonly required: boolean;
  readonly schema: ContractSchema;
}

export interface ContractOperation {
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly ContractParameter[];
  /** The statuses of success. */
  readonly successes: readonly number[];
  /** Null if the operation has none. */
  readonly body: ContractBody | null;
}

type Json = Record<string, unknown>;

interface StoredOperation {
  readonly operationId: string;
  readonly parameters?: ContractParameter[];
  readonly responses: Readonly<Record<string, unknown>>;
  readonly requestBody?: {
    readonly required?: boolean;
    readonly content: Readonly<Record<string, { schema: ContractSchema }>>;
  };
}

/** An OpenAPI 3.1 document, read as far as the tests need. */
export class OpenApi {
  readonly #document: Json;
  // Each validator reads a few bodies: to optimise its code costs more than it saves.
  readonly #ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false, code: { optimize: false } });

  #operations: ContractOperation[] | undefined;

  /** By the text of their schemas. */
  readonly #validators = new Map<string, ValidateFunction>();

  constructor(document: unknown) {
    this.#document = document as Json; // every access below states its type
    addFormats.default(this.#ajv);
    this.#ajv.addSchema(this.#document, "document");
  }

  /** Resolves a local reference; returns other values unchanged. */
  resolve<Value extends object>(value: Value | { $ref: string }): Value {
    if (!("$ref" in value) || typeof value.$ref !== "string") return value as Value;
    const steps = value.$ref.replace(/^#\//, "").split("/");
    const target = steps.reduce<unknown>((at, step) => (at as Json | undefined)?.[unescape(step)], this.#document);
    if (target === undefined) throw new Error(`${value.$ref} leads nowhere`);
    const { $ref: _, ...beside } = value;
    return { ...(target as Value), ...beside };
  }

  operations(): ContractOperation[] {
    return (this.#operations ??= this.#readOperations());
  }

  #readOperations(): ContractOperation[] {
    const paths = this.#document["paths"] as Record<string, Json>;
    return Object.entries(paths).flatMap(([path, item]) =>
      Object.entries(item).flatMap(([method, operation]) => {
        if (method === "parameters") return [];
        const { operationId, parameters = [], responses, requestBody } = operation as StoredOperation;
        const all = [...((item["parameters"] as ContractParameter[] | undefined) ?? []), ...parameters];
        const resolved = all.flatMap((parameter) => {
          const known = this.resolve(parameter);
          const isOfHeaders = (known.in as string) === "header"; // such as Idempotency-Key, which all operations share
          return isOfHeaders ? [] : [{ ...known, schema: this.resolve(known.schema) }];
        });
        const successes = Object.keys(responses)
          .map(Number)
          .filter((status) => status < 300);
        const schema = requestBody?.content["application/json"]?.schema;
        const body = schema ? { required: requestBody?.required ?? false, schema } : null;
        return [{ operationId, method: method.toUpperCase(), path, parameters: resolved, successes, body }];
      }),
    );
  }

  /**
   * Every field of the response of an operation, as a path such as `items.urls.app`; lists are replaced by their items,
   * choices by all of theirs.
   */
  fieldsOf(operation: Pick<ContractOperation, "path" | "method" | "successes">): Set<string> {
    const fields = new Set<string>();
    for (const status of operation.successes)
      this.#collectFields(this.#answerSchema(operation.path, operation.method, status), { at: "", inside: [] }, fields);
    return fields;
  }

  /** Recursive schemas, such as rich documents, are entered once. */
  #collectFields(
    schema: ContractSchema,
    { at, inside }: { at: string; inside: readonly (string | undefined)[] },
    into: Set<string>,
  ): void {
    if (schema.$ref !== undefined && inside.includes(schema.$ref)) return;
    const { properties = {}, items, anyOf = [], oneOf = [], allOf = [] } = this.resolve(schema);
    const below = [...inside, schema.$ref];
    for (const part of [...(items ? [items] : []), ...anyOf, ...oneOf, ...allOf])
      this.#collectFields(part, { at, inside: below }, into);
    for (const [name, property] of Object.entries(properties)) {
      into.add(`${at}${name}`);
      this.#collectFields(property, { at: `${at}${name}.`, inside: below }, into);
    }
  }

  /** The validator of the body of a request. */
  bodyValidatorOf({ schema }: ContractBody): ValidateFunction {
    return this.#compile(schema);
  }

  /** The validator of the body of a response. */
  validatorOf({ path, method }: Pick<ContractOperation, "path" | "method">, status: number): ValidateFunction {
    return this.#compile(this.#answerSchema(path, method, status));
  }

  /** Compiles a schema once. */
  #compile(schema: ContractSchema): ValidateFunction {
    const text = inDocument(schema);
    const validate = this.#validators.get(text) ?? this.#ajv.compile(JSON.parse(text) as Json);
    this.#validators.set(text, validate);
    return validate;
  }

  #answerSchema(path: string, method: string, status: number): ContractSchema {
    const steps = ["paths", path, method.toLowerCase(), "responses", String(status)];
    const whole = this.resolve(steps.reduce<unknown>((at, step) => (at as Json)[step], this.#document) as Json);
    const content = whole["content"] as Record<string, { schema: ContractSchema }> | undefined;
    return content?.["application/json"]?.schema ?? {};
  }

  /** The errors, one line each. */
  static problems(validate: ValidateFunction): string[] {
    return (validate.errors ?? []).map(
      ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
    );
  }
}

/** The text of the same schema with references into the added document. */
const inDocument = (schema: ContractSchema): string =>
  JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"document#/');

function unescape(step: string): string {
  return decodeURIComponent(step).replaceAll("~1", "/").replaceAll("~0", "~");
}

const folder = process.env["CONTRACT_DIR"] ?? fileURLToPath(new URL("../../../shared/contract", import.meta.url));
const file = join(folder, "v1.openapi.yaml");

/** The path of the contract, or null if it is not available. */
export const contractFile: string | null = existsSync(file) ? file : null;

/** The contract, or null if it is not available. */
export const contract: OpenApi | null = contractFile ? new OpenApi(parse(readFileSync(file, "utf8"))) : null;

if (!contract)
  console.log(`Tests against the contract are skipped: ${file} does not exist (CONTRACT_DIR names its folder).`);
