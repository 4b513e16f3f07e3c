// JSON Schema of answers, by their shapes, for the OpenAPI description.
import type { FieldShape, ObjectShape, Shape } from "#src/rest/answer/shape.ts";
import { richDocument } from "#src/rest/description/rich-document-schema.ts";

type Json = Readonly<Record<string, unknown>>;

/** What scalars are in JSON; a scalar without an entry may be anything. */
export const scalarSchemas: Readonly<Record<string, Json>> = {
  ID: { type: "string" },
  String: { type: "string" },
  Boolean: { type: "boolean" },
  Int: { type: "integer" },
  Float: { type: "number" },
  DateTime: { type: "string", format: "date-time" },
  RichDocument: { $ref: `#/components/schemas/${richDocument}` },
};

/** Whole numbers of answers are counts, sizes and running numbers. */
const count: Json = { type: "integer", minimum: 0 };

/** Writes the schemas of shapes. An object that is selected by one fragment becomes a component of its name. */
export class SchemaWriter {
  readonly components: Record<string, Json> = {};
  readonly #texts = new Map<string, string>();

  schemaOf(shape: Shape): Json {
    switch (shape.kind) {
      case "leaf":
        return shape.scalar === "Int" ? count : (scalarSchemas[shape.scalar] ?? {});
      case "enum":
        return { type: "string", enum: [...shape.values.values()] };
      case "list":
        return { type: "array", items: this.schemaOf(shape.of) };
      case "map":
        return { type: "object", additionalProperties: this.schemaOf(shape.of) };
      case "reference":
        return { oneOf: [this.schemaOf(shape.to), this.schemaOf(shape.of)] };
      case "object":
        return this.#object(shape);
      case "fixed":
        return shape.field.schema;
      case "wrapped":
        return this.#object({ kind: "object", description: "", fragment: undefined, fields: [shape.field] });
    }
  }

  #object(shape: ObjectShape): Json {
    const required = shape.fields
      .filter(({ onNull, mayBeAbsent }) => onNull !== "leave out" && !mayBeAbsent)
      .map(({ name }) => name);
    const name = shape.fragment?.replace(/Fields$/, "");
    const below = shape.below === undefined ? [] : [[shape.below, listBelow(name)] as const];
    const schema: Json = {
      type: "object",
      ...(shape.description !== "" && { description: shape.description }),
      ...(required.length > 0 && { required }),
      properties: Object.fromEntries([...shape.fields.map((field) => [field.name, this.#field(field)]), ...below]),
    };
    return name === undefined ? schema : this.#component(name, schema);
  }

  /** A reference to the component. Another fragment of the same name stays where it is. */
  #component(name: string, schema: Json): Json {
    const text = JSON.stringify(schema);
    const known = this.#texts.get(name);
    if (known === undefined) {
      this.#texts.set(name, text);
      this.components[name] = schema;
    }
    return known === undefined || known === text ? { $ref: `#/components/schemas/${name}` } : schema;
  }

  #field({ description, shape, onNull, limits }: FieldShape): Json {
    const schema = { ...this.schemaOf(shape), ...limits };
    if (onNull !== "keep") return { ...schema, description };
    return { anyOf: [schema, { type: "null" }], description };
  }
}

/** The items of a tree below one of its items, whose component is `name`. */
function listBelow(name = ""): Json {
  return {
    type: "array",
    items: { $ref: `#/components/schemas/${name}` },
    description: "Those right below it, in their order.",
  };
}
