// Makes the GraphQL operation of a route from its row and the schema: path, arguments and selection.
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
  isObjectType,
  print,
} from "graphql";
import type { Route } from "#src/rest/route.ts";

/** What the document of a list selects of its connection beside the nodes. */
export const pageOfList = "totalCount pageInfo { hasNextPage endCursor }";

/** The document of a route: its own, or the one that leads to its answer. */
export function documentOf(schema: GraphQLSchema, route: Route): string {
  return route.document ?? new DocumentWriter(route).write(schema);
}

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

  /** The fields from a type down to the answer, and what the answer shows. */
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
