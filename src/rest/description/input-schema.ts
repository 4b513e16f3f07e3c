// JSON Schema of inputs, by their GraphQL types, for the OpenAPI description.
import {
  type GraphQLInputObjectType,
  type GraphQLInputType,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isRequiredInputField,
} from "graphql";
import type { Property } from "#src/rest/request/body.ts";
import { type Names, upload } from "#src/rest/request/values.ts";
import { scalarSchemas } from "#src/rest/description/answer-schema.ts";
import type { SchemaLimits } from "#src/graph/schema/rest-forms.ts";
import { keepsNull, restLimitsOf, restValuesOf } from "#src/rest/type-forms.ts";

type Json = Readonly<Record<string, unknown>>;

/** The schema of a parameter or property of a type. */
export function typeSchema(type: GraphQLInputType): Json {
  return schemaOf(type, []);
}

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

/** A null is described only where it means something: most fields are nullable just because they are optional. */
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

/** A JSON object in the place of a list, whose property names are the field `key` of the items. */
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
