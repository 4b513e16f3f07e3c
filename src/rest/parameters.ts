// Inputs of a route: what it reads from its path, query and body, each by the GraphQL type of the variable that it fills.
import {
  type DocumentNode,
  GraphQLBoolean,
  GraphQLEnumType,
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
import { type Property, propertyOf } from "#src/rest/body.ts";
import { enumReader, type Reading, readText } from "#src/rest/readings.ts";
import type { Choice, Route } from "#src/rest/route.ts";
import { restValuesOf } from "#src/rest/values.ts";

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

/** Whether a parameter is `page` or `limit` of a list. */
export function isPaging({ place, name, variable }: Pick<Parameter, "place" | "name" | "variable">): boolean {
  return place === "query" && Object.entries(pagingVariables).some((own) => own[0] === name && own[1] === variable);
}

const pagingDescriptions = {
  page: "Opaque pointer to a page of results, taken from `next.page`.",
  limit: "Most items to return in one page.",
};

interface Variable {
  readonly type: GraphQLInputType;
  readonly default: unknown;
}

/** What a parameter fills that no document has: executions pass over it. */
const idleFlag: Variable = { type: GraphQLBoolean, default: true };

/** All that fills the variables of a route. */
export interface Inputs {
  readonly parameters: readonly Parameter[];
  /** Null for a route that takes no body. */
  readonly properties: readonly Property[] | null;
  /** Whether the body has to be there; that of POST and PUT may be left out when all of its properties may, that of PATCH may not. */
  readonly isBodyRequired: boolean;
}

/** The inputs of a route. Throws when they and the variables of the document do not cover one another. */
export function inputsOf(schema: GraphQLSchema, document: DocumentNode, route: Route): Inputs {
  const variables = variablesOf(schema, document);
  const take = (name: string, variable: string): Variable => {
    const known = variables.get(variable);
    if (!known) throw new Error(`The document has no variable $${variable} for ${name}.`);
    variables.delete(variable);
    return known;
  };
  const add = (place: Parameter["place"], name: string, variable: string, description: string) =>
    parameters.push(parameterOf(take(name, variable), { place, name, variable, description }));
  const parameters: Parameter[] = [];
  for (const [, name = ""] of route.path.matchAll(/\{(\w+)\}/g)) add("path", name, name, describePlace(name));
  if (route.list)
    for (const name of ["page", "limit"] as const) add("query", name, pagingVariables[name], pagingDescriptions[name]);
  for (const [name, description] of Object.entries(route.query ?? {})) add("query", name, name, description);
  for (const [name, choice] of Object.entries(route.choices ?? {}))
    parameters.push(choiceOf(name, choice, take(name, choice.variable)));
  for (const [name, description] of Object.entries(route.idle ?? {}))
    parameters.push(parameterOf(idleFlag, { place: "query", name, variable: name, description }));
  const properties = Object.entries(route.body ?? {}).map(([name, described]) => {
    const variable = take(name, name);
    return propertyOf(name, described, { type: variable.type, required: isRequired(variable) });
  });
  if (variables.size > 0) throw new Error(`Nothing fills the variables ${[...variables.keys()].join(", ")}.`);
  const isBodyRequired = properties.some(({ required }) => required) || (!!route.body && route.method === "PATCH");
  return { parameters, properties: route.body ? properties : null, isBodyRequired };
}

function isRequired(variable: Variable): boolean {
  return isNonNullType(variable.type) && variable.default === undefined;
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
  const isLimit = isPaging(of) && of.name === "limit";
  const restDefault = isEnumType(type) ? restValuesOf(type).get(String(variable.default)) : variable.default;
  return {
    ...of,
    type,
    isList: isListType(getNullableType(variable.type)),
    required: of.place === "path" || isRequired(variable),
    default: isLimit ? pageSize.default : restDefault,
    read: isLimit ? readLimit : readerOf(type),
  };
}

function choiceOf(name: string, { description, variable, values: [no, yes] }: Choice, filled: Variable): Parameter {
  const type = new GraphQLEnumType({ name: "Choice", values: { [no]: {}, [yes]: {} } });
  const readValue = enumReader(restValuesOf(type));
  const read = (text: string): Reading => {
    const reading = readValue(text);
    return "value" in reading ? { value: reading.value === yes } : reading;
  };
  const preset = filled.default === true ? yes : no;
  const required = isRequired(filled);
  return { name, place: "query", variable, type, isList: false, required, default: preset, description, read };
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
