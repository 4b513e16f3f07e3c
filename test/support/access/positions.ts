// Samples of inputs, and the positions of ids and texts in them, generated from the schema, so that new operations are
// included automatically.
import {
  getNamedType,
  getNullableType,
  type GraphQLEnumType,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLOutputType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isLeafType,
  isListType,
  isObjectType,
  isRequiredInputField,
} from "graphql";

/**
 * The inputs of an operation: the fields of an input, the arguments of a field, or the parameters and properties of a
 * REST operation.
 */
export type Fields = Readonly<Record<string, { readonly type: GraphQLInputType; readonly required: boolean }>>;

/** A position in an input, by path; lists are passed through. */
export interface Position {
  readonly path: readonly string[];
  readonly scalar: "ID" | "String";
}

/** How a sample is filled. */
export interface Filling {
  /** A value for a field of this name and scalar, such as the id of an existing object. */
  readonly valueFor: (name: string, scalar: string) => unknown;
  /** An object for a field of this name, if required fields alone are not valid. */
  readonly objectFor?: (name: string) => object | undefined;
  /** Writes an enum value. */
  readonly enumText: (type: GraphQLEnumType, name: string) => string;
  /** Values at positions, which are set even if optional. */
  readonly puts?: readonly Put[];
}

/** A value at a position. */
export interface Put {
  readonly path: readonly string[];
  readonly value: unknown;
}

/** All positions of ids and texts, also in nested inputs. A recursive input is entered once. */
export function positionsOf(fields: Fields, entered: readonly string[] = []): Position[] {
  return Object.entries(fields).flatMap(([name, { type }]): Position[] => {
    const named = getNamedType(type);
    if (named.name === "ID" || named.name === "String") return [{ path: [name], scalar: named.name }];
    if (!isInputObjectType(named) || entered.includes(named.name)) return [];
    return positionsOf(fieldsOf(named.getFields()), [...entered, named.name]).map(({ path, scalar }) => ({
      path: [name, ...path],
      scalar,
    }));
  });
}

/** The fields of an input type or the arguments of a field. */
export function fieldsOf(fields: Readonly<Record<string, Parameters<typeof isRequiredInputField>[0]>>): Fields {
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, { type: field.type, required: isRequiredInputField(field) }]),
  );
}

/** An input with all required fields and the given values. */
export function sampleOf(fields: Fields, filling: Filling): Record<string, unknown> {
  const { puts = [] } = filling;
  const beside = puts.map(({ path: [head] }) => head?.toLowerCase());
  const entries = Object.entries(fields).flatMap(([name, { type, required }]) => {
    const inside = puts
      .filter(({ path }) => path[0] === name)
      .map(({ path, value }) => ({ path: path.slice(1), value }));
    if (inside.length === 0 && !required) return [];
    const named = getNamedType(type);
    if (inside.length === 0 && isEnumType(named)) return [[name, enumValue(named, beside, filling)]];
    return [[name, valueOf(name, type, { ...filling, puts: inside })]];
  });
  return Object.fromEntries(entries) as Record<string, unknown>; // made of pairs of names and values
}

/** The enum value that names a sibling field (`SPACE` beside `space`), or the first. */
function enumValue(type: GraphQLEnumType, beside: readonly (string | undefined)[], { enumText }: Filling): string {
  const names = type.getValues().map(({ name }) => name);
  return enumText(type, names.find((name) => beside.includes(name.toLowerCase())) ?? names[0] ?? "");
}

function valueOf(name: string, type: GraphQLInputType, filling: Filling): unknown {
  const nullable = getNullableType(type);
  if (isListType(nullable)) return [valueOf(name, nullable.ofType, filling)];
  if (isInputObjectType(nullable)) {
    const given = filling.objectFor?.(name);
    if (given && nullable.isOneOf && !filling.puts?.length) return given;
    return { ...(!nullable.isOneOf && given), ...sampleOf(neededOf(nullable, filling), filling) };
  }
  const here = filling.puts?.find(({ path }) => path.length === 0);
  if (here) return here.value;
  if (isEnumType(nullable)) return enumValue(nullable, [], filling);
  return filling.valueFor(name, getNamedType(nullable).name);
}

/** The fields of an input type; a OneOf without a given value gets one required field. */
function neededOf(type: GraphQLInputObjectType, { puts = [] }: Filling): Fields {
  const fields = fieldsOf(type.getFields());
  if (!type.isOneOf || puts.length > 0) return fields;
  const ofScalar = (scalar: string) =>
    Object.entries(fields).find(([, field]) => getNamedType(field.type).name === scalar);
  const chosen = ofScalar("ID") ?? ofScalar("String") ?? Object.entries(fields)[0];
  return chosen ? { ...fields, [chosen[0]]: { ...chosen[1], required: true } } : fields;
}

/**
 * A selection that identifies a result: ids and Booleans, without random values.
 */
export function selectionOf(type: GraphQLOutputType, depth = 2): string {
  const named = getNamedType(type);
  if (isLeafType(named)) return "";
  if (!isObjectType(named) && !isInterfaceType(named)) return "{ __typename }";
  const fields = named.getFields();
  if (fields["nodes"]) return `{ nodes ${selectionOf(fields["nodes"].type, depth)} }`;
  if (fields["id"]) return "{ __typename id }";
  if (depth === 0) return "{ __typename }";
  const selected = Object.values(fields)
    .filter((field) => field.args.length === 0)
    .filter(({ name, type: of }) => {
      const answered = getNamedType(of);
      return !isLeafType(answered) || answered.name === "Boolean" || name === "deletedId";
    })
    .map((field) => `${field.name} ${selectionOf(field.type, depth - 1)}`);
  return `{ __typename ${selected.join(" ")} }`;
}
