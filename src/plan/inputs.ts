// Readers of an operation's variables and of a field's arguments, prepared once. Values that are valid as they were
// sent are taken without graphql-js, which reads all others and reports the errors.
import {
  type FieldNode,
  getArgumentValues,
  getVariableValues,
  GraphQLBoolean,
  type GraphQLField,
  GraphQLID,
  GraphQLInt,
  type GraphQLSchema,
  GraphQLString,
  isNonNullType,
  Kind,
  type OperationDefinitionNode,
  typeFromAST,
  visit,
} from "graphql";
import type { Arguments } from "#src/plan/read-declaration.ts";

type Accepts = (value: unknown) => boolean;

const isText: Accepts = (value) => typeof value === "string";

/** Of scalars whose value is the one that was sent: whether it is valid. */
const accepting: ReadonlyMap<unknown, Accepts> = new Map<unknown, Accepts>([
  [GraphQLID, isText],
  [GraphQLString, isText],
  [GraphQLInt, (value) => (Number(value) | 0) === value],
  [GraphQLBoolean, (value) => typeof value === "boolean"],
]);

/** Whether a value of a variable is valid as it was sent; null for other types than scalars. */
function acceptingOf(type: unknown): Accepts | null {
  if (isNonNullType(type)) return accepting.get(type.ofType) ?? null;
  const accepts = accepting.get(type);
  return accepts ? (value) => value === null || accepts(value) : null;
}

/** Returns the values of an operation's variables by their definitions; undefined if they are not valid. */
export type VariablesReader = (sent: Arguments) => Arguments | undefined;

/** Prepares the reader of the variables of an operation. */
export function variablesReader(schema: GraphQLSchema, operation: OperationDefinitionNode): VariablesReader {
  const { variableDefinitions = [] } = operation;
  const readAll: VariablesReader = (sent) =>
    getVariableValues(schema, variableDefinitions, sent, { maxErrors: 50 }).coerced;
  const known = variableDefinitions.map((definition) => {
    const name = definition.variable.name.value;
    const { coerced } = getVariableValues(schema, [definition], {});
    return { name, accepts: acceptingOf(typeFromAST(schema, definition.type)), otherwise: coerced };
  });
  if (known.some(({ name }) => name === "__proto__")) return readAll; // which assignment does not set
  return (sent) => {
    const values: Record<string, unknown> = {};
    for (const { name, accepts, otherwise } of known) {
      if (Object.hasOwn(sent, name)) {
        if (!accepts?.(sent[name])) return readAll(sent);
        values[name] = sent[name];
      } else if (otherwise) Object.assign(values, otherwise);
      else return readAll(sent);
    }
    return values;
  };
}

/** Returns the arguments of a field, for coerced variables. Throws as `getArgumentValues` of graphql-js does. */
export type ArgumentsReader = (variables: Arguments) => Arguments;

/** Prepares the reader of the arguments of a field. */
export function argumentsReader(field: GraphQLField<unknown, unknown>, node: FieldNode | undefined): ArgumentsReader {
  if (!node || field.args.length === 0) return () => ({});
  const dependent = new Set((node.arguments ?? []).filter(hasVariable).map(({ name }) => name.value));
  const constant = getArgumentValues({ ...field, args: field.args.filter(({ name }) => !dependent.has(name)) }, node);
  if (dependent.size === 0) return () => constant;
  const readAll: ArgumentsReader = (variables) => getArgumentValues(field, node, variables);
  const variableOf = ({ name }: { name: string }) => {
    const value = node.arguments?.find((argument) => argument.name.value === name)?.value;
    return value?.kind === Kind.VARIABLE ? value.name.value : null;
  };
  const given = field.args
    .filter(({ name }) => dependent.has(name))
    .map((argument) => ({ ...argument, variable: variableOf(argument), isRequired: isNonNullType(argument.type) }));
  return (variables) => {
    const values: Record<string, unknown> = { ...constant };
    for (const { name, variable, isRequired, defaultValue } of given) {
      if (variable !== null && Object.hasOwn(variables, variable)) {
        const value = variables[variable];
        if (value === undefined || (value === null && isRequired)) return readAll(variables);
        values[name] = value;
      } else if (variable === null || (isRequired && defaultValue === undefined)) return readAll(variables);
      else if (defaultValue !== undefined) values[name] = defaultValue;
    }
    return values;
  };
}

/** Whether an argument contains a variable. */
function hasVariable(argument: NonNullable<FieldNode["arguments"]>[number]): boolean {
  let found = false;
  visit(argument, { [Kind.VARIABLE]: () => void (found = true) });
  return found;
}
