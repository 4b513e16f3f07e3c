// JSON Schema of responses, by their shapes, and of inputs, by their GraphQL types, for the OpenAPI description.
import type { FieldShape, ObjectShape, Shape } from "#src/rest/answer/shape.ts";
import { richDocument } from "#src/rest/description/rich-document-schema.ts";
import {
  getNamedType,
  getNullableType,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isRequiredInputField,
} from "graphql";
import type { Property } from "#src/rest/request/body.ts";
import { type Names, upload } from "#src/rest/request/values.ts";
import type { SchemaLimits } from "#src/graph/schema/rest-forms.ts";
import { keepsNull, restLimitsOf, restValuesOf } from "#src/rest/type-forms.ts";

type Json = Readonly<Record<string, unknown>>;

/** The JSON types of scalars; a scalar without an entry may have any value. */
const scalarSchemas: Readonly<Record<string, Json>> = {
  ID: { type: "string" },
  String: { type: "string" },
  Boolean: { type: "boolean" },
  Int: { type: "integer" },
  Float: { type: "number" },
  DateTime: { type: "string", format: "date-time" },
  RichDocument: { $ref: `#/components/schemas/${richDocument}` },
};

/** Whole numbers in responses are counts, sizes and running numbers. */
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
        if (shape.of.fields.length === 0) return this.schemaOf(shape.to);
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

  /** A reference to the component. Another fragment of the same name is described in place. */
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

function listBelow(name = ""): Json {
  return {
    type: "array",
    items: { $ref: `#/components/schemas/${name}` },
    description: "The items directly below it, in their order.",
  };
}

export const typeSchema = (type: GraphQLInputType): Json => schemaOf(type, []);

/** The schema of a body with these properties. */
export function bodySchema(properties: readonly Property[]): Json {
  return objectSchema(
    properties.map(({ name, description, required, type, key, limits, mayBeNull, mayBeEmpty, form, names }) => {
      const plain =
        form?.schema ?? (key === undefined ? propertySchema(type, [], limits, names) : mapSchema(type, key));
      const { minProperties: _least, maxProperties: _most, ...loose } = plain;
      const full = mayBeEmpty ? loose : plain;
      const schema = mayBeNull && !("anyOf" in full) ? { anyOf: [full, { type: "null" }] } : full;
      return { name, isRequired: required, schema: { ...schema, description } };
    }),
  );
}

/** A null is only described if it has a meaning: most fields are nullable just because they are optional. */
function propertySchema(
  type: GraphQLInputType,
  inside: readonly GraphQLInputType[],
  limits: SchemaLimits,
  names: Names = {},
): Json {
  const schema = { ...schemaOf(type, inside, names), ...limits };
  const canBeNull = !isNonNullType(type) && !isListType(type) && keepsNull(type);
  return canBeNull ? { anyOf: [schema, { type: "null" }] } : schema;
}

function schemaOf(type: GraphQLInputType, inside: readonly GraphQLInputType[], names: Names = {}): Json {
  const present = getNullableType(type);
  if (isListType(present)) return { type: "array", items: schemaOf(present.ofType, inside) };
  if (isEnumType(present)) return { type: "string", enum: [...restValuesOf(present).values()] };
  if (isInputObjectType(present))
    return inside.includes(present) ? { type: "object" } : fieldsSchema(present, inside, { names });
  return scalarSchemas[getNamedType(present).name] ?? {};
}

function fieldsSchema(
  type: GraphQLInputObjectType,
  inside: readonly GraphQLInputType[],
  { except, names = {} }: { except?: string; names?: Names },
): Json {
  const fields = Object.values(type.getFields()).filter(
    ({ name, type: of }) => name !== except && getNamedType(of).name !== upload,
  );
  const described = fields.map((field) => {
    const schema = {
      ...propertySchema(field.type, [...inside, type], restLimitsOf(field)),
      description: field.description ?? "",
    };
    return { name: names[field.name] ?? field.name, isRequired: isRequiredInputField(field), schema };
  });
  return { ...objectSchema(described), ...(type.isOneOf && { minProperties: 1, maxProperties: 1 }) };
}

/** A JSON object in place of a list, whose property names are the field `key` of the items. */
function mapSchema(type: GraphQLInputType, key: string): Json {
  const item = getNamedType(type);
  return {
    type: "object",
    additionalProperties: isInputObjectType(item) ? fieldsSchema(item, [], { except: key }) : {},
  };
}

function objectSchema(properties: readonly { name: string; isRequired: boolean; schema: Json }[]): Json {
  const required = properties.filter(({ isRequired }) => isRequired).map(({ name }) => name);
  return {
    type: "object",
    additionalProperties: false,
    ...(required.length > 0 && { required }),
    properties: Object.fromEntries(properties.map(({ name, schema }) => [name, schema])),
  };
}
