// Inputs of a route: path, query and body, matched with the variables of its document, the limits that the schema
// limits that the arguments and input fields behind those declare, and the variables of one request.
import {
  type DocumentNode,
  getNamedType,
  getOperationAST,
  GraphQLBoolean,
  GraphQLID,
  GraphQLNonNull,
  type GraphQLSchema,
  isInputObjectType,
  isInputType,
  Kind,
  type OperationDefinitionNode,
  typeFromAST,
  TypeInfo,
  valueFromASTUntyped,
  visit,
  visitWithTypeInfo,
} from "graphql";
import { inWords } from "#src/base/text/forms.ts";
import { type JsonObject, type Property, propertyOf } from "#src/rest/request/body.ts";
import {
  choiceOf,
  type Declared,
  isRequired,
  pagingParameters,
  type Parameter,
  parameterOf,
  type Variable,
} from "#src/rest/request/parameters.ts";
import type { Route } from "#src/rest/route.ts";
import type { SchemaLimits } from "#src/graph/schema/rest-forms.ts";
import { restLimitsOf } from "#src/rest/type-forms.ts";
import { DomainError, type ErrorDetail } from "#src/base/errors.ts";
import { percentDecoded } from "#src/base/url-text.ts";
import type { Variables } from "#src/graph/run/execute.ts";
import { mustBeDecodable, readFields, refusalOf } from "#src/rest/request/values.ts";
import type { PathParameters } from "#src/rest/request/match.ts";

export interface Inputs {
  readonly parameters: readonly Parameter[];
  /** Null for a route without a body. */
  readonly properties: readonly Property[] | null;
  /** A POST or PUT may omit the body if it may omit all properties; a PATCH may not. */
  readonly isBodyRequired: boolean;
}

/** The variable of a path parameter that the document does not use. */
const pathVariable: Variable = { type: new GraphQLNonNull(GraphQLID), default: undefined, limits: {} };

/** The variable of an ignored parameter: no document has it, and executions skip it. */
const ignoredVariable: Variable = { type: GraphQLBoolean, default: true, limits: {} };

/** The inputs of a route. Throws if a variable of the document has no source, or an input has no variable. */
export function inputsOf(schema: GraphQLSchema, document: DocumentNode, route: Route): Inputs {
  const operation = getOperationAST(document);
  const kind = operation?.operation;
  const variables = variablesOf(schema, document, operation);
  const take = (name: string, variable = name): Variable => {
    const known = variables.get(variable);
    if (!known) throw new Error(`The document does not have the variable $${variable} for ${name}.`);
    variables.delete(variable);
    return known;
  };
  // Only the context of a mutation has it: `Context.path`.
  const around = (name: string) => (kind === "mutation" && !variables.has(name) ? pathVariable : undefined);
  const { path, query = {}, choices = {}, ignored = {}, body, method } = route;
  const parameters = [
    ...pathParameters(path).map((declared) => parameterOf(around(declared.name) ?? take(declared.name), declared)),
    ...(route.list ? pagingParameters(take) : []),
    ...queryParameters(query).map((declared) => parameterOf(take(declared.name), declared)),
    ...Object.entries(choices).map(([name, choice]) => choiceOf(name, choice, take(name, choice.variable))),
    ...queryParameters(ignored).map((declared) => parameterOf(ignoredVariable, declared)),
  ];
  const properties = Object.entries(body ?? {}).map(([name, described]) => {
    const variable = take(name);
    return propertyOf(name, described, { ...variable, required: isRequired(variable) });
  });
  if (variables.size > 0) throw new Error(`No input fills the variables ${[...variables.keys()].join(", ")}.`);
  const isBodyRequired = properties.some(({ required }) => required) || (!!body && method === "PATCH");
  return { parameters, properties: body ? properties : null, isBodyRequired };
}

function variablesOf(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode | null | undefined,
): Map<string, Variable> {
  const variables = new Map<string, Variable>();
  const limits = limitsOfVariables(schema, document);
  for (const { variable, type: typeNode, defaultValue } of operation?.variableDefinitions ?? []) {
    const type = typeFromAST(schema, typeNode);
    if (!isInputType(type)) throw new Error(`The type of $${variable.name.value} is not an input type.`);
    const preset = defaultValue && valueFromASTUntyped(defaultValue);
    const name = variable.name.value;
    variables.set(name, { type, default: preset, limits: limits.get(name) ?? {} });
  }
  return variables;
}

/** `{changeRequestId}` is the "Id of the change request". */
function pathParameters(path: string): Declared[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => {
    const words = inWords(name);
    const description = words.endsWith(" id") ? `Id of the ${words.slice(0, -3)}.` : `The ${words}.`;
    return { name, place: "path", description };
  });
}

