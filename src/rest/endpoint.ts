// Endpoints: routes made ready once, so that no later request has to look at a document or the schema.
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
import { keepsNull, restEntryOf, restReference, restTreeOf, restValuesOf } from "#src/rest/type-forms.ts";

export interface Endpoint extends Answerer {
  readonly route: Route;
  readonly operation: Operation;
  /** How it reads and writes its answer by a plan; null where it has none: of changes. */
  readonly plan: { readonly plan: Plan; readonly write: (root: AnswerWriter) => void } | null;
  readonly inputs: Inputs;
  readonly readVariables: VariableReader;
  readonly unknownParameters: UnknownParameters;
  /** The REST names of the input fields and arguments that errors are about. */
  readonly restName: NameReader;
}

/** Makes a route ready. Throws, naming the operation, when its row and the schema do not fit. */
export function makeEndpoint(executor: Executor, route: Route): Endpoint {
  try {
    const operation = executor.prepareOwn(documentOf(executor.schema, route));
    if (!isOperation(operation)) throw new Error(operation.map(({ message }) => message).join(" "));
    if (route.openToVisitors && operation.openness !== "open")
      throw new Error("It is open to visitors, and asks for something that is not.");
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
  omitsEmpty: true,
  treeOf: restTreeOf,
  entryOf: restEntryOf,
  reference: restReference,
  ownField: writtenFieldOf,
};

/** Writes the answer of a route: what `answererOf` makes of data. Throws {@link Unsupported} where it has none. */
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
  if (!object) throw new Unsupported("nothing on the way to the answer");
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

/** What the document of a list selects of its connection beside the nodes. */
export const pageOfList = "totalCount pageInfo { hasNextPage endCursor }";

export const documentOf = (schema: GraphQLSchema, route: Route): string =>
  route.document ?? new DocumentWriter(route).write(schema);

/** What an argument or field is known by: the id of what the field shows by the noun. */
const keyNamed = (field: string, name: string): string => (name === "id" ? `${field}Id` : name);

class DocumentWriter {
  readonly #route: Route;
  /** What can be given: the names of parameters and properties, which are those of their variables, too. */
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
    if (!field) throw new Error(`${type.name} has no field ${name} on the way to the answer.`);
    const filled = field.args.flatMap((argument) => this.#argument(name, argument));
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

  /** An argument or input field: by the variable of its name, or of the field of what it holds exactly one of. */
  #value(field: string, of: GraphQLArgument | GraphQLInputField, own: string): string[] {
    const given = this.#route.given?.[of.name];
    if (given !== undefined) return [`${of.name}: ${given}`];
    const input = getNamedType(of.type);
    const isOneOf = isInputObjectType(input) && input.isOneOf && this.#variableOf(own) === undefined;
    if (!isOneOf) return this.#filled(own, of);
    const known = [...this.#names];
    const placeOf = ({ name }: GraphQLInputField) => known.indexOf(this.#variableOf(keyNamed(field, name)) ?? "");
    const [one] = Object.values(input.getFields()).toSorted((a, b) => placeOf(b) - placeOf(a));
    if (!one || placeOf(one) < 0) return []; // of several the last in the path: a change request in its space
    const required = { ...one, type: new GraphQLNonNull(getNullableType(one.type)) };
    return [`${of.name}: { ${this.#filled(keyNamed(field, one.name), required).join(", ")} }`];
  }

  /** The variable of what can be given under this name, but for an `Id` at the end. */
  #variableOf(known: string): string | undefined {
    const plain = known.replace(/Id(s?)$/, "$1");
    return this.#route.named?.[known] ?? [known, `${known}Id`, plain].find((one) => this.#names.has(one));
  }

  /** Fills what the row names; nothing else is given. */
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
