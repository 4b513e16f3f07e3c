// Gives examples, defaults and allowed values the types of their schemas: in YAML, `1.10` and `0123` are numbers,
// also where the schema says that they are texts.
import { isRecord } from "#src/base/json.ts";
import { kindOfSource, scalarText, sourceOf } from "#src/features/openapi/model/exact.ts";
import { type Child, childrenOf } from "#src/features/openapi/model/grammar.ts";
import { Lookup, listOf, entriesOf } from "#src/features/openapi/model/lookup.ts";
import type { SpecDocument } from "#src/features/openapi/model/spec-document.ts";

/** The limit of alternatives and parts of a schema that are read for a value, and of the levels of a value. */
const limits = { parts: 100, levels: 50 } as const;

/** Replaces scalars in the data of a document, in place. */
export function typeData(document: Record<string, unknown>): void {
  const typing = new Typing(new Lookup(document as unknown as SpecDocument)); // repaired before
  const open: Child[] = [{ kind: "document", pointer: "", value: document }];
  for (let next = open.pop(); next; next = open.pop()) {
    typing.type(next);
    open.push(...childrenOf(next));
  }
}

class Typing {
  readonly #lookup: Lookup;

  constructor(lookup: Lookup) {
    this.#lookup = lookup;
  }

  type({ kind, value }: Child): void {
    if (kind === "schema") {
      for (const name of ["default", "const", "example"])
        if (name in value) value[name] = this.#typed(value[name], value);
      for (const name of ["enum", "examples"])
        if (Array.isArray(value[name])) value[name] = value[name].map((one: unknown) => this.#typed(one, value));
    } else if (kind === "parameter" || kind === "header" || kind === "mediaType") {
      const { schema } = value;
      if ("example" in value) value["example"] = this.#typed(value["example"], schema);
      for (const [, example] of entriesOf(value["examples"]))
        if (isRecord(example))
          for (const name of ["value", "dataValue"])
            if (name in example) example[name] = this.#typed(example[name], schema);
    }
  }

  #typed(value: unknown, schema: unknown, level = 0): unknown {
    if (typeof value === "object" ? value === null : scalarText(value) === null) return value;
    if (level > limits.levels) return value;
    const parts = this.#partsOf(schema);
    if (Array.isArray(value)) return value.map((item, index) => this.#typed(item, itemIn(parts, index), level + 1));
    if (isRecord(value)) {
      const members = Object.entries(value).map(([name, one]): [string, unknown] => [
        name,
        this.#typed(one, memberIn(parts, name), level + 1),
      ]);
      return Object.fromEntries(members);
    }
    return isText(value, parts) ? scalarText(value) : value;
  }

  /** The keywords of a schema, and of its parts and alternatives. */
  #partsOf(schema: unknown): Record<string, unknown>[] {
    const open = [schema];
    const parts: Record<string, unknown>[] = [];
    for (let next = open.pop(); next !== undefined && parts.length < limits.parts; next = open.pop()) {
      const { keywords } = this.#lookup.schema(next);
      parts.push(keywords);
      for (const name of ["allOf", "oneOf", "anyOf"]) open.push(...listOf(keywords[name]));
    }
    return parts;
  }
}

/** The schemas of an item or a member, as one. */
const together = (schemas: readonly unknown[]): unknown => (schemas.length === 1 ? schemas[0] : { allOf: schemas });

const itemIn = (parts: readonly Record<string, unknown>[], index: number): unknown =>
  together(
    parts.flatMap(({ items, prefixItems }) => {
      const item = listOf(prefixItems)[index] ?? (Array.isArray(items) ? (items as unknown[])[index] : items);
      return item === undefined ? [] : [item];
    }),
  );

const memberIn = (parts: readonly Record<string, unknown>[], name: string): unknown =>
  together(
    parts.flatMap(({ properties, additionalProperties }) => {
      if (isRecord(properties) && Object.hasOwn(properties, name)) return [properties[name]];
      return isRecord(additionalProperties) ? [additionalProperties] : [];
    }),
  );

/** Whether schemas allow texts, but not values of the kind of this one. */
function isText(value: unknown, parts: readonly Record<string, unknown>[]): boolean {
  const types = parts.flatMap(({ type }) => (Array.isArray(type) ? (type as unknown[]) : [type]));
  const source = sourceOf(value);
  const kind = source === null ? typeof value : kindOfSource(source);
  return types.includes("string") && !types.includes(kind) && !(kind === "number" && types.includes("integer"));
}
