// Parameters: what a route reads from its path and query, each by the GraphQL type of the variable that it fills.
import {
  type DocumentNode,
  type GraphQLInputType,
  getNamedType,
  type GraphQLNamedInputType,
  type GraphQLSchema,
  isEnumType,
  isInputType,
  isListType,
  isNonNullType,
  getNullableType,
  Kind,
  typeFromAST,
  valueFromASTUntyped,
} from "graphql";
import { pageSize } from "#src/db/reader.ts";
import type { Route } from "#src/rest/route.ts";
import { restValuesOf } from "#src/rest/values.ts";

/** What a text was read as, or why it cannot be. */
type Reading = { readonly value: unknown } | { readonly refusal: string };

/** One parameter of a route. */
export interface Parameter {
  readonly name: string;
  readonly place: "path" | "query";
  /** The variable that it fills. */
  readonly variable: string;
  readonly type: GraphQLNamedInputType;
  /** Repeated, one value each. */
  readonly isList: boolean;
  readonly required: boolean;
  /** In REST form. */
  readonly default: unknown;
  readonly description: string;
  read(text: string): Reading;
}

/** The variables that `page` and `limit` fill. */
const pagingVariables = { page: "after", limit: "first" } as const;

const pagingDescriptions = {
  page: "Opaque pointer to a page of results, taken from `next.page`.",
  limit: "Most items to return in one page.",
};

interface Variable {
  readonly type: GraphQLInputType;
  readonly default: unknown;
}

/** The parameters of a route. Throws when they and the variables of the document do not cover one another. */
export function parametersOf(schema: GraphQLSchema, document: DocumentNode, route: Route): readonly Parameter[] {
  const variables = variablesOf(schema, document);
  const parameters: Parameter[] = [];
  const add = (place: Parameter["place"], name: string, variable: string, description: string) => {
    const known = variables.get(variable);
    if (!known) throw new Error(`The document has no variable $${variable} for the parameter ${name}.`);
    variables.delete(variable);
    parameters.push(parameterOf(known, { place, name, variable, description }));
  };
  for (const [, name = ""] of route.path.matchAll(/\{(\w+)\}/g)) add("path", name, name, describePlace(name));
  if (route.list)
    for (const name of ["page", "limit"] as const) add("query", name, pagingVariables[name], pagingDescriptions[name]);
  for (const [name, description] of Object.entries(route.query ?? {})) add("query", name, name, description);
  if (variables.size > 0) throw new Error(`Nothing fills the variables ${[...variables.keys()].join(", ")}.`);
  return parameters;
}

/** `changeRequestId` is the "Id of the change request". */
function describePlace(name: string): string {
  const words = name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.endsWith(" id") ? `Id of the ${words.slice(0, -3)}.` : `The ${words}.`;
}

function variablesOf(schema: GraphQLSchema, document: DocumentNode): Map<string, Variable> {
  const operation = document.definitions.find((node) => node.kind === Kind.OPERATION_DEFINITION);
  const variables = new Map<string, Variable>();
  for (const { variable, type: typeNode, defaultValue } of operation?.variableDefinitions ?? []) {
    const type = typeFromAST(schema, typeNode);
    if (!isInputType(type)) throw new Error(`The type of $${variable.name.value} is no input type.`);
    variables.set(variable.name.value, { type, default: defaultValue && valueFromASTUntyped(defaultValue) });
  }
  return variables;
}

function parameterOf(
  variable: Variable,
  of: Pick<Parameter, "place" | "name" | "variable" | "description">,
): Parameter {
  const type = getNamedType(variable.type);
  const isLimit = of.place === "query" && of.variable === pagingVariables.limit && of.name === "limit";
  const hasDefault = variable.default !== undefined;
  const restDefault = isEnumType(type) ? restValuesOf(type).get(String(variable.default)) : variable.default;
  return {
    ...of,
    type,
    isList: isListType(getNullableType(variable.type)),
    required: of.place === "path" || (isNonNullType(variable.type) && !hasDefault),
    default: isLimit ? pageSize.default : restDefault,
    read: isLimit ? readLimit : readerOf(type),
  };
}

function readLimit(text: string): Reading {
  const value = /^[0-9]{1,9}$/.test(text) ? Number(text) : 0;
  if (value >= 1 && value <= pageSize.max) return { value };
  return { refusal: `must be a whole number from 1 to ${pageSize.max}.` };
}

function readerOf(type: GraphQLNamedInputType): (text: string) => Reading {
  if (isEnumType(type)) return enumReader(restValuesOf(type));
  return readers[type.name] ?? readText;
}

const readers: Readonly<Record<string, (text: string) => Reading>> = {
  Boolean: (text) =>
    text === "true" || text === "false" ? { value: text === "true" } : { refusal: "must be true or false." },
  Int: (text) => {
    const value = /^-?[0-9]{1,10}$/.test(text) ? Number(text) : Infinity;
    return value === (value | 0) ? { value } : { refusal: "must be a whole number." };
  },
};

/** Text of any other type; the executor reads what has a form of its own, such as DateTime, further. */
function readText(text: string): Reading {
  // PostgreSQL can hold neither (a lone surrogate cannot come out of a percent escape, but may out of another transport).
  if (text.includes("\0") || !text.isWellFormed()) return { refusal: "must be well-formed text without NUL." };
  return { value: text };
}

function enumReader(values: ReadonlyMap<string, string>): (text: string) => Reading {
  const names = new Map([...values].map(([name, value]) => [value, name]));
  const refusal = `must be one of ${[...names.keys()].join(", ")}.`;
  return (text) => {
    const value = names.get(text);
    return value === undefined ? { refusal } : { value };
  };
}
