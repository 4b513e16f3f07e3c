// Writes the fields of a body or model as nested lists: name, type, constraints and description.
import { isRecord } from "#src/base/json.ts";
import { entriesOf, type Keywords, listOf, type Lookup } from "#src/features/openapi/model/lookup.ts";
import { code, item, list } from "#src/features/openapi/model/pages/markdown.ts";
import type { Prose } from "#src/features/openapi/model/pages/prose.ts";
import type { SpecDocument } from "#src/features/openapi/model/spec-document.ts";
import { factsOf, type SchemaWords } from "#src/features/openapi/model/pages/schema-words.ts";

/** Limits: levels of fields, fields of a page, characters of a description, and levels of `allOf`. */
const most = { levels: 4, fields: 400, prose: 3_000, together: 10 } as const;

/** What all writers of pages share. */
export interface Writing {
  readonly document: SpecDocument;
  readonly lookup: Lookup;
  readonly words: SchemaWords;
  readonly prose: Prose;
  /** The address of a page by its key; null if missing. */
  readonly linkTo: (key: string) => string | null;
}

export class SchemaFields {
  readonly #writing: Writing;
  #left: number = most.fields;

  constructor(writing: Writing) {
    this.#writing = writing;
  }

  /** The fields of a schema, in blocks; none of a model below the top, which has a page of its own. */
  of(schema: unknown, level = 0): string[] {
    const { lookup } = this.#writing;
    const { keywords, model } = lookup.schema(schema);
    return model === null || level === 0 ? this.#inside(keywords, level) : [];
  }

  #field(name: string, schema: unknown, { isRequired, level }: { isRequired: boolean; level: number }): string {
    const { lookup, words, prose } = this.#writing;
    const { keywords } = lookup.schema(schema);
    const facts = [words.kind(schema), ...(isRequired ? ["required"] : []), ...factsOf(keywords)];
    const deprecated = keywords["deprecated"] === true ? " **Deprecated.**" : "";
    const about = prose.of(keywords["description"], most.prose);
    const blocks = [...(about === "" ? [] : [about]), ...this.of(schema, level + 1)];
    return item(`**${code(name) || "``"}**: ${facts.join(", ")}.${deprecated}`, blocks);
  }

  #inside(keywords: Keywords, level: number): string[] {
    if (level > most.levels || this.#left <= 0) return [];
    const items = isRecord(keywords["items"]) ? this.of(keywords["items"], level + 1) : [];
    const fields = this.#fields(this.#shapeOf(keywords), level);
    const alternatives = [...listOf(keywords["oneOf"]), ...listOf(keywords["anyOf"])];
    return [
      ...(fields.length > 0 ? [list(fields)] : []),
      ...(alternatives.length > 1 ? this.#alternatives(alternatives, level) : []),
      ...(items.length > 0 ? ["Each item has:", ...items] : []),
    ];
  }

  #fields({ properties, required }: Shape, level: number): string[] {
    const fields: string[] = [];
    for (const [name, schema] of properties) {
      if (this.#left-- <= 0) return [...fields, item("*Further fields are left out.*")];
      fields.push(this.#field(name, schema, { isRequired: required.has(name), level }));
    }
    return fields;
  }

  #alternatives(alternatives: readonly unknown[], level: number): string[] {
    const { words } = this.#writing;
    const forms = alternatives.slice(0, this.#left).map((one) => {
      this.#left--;
      return item(words.kind(one), this.of(one, level + 1));
    });
    return ["One of these forms:", list(forms)];
  }

  /** The properties of a schema merged with those of its `allOf`. */
  #shapeOf(keywords: Keywords, depth = 0): Shape {
    const required = new Set(listOf(keywords["required"]).filter((name) => typeof name === "string"));
    const properties = new Map(entriesOf(keywords["properties"]));
    if (depth < most.together)
      for (const part of listOf(keywords["allOf"]).slice(0, most.fields)) {
        const shape = this.#shapeOf(this.#writing.lookup.schema(part).keywords, depth + 1);
        for (const [name, schema] of shape.properties) if (!properties.has(name)) properties.set(name, schema);
        for (const name of shape.required) required.add(name);
        if (properties.size > most.fields) break;
      }
    return { properties, required };
  }
}

interface Shape {
  readonly properties: ReadonlyMap<string, unknown>;
  readonly required: ReadonlySet<string>;
}
