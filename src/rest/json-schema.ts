// JSON Schema of shapes and of parameter types, for the OpenAPI description.
import { type GraphQLNamedType, isEnumType } from "graphql";
import type { FieldShape, ObjectShape, Shape } from "#src/rest/shape.ts";
import { restValuesOf } from "#src/rest/values.ts";

type Json = Readonly<Record<string, unknown>>;

/** What scalars are in JSON; any other is anything. */
const scalarSchemas: Readonly<Record<string, Json>> = {
  ID: { type: "string" },
  String: { type: "string" },
  Boolean: { type: "boolean" },
  Int: { type: "integer" },
  Float: { type: "number" },
  DateTime: { type: "string", format: "date-time" },
};

/** The schema of a parameter of a type. */
export function typeSchema(type: GraphQLNamedType): Json {
  if (isEnumType(type)) return { type: "string", enum: [...restValuesOf(type).values()] };
  return scalarSchemas[type.name] ?? {};
}

/** Writes schemas of shapes; those that one fragment makes up become components, named after it. */
export class SchemaWriter {
  readonly components: Record<string, Json> = {};
  readonly #texts = new Map<string, string>();

  schemaOf(shape: Shape): Json {
    switch (shape.kind) {
      case "leaf":
        return scalarSchemas[shape.scalar] ?? {};
      case "enum":
        return { type: "string", enum: [...shape.values.values()] };
      case "list":
        return { type: "array", items: this.schemaOf(shape.of) };
      case "object":
        return this.#object(shape);
    }
  }

  #object(shape: ObjectShape): Json {
    const required = shape.fields.filter(({ onNull }) => onNull !== "leave out").map(({ name }) => name);
    const schema: Json = {
      type: "object",
      description: shape.description,
      ...(required.length > 0 && { required }),
      properties: Object.fromEntries(shape.fields.map((field) => [field.name, this.#field(field)])),
    };
    return shape.fragment === undefined ? schema : this.#component(shape.fragment.replace(/Fields$/, ""), schema);
  }

  /** A reference to the component; fragments that share a name and nothing else stay where they are. */
  #component(name: string, schema: Json): Json {
    const text = JSON.stringify(schema);
    const known = this.#texts.get(name);
    if (known === undefined) {
      this.#texts.set(name, text);
      this.components[name] = schema;
    }
    return known === undefined || known === text ? { $ref: `#/components/schemas/${name}` } : schema;
  }

  #field({ description, shape, onNull }: FieldShape): Json {
    const schema = this.schemaOf(shape);
    if (onNull !== "keep") return { ...schema, description };
    return { anyOf: [schema, { type: "null" }], description };
  }
}
