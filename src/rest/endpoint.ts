// Endpoints: routes prepared once, so that no later request has to parse a document or read the schema.
import { type Executor, isOperation, type Operation } from "#src/graph/run/execute.ts";
import type { AnswerWriter, Plan } from "#src/plan/plan.ts";
import { type Answerer, answererOf } from "#src/rest/answer/success.ts";
import {
  type Inputs,
  inputsOf,
  type UnknownParameters,
  unknownParametersOf,
  type VariableReader,
  variableReader,
} from "#src/rest/request/route-inputs.ts";
import { type NameReader, restNamesOf } from "#src/rest/request/error-paths.ts";
import type { Route } from "#src/rest/route.ts";
import {
  astFromValue,
  getNamedType,
  getNullableType,
  type GraphQLArgument,
  type GraphQLInputField,
  GraphQLNonNull,
  type GraphQLObjectType,
  type GraphQLSchema,
  isInputObjectType,
  isListType,
  isObjectType,
  print,
} from "graphql";
import type { ResponseShape } from "#src/plan/response-shape.ts";
import { Unsupported } from "#src/plan/byte-writer.ts";
import { writtenFieldOf } from "#src/rest/own-fields.ts";
import { keepsNull, restEntryOf, restLinks, restReference, restTreeOf, restValuesOf } from "#src/rest/type-forms.ts";

export interface Endpoint extends Answerer {
  readonly route: Route;
  readonly operation: Operation;
  /** The compiled operation with its writer; null for mutations, which are not compiled. */
  readonly plan: { readonly plan: Plan; readonly write: (root: AnswerWriter) => void } | null;
  readonly inputs: Inputs;
  readonly readVariables: VariableReader;
  readonly unknownParameters: UnknownParameters;
  /** The REST names of the input fields and arguments in errors. */
  readonly restName: NameReader;
}

const ready = new WeakMap<Executor, Map<Route, Endpoint>>();

/**
 * Prepares a route, once for all gateways with this executor. Throws an error with the operation if its declaration
 * does not match the schema.
 */
export function makeEndpoint(executor: Executor, route: Route): Endpoint {
  const endpoints = ready.get(executor) ?? new Map<Route, Endpoint>();
  ready.set(executor, endpoints);
  const endpoint = endpoints.get(route) ?? prepareEndpoint(executor, route);
  endpoints.set(route, endpoint);
  return endpoint;
}

