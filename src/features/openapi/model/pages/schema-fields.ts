// Writes the fields of schemas as nested lists, with their alternatives and conditions.
import { isRecord } from "#src/base/json.ts";
import { entriesOf, type Keywords, type Lookup } from "#src/features/openapi/model/lookup.ts";
import { code, item, lineOf, list, plain } from "#src/features/openapi/model/pages/markdown.ts";
import type { Prose } from "#src/features/openapi/model/pages/prose.ts";
import type { SchemaWords } from "#src/features/openapi/model/pages/schema-words.ts";
import { firstItemsOf, formsOf, type Shape, shapeOf, valuesOf } from "#src/features/openapi/model/pages/shape.ts";
import type { SpecDocument } from "#src/features/openapi/model/spec-document.ts";

/** Limits: levels of fields, fields of a page, and characters of a description. */
const fieldLimits = { levels: 4, fields: 400, prose: 3_000 } as const;

/** The state that all writers of pages share. */
export interface Writing {
  readonly document: SpecDocument;
  readonly lookup: Lookup;
  readonly words: SchemaWords;
  readonly prose: Prose;
  /** The address that relative addresses are resolved against; null if it is unknown. */
  readonly base: string | null;
  /** The address of a page by its key; null if missing. */
  readonly linkTo: (key: string) => string | null;
}

export class SchemaFields {
  readonly #writing: Writing;
  #left: number = fieldLimits.fields;

  constructor(writing: Writing) {
    this.#writing = writing;
  }

  /** The fields of a schema, in blocks; empty for a model below the top, which has its own page. */
  of(schema: unknown, level = 0): string[] {
    const { lookup } = this.#writing;
    const { keywords, model } = lookup.schema(schema);
    return model === null || level === 0 ? this.#inside(keywords, level) : [];
  }

  #field(name: string, schema: unknown, { isRequired, level }: { isRequired: boolean; level: number }): string {
    const { lookup, words, prose } = this.#writing;
    const found = lookup.schema(schema);
    const { keywords } = found;
    const facts = [words.kind(schema), ...(isRequired ? ["required"] : []), ...words.facts(found)];
    const deprecated = keywords["deprecated"] === true ? " **Deprecated.**" : "";
    const about = prose.of(keywords["description"], fieldLimits.prose);
    const blocks = [...(about === "" ? [] : [about]), ...this.of(schema, level + 1)];
    return item(`**${name}**: ${facts.join(", ")}.${deprecated}`, blocks);
  }

  #inside(keywords: Keywords, level: number): string[] {
    if (level > fieldLimits.levels || this.#left <= 0) return [];
    const { lookup } = this.#writing;
    const fields = [
      ...this.#fields(shapeOf(lookup, keywords), level),
      ...entriesOf(keywords["patternProperties"]).map(([pattern, schema]) =>
        this.#field(`names that match ${code(pattern)}`, schema, { isRequired: false, level }),
      ),
    ];
    return [
      ...(fields.length > 0 ? [list(fields)] : []),
      ...this.#forms(keywords, level),
      ...this.#conditions(keywords, level),
      ...this.#members(keywords, level),
    ];
  }

  /** What is in the items of a list, and the other properties of an object. */
  #members(keywords: Keywords, level: number): string[] {
    const titled = (title: string, schema: unknown): string[] => {
      const blocks = isRecord(schema) ? this.of(schema, level + 1) : [];
      return blocks.length > 0 ? [title, ...blocks] : [];
    };
    const { items, additionalProperties } = keywords;
    return [
      ...firstItemsOf(keywords).flatMap((one, index) => titled(`Item ${index + 1} has:`, one)),
      ...titled("Each item has:", items),
      ...titled("Each other value has:", additionalProperties),
    ];
  }

  #fields({ properties, required }: Shape, level: number): string[] {
    const fields: string[] = [];
    for (const [name, schema] of properties) {
      if (this.#left-- <= 0) return [...fields, item("*Further fields are left out.*")];
      fields.push(this.#field(code(name) || "``", schema, { isRequired: required.has(name), level }));
    }
    return fields;
  }

  #forms(keywords: Keywords, level: number): string[] {
    const { lookup } = this.#writing;
    const named = this.#discriminator(keywords);
    if (valuesOf(lookup, keywords).length > 0) return named; // the values are among the facts
    const forms = formsOf(lookup, keywords);
    const [only] = forms;
    if (forms.length > 1) return [...this.#alternatives(forms, level), ...named];
    return only === undefined ? named : [...this.of(only, level + 1), ...named]; // the other one is null
  }

  #alternatives(alternatives: readonly unknown[], level: number): string[] {
    const { words, lookup, prose } = this.#writing;
    const forms = alternatives.slice(0, this.#left).map((one) => {
      this.#left--;
      const { keywords, model } = lookup.schema(one);
      const title = model === null ? plain(keywords["title"], 200) : "";
      const about = model === null ? prose.of(keywords["description"], fieldLimits.prose) : "";
      const blocks = [...(about === "" ? [] : [about]), ...this.of(one, level + 1)];
      return item(`${title === "" ? "" : `**${title}**: `}${words.described(one)}`, blocks);
    });
    return ["One of these forms:", list(forms)];
  }

  /** The property that says which form a value has. */
  #discriminator({ discriminator }: Keywords): string[] {
    if (!isRecord(discriminator)) return [];
    const { propertyName, mapping, defaultMapping } = discriminator;
    const { words } = this.#writing;
    const target = (to: unknown): string =>
      words.kind({ $ref: typeof to === "string" && to.startsWith("#") ? to : `#/components/schemas/${lineOf(to)}` });
    const forms = entriesOf(mapping)
      .slice(0, fieldLimits.fields)
      .map(([value, to]) => `${code(value)} is ${target(to)}`);
    if (defaultMapping !== undefined) forms.push(`any other value is ${target(defaultMapping)}`);
    const name = code(propertyName);
    if (name === "") return [];
    return [
      forms.length === 0 ? `${name} has the name of the form.` : `${name} says which form it is: ${forms.join(", ")}.`,
    ];
  }

  /** `if`, `then` and `else`, and what other properties require. */
  #conditions(keywords: Keywords, level: number): string[] {
    const { if: condition, then: consequence, else: otherwise, dependentSchemas } = keywords;
    const isConditional = condition !== undefined && (consequence !== undefined || otherwise !== undefined);
    return [
      ...entriesOf(dependentSchemas).flatMap(([name, schema]) => this.#clause(`With ${code(name)}:`, schema, level)),
      ...(isConditional ? this.#clause("If:", condition, level) : []),
      ...(isConditional && consequence !== undefined ? this.#clause("Then:", consequence, level) : []),
      ...(isConditional && otherwise !== undefined ? this.#clause("Otherwise:", otherwise, level) : []),
    ];
  }

  #clause(title: string, schema: unknown, level: number): string[] {
    const { words, lookup } = this.#writing;
    const found = lookup.schema(schema);
    const facts = words.facts(found);
    const kind = words.kind(schema);
    const what = [...(found.model === null && (facts.length > 0 || kind === "object") ? [] : [kind]), ...facts];
    const blocks = this.of(schema, level + 1);
    return [`${title}${what.length === 0 ? "" : ` ${what.join(", ")}.`}`, ...blocks];
  }
}
