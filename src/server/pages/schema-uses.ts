// The schema as its reference shows it: its types by kind, where each is used, and what a search finds.
import {
  getNamedType,
  type GraphQLNamedType,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isObjectType,
  isUnionType,
} from "graphql";

/** A field, argument, input field or value, and the type that it is in. */
export interface Member {
  /** Such as `space` or `space(id:)`. */
  readonly name: string;
  readonly typeName: string;
  /** The name by which the page of that type has it; empty where it is not there by itself. */
  readonly anchor: string;
  readonly description: string;
  readonly isDeprecated: boolean;
}

/** The schema, looked through once. */
export interface SchemaIndex {
  /** All types that documents can name, in alphabetical order. */
  readonly types: readonly GraphQLNamedType[];
  /** What answers or takes a type, by its name; without what is deprecated. */
  readonly usesOf: (typeName: string) => readonly Member[];
  readonly members: readonly Member[];
}

/** Looks through a schema. */
export function indexSchema(schema: GraphQLSchema): SchemaIndex {
  const types = Object.values(schema.getTypeMap())
    .filter((type) => !isIntrospectionType(type))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const members: Member[] = [];
  const uses = new Map<string, Member[]>();
  const note = (member: Member, used: string | null) => {
    members.push(member);
    if (used !== null && !member.isDeprecated) uses.set(used, [...(uses.get(used) ?? []), member]);
  };
  for (const type of types) for (const [member, used] of membersOf(type)) note(member, used);
  return { types, members, usesOf: (name) => uses.get(name) ?? [] };
}

type Noted = readonly [member: Member, used: string | null];

/** What is in a type, each with the type that it is of. */
function membersOf(type: GraphQLNamedType): Noted[] {
  const noted = (name: string, anchor: string, of: Described, used: string | null): Noted => {
    const { description, deprecationReason } = of;
    const isDeprecated = deprecationReason != null;
    return [{ name, anchor, typeName: type.name, description: description ?? "", isDeprecated }, used];
  };
  if (isEnumType(type)) return type.getValues().map((value) => noted(value.name, value.name, value, null));
  if (isUnionType(type)) return type.getTypes().map(({ name }) => noted(name, "", {}, name));
  if (isInputObjectType(type))
    return Object.values(type.getFields()).map((field) =>
      noted(field.name, field.name, field, getNamedType(field.type).name),
    );
  if (!isObjectType(type) && !isInterfaceType(type)) return [];
  return Object.values(type.getFields()).flatMap((field) => [
    noted(field.name, field.name, field, getNamedType(field.type).name),
    ...field.args.map((argument) => {
      const isDeprecated = field.deprecationReason ?? argument.deprecationReason;
      const of = { description: argument.description, deprecationReason: isDeprecated };
      return noted(`${field.name}(${argument.name}:)`, field.name, of, getNamedType(argument.type).name);
    }),
  ]);
}

interface Described {
  readonly description?: string | null | undefined;
  readonly deprecationReason?: string | null | undefined;
}

/** The kinds of types, in the order in which they are listed. */
export const kinds = ["Object", "Interface", "Union", "Input", "Enum", "Scalar"] as const;

/** The kind of a type. */
export function kindOf(type: GraphQLNamedType): (typeof kinds)[number] {
  if (isObjectType(type)) return "Object";
  if (isInterfaceType(type)) return "Interface";
  if (isUnionType(type)) return "Union";
  if (isInputObjectType(type)) return "Input";
  return isEnumType(type) ? "Enum" : "Scalar";
}

/** What a search found, the best first. */
export interface Found {
  readonly types: readonly GraphQLNamedType[];
  readonly members: readonly Member[];
  /** How many more members there are. */
  readonly more: number;
}

const mostFound = 60;

/** Looks for a text in names, and then in descriptions; all of its words have to be there. */
export function searchSchema({ types, members }: SchemaIndex, text: string): Found {
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  if (words.length === 0) return { types: [], members: [], more: 0 };
  const rank = (name: string, description: string): number | null => {
    const [inName, inAll] = [name.toLowerCase(), `${name} ${description}`.toLowerCase()];
    if (inName === words.join("")) return 0;
    if (words.every((word) => inName.includes(word))) return inName.startsWith(words[0] ?? "") ? 1 : 2;
    return words.every((word) => inAll.includes(word)) ? 3 : null;
  };
  const best = ranked(members, ({ name, description, isDeprecated }) => {
    const own = rank(name, description);
    return own === null ? null : own + (isDeprecated ? 10 : 0);
  });
  return {
    types: ranked(types, ({ name, description }) => rank(name, description ?? "")).slice(0, mostFound),
    members: best.slice(0, mostFound),
    more: Math.max(0, best.length - mostFound),
  };
}

function ranked<Item>(items: readonly Item[], rank: (item: Item) => number | null): Item[] {
  return items
    .flatMap((item) => {
      const place = rank(item);
      return place === null ? [] : [{ item, place }];
    })
    .toSorted((a, b) => a.place - b.place)
    .map(({ item }) => item);
}