const queryParameters = (descriptions: Readonly<Record<string, string>>): Declared[] =>
  Object.entries(descriptions).map(([name, description]) => ({ name, place: "query", description }));

/** The limits by the names of the variables; of a variable that fills several, those of the last. */
function limitsOfVariables(schema: GraphQLSchema, document: DocumentNode): ReadonlyMap<string, SchemaLimits> {
  const found = new Map<string, SchemaLimits>();
  const types = new TypeInfo(schema);
  visit(
    document,
    visitWithTypeInfo(types, {
      Argument({ value }) {
        const argument = types.getArgument();
        if (value.kind === Kind.VARIABLE && argument) found.set(value.name.value, restLimitsOf(argument));
      },
      ObjectField({ name, value }) {
        const input = types.getParentInputType();
        const parent = input && getNamedType(input);
        const field = isInputObjectType(parent) ? parent.getFields()[name.value] : undefined;
        if (value.kind === Kind.VARIABLE && field) found.set(value.name.value, restLimitsOf(field));
      },
    }),
  );
  return found;
}

/** Reads variables from the query string and body object. Throws INVALID_INPUT with a detail for each invalid one. */
export type VariableReader = (path: PathParameters, search: string, body?: JsonObject) => Variables;

/** The reader of a route. Unknown query parameters are ignored, since caches add some ({@link unknownParametersOf}). */
export function variableReader({ parameters, properties, isBodyRequired }: Inputs): VariableReader {
  const inPath = parameters.filter(({ place }) => place === "path");
  const inQuery = parameters.filter(({ place }) => place === "query");
  return (path, search, body) => {
    const variables: Record<string, unknown> = {};
    const refused: ErrorDetail[] = [];
    for (const parameter of inPath)
      variables[parameter.variable] = readOne(parameter, path[parameter.name] ?? "", refused);
    const query = parseQuery(search);
    for (const parameter of inQuery) {
      const texts = query.get(parameter.name);
      if (texts) variables[parameter.variable] = readAll(parameter, texts, refused);
      else if (parameter.required) refused.push({ path: parameter.name, message: "must be given." });
    }
    const inBody = properties ? readFields(properties, body ?? {}, { pointer: "", refused }) : {};
    for (const [name, value] of Object.entries(inBody)) if (value !== undefined) variables[name] = value;
    if (refused.length > 0) throw refusalOf(refused);
    if (isBodyRequired && !body)
      throw new DomainError("INVALID_INPUT", "This operation requires a JSON object as its body.");
    return variables;
  };
}

/** Returns the names of query parameters that a route does not know, at most some of them. */
export type UnknownParameters = (search: string) => string[];

const mostNamed = 10;

/** Finds the unknown query parameters of a route. */
export function unknownParametersOf({ parameters }: Inputs): UnknownParameters {
  const known = new Set(parameters.filter(({ place }) => place === "query").map(({ name }) => name));
  return (search) => [...parseQuery(search).keys()].filter((name) => !known.has(name)).slice(0, mostNamed);
}

function readOne({ name, read }: Parameter, text: string, refused: ErrorDetail[]): unknown {
  const reading = read(text);
  if ("value" in reading) return reading.value;
  refused.push({ path: name, message: reading.refusal });
  return undefined;
}

function readAll(parameter: Parameter, texts: readonly string[], refused: ErrorDetail[]): unknown {
  if (parameter.isList) return texts.map((text) => readOne(parameter, text, refused));
  const [text = "", ...others] = texts;
  if (others.length === 0) return readOne(parameter, text, refused);
  refused.push({ path: parameter.name, message: "must be given only once." });
  return undefined;
}

const noQuery: ReadonlyMap<string, string[]> = new Map();

function parseQuery(search: string): ReadonlyMap<string, string[]> {
  if (search === "") return noQuery;
  const query = new Map<string, string[]>();
  for (const part of search.split("&")) {
    if (part === "") continue;
    const equals = part.indexOf("=");
    const name = decode(equals < 0 ? part : part.slice(0, equals));
    const text = equals < 0 ? "" : decode(part.slice(equals + 1), name);
    const texts = query.get(name);
    if (texts) texts.push(text);
    else query.set(name, [text]);
  }
  return query;
}

/** Decodes as forms do: a plus is a space. `name` is that of the parameter, if it is its value. */
function decode(text: string, name?: string): string {
  const decoded = percentDecoded(text.replaceAll("+", " "));
  if (decoded !== null) return decoded;
  if (name !== undefined) throw refusalOf([{ path: name, message: mustBeDecodable }]);
  throw new DomainError("INVALID_INPUT", `The query ${mustBeDecodable}`);
}
