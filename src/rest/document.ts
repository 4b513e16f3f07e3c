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
import { namingOf } from "#src/plan/new-names.ts";
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
    const filled = this.#present(field.args).flatMap((argument) => this.#argument(name, argument));
    const below = getNamedType(field.type);
    const selection = isObjectType(below) ? `{ ${this.#way(below, others, shown)} }` : "";
    return `${name}${filled.length > 0 ? `(${filled.join(", ")})` : ""} ${selection}`;
  }

  #argument(field: string, argument: GraphQLArgument): string[] {
    const { name, type } = argument;
    const input = getNamedType(type);
    if (namingOf(argument).renamedTo?.includes("/")) return []; // filled in the object that took its place
    if (isInputObjectType(input) && input.isOneOf && this.#variableOf(name) === undefined)
      return this.#oneOf(field, name, Object.values(input.getFields()));
    if (name !== "input" || !isInputObjectType(input)) return this.#filled(keyNamed(field, name), argument);
    const fields = this.#present(Object.values(input.getFields()));
    return [`input: { ${fields.flatMap((one) => this.#inputField(one, fields)).join(", ")} }`];
  }

  /** A field of the input. What took the place of several fields is filled where the row names one of them. */
  #inputField(field: GraphQLInputField, fields: readonly GraphQLInputField[]): string[] {
    const input = getNamedType(field.type);
    const [gathering, key] = namingOf(field).renamedTo?.split("/") ?? [];
    if (key !== undefined && this.#namesOne(fields, gathering)) return [];
    if (!isInputObjectType(input) || !this.#namesOne(fields, field.name)) return this.#filled(field.name, field);
    return this.#oneOf("input", field.name, Object.values(input.getFields()));
  }

  /** Whether the row names exactly one of the fields that another one took the place of. */
  #namesOne(fields: readonly GraphQLInputField[], gathering: string | undefined): boolean {
    const former = fields.filter((one) => namingOf(one).renamedTo?.startsWith(`${gathering}/`));
    return former.filter(({ name }) => this.#variableOf(name) !== undefined).length === 1;
  }

  /** Fills the one field that the row names of what something is found by. */
  #oneOf(field: string, name: string, fields: readonly GraphQLInputField[]): string[] {
    const filled = fields.flatMap((one) =>
      this.#filled(keyNamed(field, one.name), { ...one, type: new GraphQLNonNull(getNullableType(one.type)) }),
    );
    return filled.length > 0 ? [`${name}: { ${filled.join(", ")} }`] : [];
  }

  /** Without the former names of what is filled under the name of now. */
  #present<Field extends GraphQLArgument | GraphQLInputField>(fields: readonly Field[]): Field[] {
    return fields.filter((field) => {
      const { renamedTo } = namingOf(field);
      return renamedTo === undefined || this.#variableOf(renamedTo) === undefined;
    });
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
