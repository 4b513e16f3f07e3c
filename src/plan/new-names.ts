// Former names of arguments and input fields: what is given under one is read as if it were given under the new name,
// so that nothing behind knows of the old ones. `graph/renamed` declares them.
import {
  getNamedType,
  getNullableType,
  type GraphQLArgument,
  type GraphQLInputField,
  type GraphQLInputType,
  isInputObjectType,
  isListType,
} from "graphql";
import { invalidInput } from "#src/base/errors.ts";

/** What an argument or input field says, by its extensions, of its names. */
export interface Naming {
  /** Of a former name: the name of now, or a field of the input object that took its place: `contentOf/spaceId`. */
  readonly renamedTo?: string;
  /** Of a name of now: whether it has to be given, under this name or a former one. */
  readonly mustBeGiven?: boolean;
}

type Fields = readonly (GraphQLArgument | GraphQLInputField)[];
type Values = Readonly<Record<string, unknown>>;

/** What is known of an argument or input field. */
export function namingOf({ extensions }: Pick<Fields[number], "extensions">): Naming {
  return extensions as Naming; // what graph/renamed puts there
}

const lists = new WeakMap<object, Fields>();

/** The fields of an input type, the same list each time. */
function fieldsOf(type: { getFields(): Readonly<Record<string, GraphQLInputField>> }): Fields {
  let fields = lists.get(type);
  if (!fields) lists.set(type, (fields = Object.values(type.getFields())));
  return fields;
}

const concerned = new WeakMap<Fields, boolean>();

/** Whether any of these fields, or of those inside, has a former name. */
function isConcerned(fields: Fields, entered: readonly Fields[] = []): boolean {
  const known = concerned.get(fields);
  if (known !== undefined) return known;
  const found = fields.some((field) => {
    const { renamedTo, mustBeGiven } = namingOf(field);
    if (renamedTo !== undefined || mustBeGiven) return true;
    const type = getNamedType(field.type);
    if (!isInputObjectType(type)) return false;
    const below = fieldsOf(type);
    return !entered.includes(below) && isConcerned(below, [...entered, below]);
  });
  if (entered.length === 0) concerned.set(fields, found);
  return found;
}

/** The argument of mutations, whose fields errors name without it. */
const inputArgument = "input";

/**
 * What is given to arguments or input fields, under their names of now. Throws INVALID_INPUT where something is given
 * under both names, null being nothing, and where what has to be given is not.
 */
export function underNewNames(fields: Fields, given: Values, path = ""): Values {
  if (!isConcerned(fields)) return given;
  const values: Record<string, unknown> = {};
  const former: Former[] = [];
  for (const field of fields) {
    const { name, type } = field;
    if (given[name] === undefined) continue;
    const value = inside(type, given[name], name === inputArgument ? "" : `${path}${name}/`);
    const { renamedTo } = namingOf(field);
    if (renamedTo === undefined) values[name] = value;
    else former.push({ name, to: renamedTo, value });
  }
  for (const one of former) move(values, given, path, one);
  for (const field of fields)
    if (namingOf(field).mustBeGiven && values[field.name] == null)
      throw invalidInput(`${path}${field.name}`, "must be given.");
  return values;
}

/** What is given under a former name. */
interface Former {
  readonly name: string;
  readonly to: string;
  readonly value: unknown;
}

function move(values: Record<string, unknown>, given: Values, path: string, { name, to, value }: Former): void {
  const [target = "", key] = to.split("/");
  if (given[target] != null) {
    if (value === null) return;
    throw invalidInput(`${path}${name}`, `must not be given beside \`${target}\`, which says the same.`);
  }
  values[target] = key === undefined ? value : { ...(values[target] as Values | undefined), [key]: value };
}

function inside(type: GraphQLInputType, value: unknown, path: string): unknown {
  if (value === null || !isInputObjectType(getNamedType(type))) return value;
  const nullable = getNullableType(type);
  if (isListType(nullable))
    return (value as unknown[]).map((item, index) => inside(nullable.ofType, item, `${path}${index}/`)); // coerced
  return isInputObjectType(nullable) ? underNewNames(fieldsOf(nullable), value as Values, path) : value;
}
