// Maps the input fields and arguments in errors to the names that callers of REST use.
import {
  type DocumentNode,
  getNamedType,
  type GraphQLArgument,
  type GraphQLInputField,
  type GraphQLSchema,
  isInputObjectType,
  Kind,
  TypeInfo,
  type ValueNode,
  visit,
  visitWithTypeInfo,
} from "graphql";
import { pointerStep } from "#src/base/json.ts";
import type { Inputs } from "#src/rest/request/route-inputs.ts";

/** The REST name of an input path: a JSON pointer into the body, or the name of a parameter. */
export type NameReader = (path: string) => string;

/**
 * Follows the variables of a document back to their sources: with `input: { spaceId: $spaceId, parentId: $parent }`
 * and a body that has `parent`, the path `parentId` is `/parent`. The steps of a path are separated by slashes, or else
 * by dots (`place.before` is `/place/before`); JSON pointers and unknown paths are unchanged.
 */
export function restNamesOf(
  schema: GraphQLSchema,
  document: DocumentNode,
  { parameters, properties }: Inputs,
): NameReader {
  const restOfVariable = new Map(parameters.map(({ name, variable }) => [variable, name]));
  for (const { name } of properties ?? []) restOfVariable.set(name, `/${pointerStep(name)}`);
  const variables = variablesByPath(schema, document);
  // Steps below may have any name, such as "constructor".
  const inside = new Map(
    (properties ?? []).map(({ name, names }) => [`/${pointerStep(name)}`, new Map(Object.entries(names))]),
  );
  return (path) => {
    if (path.startsWith("/")) return path;
    const steps = path.split(path.includes("/") ? "/" : ".");
    for (let length = steps.length; length > 0; length--) {
      const known = steps.slice(0, length).join(".");
      const rest = restOfVariable.get(variables.get(known) ?? known);
      if (rest === undefined) continue;
      const [first, ...others] = steps.slice(length);
      const below = first === undefined ? [] : [inside.get(rest)?.get(first) ?? first, ...others];
      return rest.startsWith("/") ? [rest, ...below.map(pointerStep)].join("/") : rest;
    }
    // Not a path of the input, such as of a conflict: made a pointer anyway.
    return path.includes("/") ? `/${path}` : path;
  };
}

/** Maps paths of arguments and fields of `input` to their variable; paths with several variables are omitted. */
function variablesByPath(schema: GraphQLSchema, document: DocumentNode): ReadonlyMap<string, string> {
  const found = new Map<string, string | null>();
  const keep = (path: string, variable: string): void => {
    found.set(path, found.has(path) && found.get(path) !== variable ? null : variable);
  };
  const collect = (prefix: string, of: GraphQLArgument | GraphQLInputField, value: ValueNode): void => {
    const type = getNamedType(of.type);
    if (value.kind === Kind.VARIABLE) keep(`${prefix}${of.name}`, value.name.value);
    if (value.kind !== Kind.OBJECT || !isInputObjectType(type)) return;
    const below = of.name === "input" ? "" : `${prefix}${of.name}.`;
    for (const { name, value: inside } of value.fields) {
      const field = type.getFields()[name.value];
      if (field) collect(below, field, inside);
    }
  };
  const types = new TypeInfo(schema);
  const visitor = {
    Argument({ value }: { readonly value: ValueNode }) {
      const argument = types.getArgument();
      if (argument) collect("", argument, value);
    },
  };
  visit(document, visitWithTypeInfo(types, visitor));
  return new Map([...found].flatMap(([path, variable]) => (variable === null ? [] : [[path, variable] as const])));
}
