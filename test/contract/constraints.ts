// The constraints of an operation's inputs and responses in a description, by property, so that two descriptions can
// be compared: types, values, lengths, patterns, ranges, formats, defaults, and whether null is a value.
import type { ContractSchema } from "#test/contract/contract.ts";

type Json = Readonly<Record<string, unknown>>;

interface Schema extends ContractSchema {
  readonly maxItems?: number;
  readonly minProperties?: number;
}

/** Values by path and keyword, such as `body.title maxLength`. */
export type Constraints = ReadonlyMap<string, unknown>;

const keywords = [
  "type",
  "enum",
  "const",
  "format",
  "pattern",
  "minLength",
  "maxLength",
  "minimum",
  "maximum",
  "minItems",
  "maxItems",
  "uniqueItems",
  "default",
] as const;

interface Stored {
  readonly $ref?: string;
  readonly [name: string]: unknown;
}

const inOrder = (one: string, other: string): number => (one < other ? -1 : Number(one > other));

/** Reads the constraints of one document. */
export class ConstraintReader {
  readonly #document: Json;
  #found = new Map<string, unknown>();

  constructor(document: unknown) {
    this.#document = document as Json; // every access below states its type
  }

  /** Constraints of the parameters and the body of an operation. */
  ofInputs(path: string, method: string): Constraints {
    const item = (this.#document["paths"] as Record<string, Record<string, Stored>>)[path] ?? {};
    const operation = item[method] ?? {};
    const parameters = [item["parameters"], operation["parameters"]].flatMap((list) => (list ?? []) as Stored[]);
    this.#found = new Map();
    for (const parameter of parameters) {
      const { name, schema } = this.#resolved(parameter);
      this.#read(schema as Schema, `${String(name)}`, []);
    }
    const body = operation["requestBody"] as { content?: Record<string, { schema: Schema }> } | undefined;
    this.#read(body?.content?.["application/json"]?.schema, "body", []);
    return this.#found;
  }

  /** Constraints of the successful responses of an operation. */
  ofAnswers(path: string, method: string): Constraints {
    const item = (this.#document["paths"] as Record<string, Record<string, Stored>>)[path];
    const responses = (item?.[method]?.["responses"] ?? {}) as Record<string, Stored>;
    this.#found = new Map();
    for (const [status, stored] of Object.entries(responses)) {
      if (Number(status) >= 300) continue;
      const { content } = this.#resolved(stored) as { content?: Record<string, { schema: Schema }> };
      this.#read(content?.["application/json"]?.schema, "answer", []);
    }
    return this.#found;
  }

  /** The tag of an operation, and its statuses except one. */
  ofOperation(path: string, method: string): { tags: unknown; statuses: string[]; isDeprecated: boolean } {
    const item = (this.#document["paths"] as Record<string, Record<string, Stored>>)[path];
    const { tags, responses = {}, deprecated = false } = item?.[method] ?? {};
    return { tags, statuses: Object.keys(responses as object).toSorted(), isDeprecated: deprecated === true };
  }

  #resolved(stored: Stored): Stored {
    const { $ref, ...beside } = stored;
    if ($ref === undefined) return stored;
    const target = $ref
      .slice(2)
      .split("/")
      .reduce<unknown>((at, step) => (at as Json | undefined)?.[step], this.#document);
    return { ...(target as Stored), ...beside };
  }

  /** Recursive schemas are entered once. */
  #read(stored: Schema | undefined, at: string, inside: readonly string[]): void {
    if (!stored || (stored.$ref !== undefined && inside.includes(stored.$ref))) return;
    const schema = this.#resolved(stored as Stored) as Schema;
    const below = stored.$ref === undefined ? inside : [...inside, stored.$ref];
    const { type, items, properties = {}, additionalProperties, anyOf = [], oneOf = [], allOf = [] } = schema;
    for (const keyword of keywords) this.#say(at, keyword, schema[keyword as keyof Schema]);
    if (Array.isArray(type) && type.includes("null")) this.#found.set(`${at} null`, true);
    for (const choice of [...anyOf, ...oneOf, ...allOf])
      if (choice.type === "null") this.#found.set(`${at} null`, true);
      else this.#read(choice, at, below);
    this.#read(items, `${at}[]`, below);
    if (typeof additionalProperties === "object") this.#read(additionalProperties, `${at}.*`, below);
    for (const [name, property] of Object.entries(properties)) this.#read(property, `${at}.${name}`, below);
  }

  /** Constants of choices at one path become an enum. */
  #say(at: string, keyword: string, said: unknown): void {
    if (said === undefined) return;
    if (keyword === "enum" || (keyword === "const" && at.endsWith(".type"))) {
      const values = [said].flat().filter((value) => value !== null);
      if ([said].flat().includes(null)) this.#found.set(`${at} null`, true);
      const known = (this.#found.get(`${at} enum`) ?? []) as unknown[];
      this.#found.set(`${at} enum`, [...new Set([...known, ...values].map(String))].toSorted(inOrder));
      return;
    }
    const value = Array.isArray(said) ? said.filter((one) => one !== "null") : said;
    this.#found.set(`${at} ${keyword}`, Array.isArray(value) && value.length === 1 ? value[0] : value);
  }
}

/** Differences at paths that both have, or at all paths if `isWhole`. */
export function differences(ours: Constraints, theirs: Constraints, { isWhole }: { isWhole: boolean }): string[] {
  const placeOf = (key: string) => key.slice(0, key.lastIndexOf(" "));
  const places = new Set([...ours.keys()].map(placeOf));
  const keys = [...new Set([...theirs.keys(), ...(isWhole ? ours.keys() : [])])];
  return keys
    .filter((key) => isWhole || places.has(placeOf(key)))
    .filter((key) => JSON.stringify(ours.get(key)) !== JSON.stringify(theirs.get(key)))
    .map((key) => `${key}: ${JSON.stringify(ours.get(key))} instead of ${JSON.stringify(theirs.get(key))}`);
}