function prepareEndpoint(executor: Executor, route: Route): Endpoint {
  try {
    const operation = executor.prepareOwn(documentOf(executor.schema, route));
    if (!isOperation(operation)) throw new Error(operation.map(({ message }) => message).join(" "));
    if (route.openToVisitors && operation.openness !== "open")
      throw new Error("The route is open to visitors, but selects a field that is not.");
    const answerer = answererOf(executor.schema, operation.document, route);
    const plan = operation.kind === "query" ? operation.planFor(restForm) : null;
    const inputs = inputsOf(executor.schema, operation.document, route);
    return {
      ...answerer,
      route,
      operation,
      plan: plan && { plan, write: writerOf(route) },
      inputs,
      readVariables: variableReader(inputs),
      unknownParameters: unknownParametersOf(inputs),
      restName: restNamesOf(executor.schema, operation.document, inputs),
    };
  } catch (error) {
    throw new Error(`${route.operationId}: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
}

const restForm: ResponseShape = {
  namesOf(type) {
    const values = restValuesOf(type);
    return (name) => values.get(name) ?? name;
  },
  omitsNull: (type) => isListType(getNullableType(type)) || !keepsNull(getNamedType(type)),
  omitsEmpty: (name) => name !== restLinks,
  treeOf: restTreeOf,
  entryOf: restEntryOf,
  reference: restReference,
  ownField: writtenFieldOf,
};

/** Writes the response of a route: what `answererOf` makes of data. Throws {@link Unsupported} if it cannot. */
function writerOf({ answer: way, list, beside = {} }: Route): (root: AnswerWriter) => void {
  const above = way.slice(0, -1);
  const last = way.at(-1);
  const names = Object.keys(beside);
  return (root) => {
    if (last === undefined) return root.write();
    const parent = above.reduce(below, root);
    if (list) writePage(below(parent, last), names);
    else parent.writeAt(last);
  };
}

function below(parent: AnswerWriter, name: string): AnswerWriter {
  const object = parent.at(name);
  if (!object) throw new Unsupported("an object is missing on the path of the response");
  return object;
}

function writePage(connection: AnswerWriter, beside: readonly string[]): void {
  const { out } = connection;
  const pageInfo = below(connection, "pageInfo");
  out.json('{"items":');
  connection.writeAt("nodes");
  out.json(`,"count":${String(connection.value("totalCount"))}`);
  if (pageInfo.value("hasNextPage") === true)
    out.json(`,"next":{"page":${JSON.stringify(pageInfo.value("endCursor"))}}`);
  for (const name of beside) {
    out.json(`,${JSON.stringify(name)}:`);
    connection.writeAt(name);
  }
  out.byte(0x7d);
}

/** The fields that the document of a list selects of its connection besides the nodes. */
export const pageOfList = "totalCount pageInfo { hasNextPage endCursor }";

export const documentOf = (schema: GraphQLSchema, route: Route): string =>
  route.document ?? new DocumentWriter(route).write(schema);

/** The name of an argument or field: for the id of an object, the field is named by the noun. */
const keyNamed = (field: string, name: string): string => (name === "id" ? `${field}Id` : name);

/** A deleted object is found by its own operation only: every operation below it returns 404. */
const hiddenBelow = (isWhole: boolean): string[] => (isWhole ? [] : ["includeDeleted: false"]);

class DocumentWriter {
  readonly #route: Route;
  /** The available inputs: the names of parameters and properties, which are those of their variables, too. */
  readonly #names: ReadonlySet<string>;
  readonly #variables: string[];

  constructor(route: Route) {
    this.#route = route;
    const { path, list, query, body, choices = {}, variables = [] } = route;
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
    const paging = list ? ["first", "after"] : [];
    this.#names = new Set([...inPath, ...paging, ...Object.keys({ ...query, ...body })]);
    this.#variables = [...Object.values(choices).map(({ variable }) => `$${variable}: Boolean! = false`), ...variables];
  }

  write(schema: GraphQLSchema): string {
    const { answer, fields = "" } = this.#route;
    const mutation = schema.getMutationType();
    const isMutation = answer[0] !== undefined && mutation?.getFields()[answer[0]] !== undefined;
    const root = isMutation ? mutation : schema.getQueryType();
    if (!root) throw new Error("The schema has no queries.");
    const [, own = "", fragments = "", first] = /^(.*?)(fragment (\w+) on .*)?$/s.exec(fields.trim()) ?? [];
    const shown = own || (first === undefined ? "" : `...${first}`);
    const beside = Object.entries(this.#route.beside ?? {}).map(([name, below]) => `${name} { ${below} }`);
    const list = `nodes { ${shown} } ${[pageOfList, ...beside].join(" ")}`;
    const selection = this.#way(root, answer, this.#route.list ? list : shown);
    const variables = this.#variables.length > 0 ? `(${this.#variables.join(", ")})` : "";
    return `${isMutation ? "mutation" : "query"} ${variables} { ${selection} } ${fragments}`;
  }

  #way(type: GraphQLObjectType, [name, ...others]: readonly string[], shown: string): string {
    if (name === undefined) return shown;
    const field = type.getFields()[name];
    if (!field) throw new Error(`${type.name} does not have the field ${name} on the path of the response.`);
    const isWhole = others.length === 0;
    const filled = field.args.flatMap((argument) =>
      argument.name === "includeDeleted" ? hiddenBelow(isWhole) : this.#argument(name, argument),
    );
    const below = getNamedType(field.type);
    const selection = isObjectType(below) ? `{ ${this.#way(below, others, shown)} }` : "";
    return `${name}${filled.length > 0 ? `(${filled.join(", ")})` : ""} ${selection}`;
  }

  #argument(field: string, argument: GraphQLArgument): string[] {
    const { name, type } = argument;
    const input = getNamedType(type);
    if (name !== "input" || !isInputObjectType(input)) return this.#value(field, argument, keyNamed(field, name));
    const fields = Object.values(input.getFields());
    return [`input: { ${fields.flatMap((one) => this.#value("input", one, one.name)).join(", ")} }`];
  }

  /** An argument or input field: filled by the variable of its name, or of one field of its input object. */
  #value(field: string, of: GraphQLArgument | GraphQLInputField, own: string): string[] {
    const given = this.#route.given?.[of.name];
    if (given !== undefined) return [`${of.name}: ${given}`];
    const input = getNamedType(of.type);
    const isOneOf = isInputObjectType(input) && input.isOneOf && this.#variableOf(own) === undefined;
    if (!isOneOf) return this.#filled(own, of);
    const known = [...this.#names];
    const placeOf = ({ name }: GraphQLInputField) => known.indexOf(this.#variableOf(keyNamed(field, name)) ?? "");
    const [one] = Object.values(input.getFields()).toSorted((a, b) => placeOf(b) - placeOf(a));
    if (!one || placeOf(one) < 0) return []; // the last one in the path counts: a change request in its space
    const required = { ...one, type: new GraphQLNonNull(getNullableType(one.type)) };
    return [`${of.name}: { ${this.#filled(keyNamed(field, one.name), required).join(", ")} }`];
  }

  /** The variable of an input with this name, or with `Id` at its end. */
  #variableOf(known: string): string | undefined {
    const plain = known.replace(/Id(s?)$/, "$1");
    return this.#route.named?.[known] ?? [known, `${known}Id`, plain].find((one) => this.#names.has(one));
  }

  /** Fills the inputs that the declaration names; others are not available. */
  #filled(known: string, { name, type, defaultValue }: GraphQLArgument | GraphQLInputField): string[] {
    const { defaults = {} } = this.#route;
    const variable = this.#variableOf(known);
    if (variable === undefined) return [];
    const value = defaultValue === undefined ? undefined : astFromValue(defaultValue, type);
    const preset = defaults[variable] ?? (value && print(value));
    this.#variables.push(`$${variable}: ${String(type)}${preset === undefined ? "" : ` = ${preset}`}`);
    return [`${name}: $${variable}`];
  }
}
