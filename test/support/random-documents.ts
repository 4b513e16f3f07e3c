// Random valid documents of a schema: each selects one chosen field, and random others on the way. They are generated
// from a sequence of numbers, which fast-check shrinks; after its end nothing more is selected.
import fc from "fast-check";
import {
  getNamedType,
  type GraphQLCompositeType,
  type GraphQLSchema,
  isAbstractType,
  isCompositeType,
  isInterfaceType,
  isListType,
  isObjectType,
  isUnionType,
  getNullableType,
} from "graphql";
import { ArgumentWriter, type ValuesFor } from "#test/support/random-arguments.ts";
import { objectTypesOf, type Step, typesWithWays } from "#test/support/schema-paths.ts";
import { ChoiceSequence } from "#test/support/choice-sequence.ts";

export interface RandomDocument {
  readonly text: string;
  readonly variables: Readonly<Record<string, unknown>>;
  /** The possible result types. */
  readonly answer: Keys;
}

/** The keys of one object of the response, by their selections. */
export class Keys {
  readonly entries = new Map<string, { signature: string; coordinates: Set<string>; below: Keys }>();
  /** Keys of fragments spread in several places, prefixed with the fragment's name. */
  readonly shared: Keys[] = [];
  readonly prefix: string;

  constructor(prefix = "") {
    this.prefix = prefix;
  }

  /** Hidden from failure reports. */
  [fc.toStringMethod](): string {
    return "{}";
  }
}

/** The approximate maximum of fields of a document, and of its depth beside the path to the chosen field. */
const most = { fields: 24, levels: 8, lists: 3 } as const;

/** The documents of a schema. */
export class RandomDocuments {
  readonly #source: DocumentSource;

  constructor(schema: GraphQLSchema, valuesFor: ValuesFor) {
    this.#source = { schema, ways: typesWithWays(schema), valuesFor };
  }

  /** Documents with one field, others of the same object, and random additions. */
  towards(goal: Step, siblings: readonly Step[] = []): fc.Arbitrary<RandomDocument> {
    const numbers = fc.noBias(fc.array(fc.nat(0xffff), { minLength: 60, maxLength: 500, size: "max" }));
    return numbers.map((values) => new DocumentWriter(this.#source, new ChoiceSequence(values)).write(goal, siblings));
  }
}

interface DocumentSource {
  readonly schema: GraphQLSchema;
  readonly ways: ReturnType<typeof typesWithWays>;
  readonly valuesFor: ValuesFor;
}

/** The position of a selection. */
interface Place {
  readonly type: GraphQLCompositeType;
  readonly keys: Keys;
  readonly level: number;
  /** Lists around it. */
  readonly lists: number;
  /** The remaining fields to the chosen one. */
  readonly way: readonly Step[];
}

class DocumentWriter {
  readonly #source: DocumentSource;
  readonly #choices: ChoiceSequence;
  readonly #arguments: ArgumentWriter;
  readonly #fragments: string[] = [];
  readonly #shared: { name: string; type: GraphQLCompositeType; keys: Keys }[] = [];
  readonly #hasDirectives: boolean;
  /** Further fields of the object with the chosen one. */
  #siblings: readonly Step[] = [];
  #names = 0;
  #fieldsLeft: number = most.fields;

  constructor(source: DocumentSource, choices: ChoiceSequence) {
    this.#source = source;
    this.#choices = choices;
    this.#arguments = new ArgumentWriter(choices, source.valuesFor);
    this.#hasDirectives = choices.chance(50);
  }

  write(goal: Step, siblings: readonly Step[]): RandomDocument {
    this.#siblings = siblings;
    const root = this.#source.schema.getQueryType();
    if (!root) throw new Error("The schema has no queries.");
    const answer = new Keys();
    this.#fieldsLeft = 2 + this.#choices.below(most.fields);
    const selection = this.#selection({ type: root, keys: answer, level: 0, lists: 0, way: this.#wayTo(goal) });
    const { declarations, values } = this.#arguments;
    const name = this.#choices.chance(30) ? " Random" : "";
    const head = declarations.length > 0 ? `query${name} (${declarations.join(", ")})` : `query${name}`;
    const [operation, fragments] = [`${head} ${selection}`, this.#fragments.join("\n")];
    const text = this.#choices.chance(20) ? `${fragments}\n${operation}` : `${operation}\n${fragments}`;
    return { text, variables: values, answer };
  }

  /** A path from the root to the field. */
  #wayTo(goal: Step): Step[] {
    const way = [goal];
    for (;;) {
      const [first] = way;
      const steps = isObjectType(first?.type) ? (this.#source.ways.get(first.type) ?? []) : [];
      if (steps.length === 0) return way;
      const byName = steps.filter(({ field }) => !["node", "nodes"].includes(field.name));
      way.unshift(this.#choices.pick(byName.length > 0 && !this.#choices.chance(25) ? byName : steps));
    }
  }

  #selection(place: Place): string {
    const { type, way, level } = place;
    const parts: string[] = [];
    if (way.length > 0) parts.push(...this.#towards(place));
    const wanted = level === 0 ? this.#choices.below(3) : this.#choices.below(level > 4 ? 3 : 6);
    for (let count = 0; count < wanted; count++) parts.push(...this.#part({ ...place, way: [] }));
    if (parts.length === 0 || this.#choices.chance(15)) parts.push(this.#typename(place));
    if (type.name !== "Query" && this.#choices.chance(10)) parts.reverse();
    return `{ ${parts.join(" ")} }`;
  }

  /** The next field of the path, inside a fragment if another type has it. */
  #towards(place: Place): string[] {
    const [next, ...way] = place.way;
    if (!next) return [];
    const chosen = this.#field({ ...place, way }, next);
    if (way.length === 0) chosen.push(...this.#siblings.flatMap((step) => this.#field({ ...place, way: [] }, step)));
    if (next.type === place.type) return chosen;
    return this.#inFragment(next.type, chosen.join(" "));
  }

  #part(place: Place): string[] {
    const { type } = place;
    const { schema } = this.#source;
    const shared = this.#shared.find((fragment) => fragment.type === type);
    if (shared && this.#choices.chance(40)) {
      place.keys.shared.push(shared.keys);
      return [`...${shared.name}${this.#directives()}`];
    }
    if (this.#choices.chance(5)) return [this.#sharedFragment(place)];
    if (this.#choices.chance(isAbstractType(type) ? 70 : 10)) {
      const within = isAbstractType(type)
        ? [...schema.getPossibleTypes(type), ...(isInterfaceType(type) ? [type] : [])]
        : [type, ...(isObjectType(type) ? type.getInterfaces() : [])];
      const inner = this.#choices.pick(within);
      const selection = this.#selection({ ...place, type: inner }).slice(2, -2);
      return this.#inFragment(inner, selection, inner === type && this.#choices.chance(50));
    }
    const fields = isUnionType(type) ? [] : Object.values(type.getFields()).map((field) => ({ type, field }));
    const possible = fields.filter((step) => this.#mayTake(place, step));
    if (possible.length === 0 || this.#choices.chance(8)) return [this.#typename(place)];
    return this.#field(place, this.#choices.pick(possible));
  }

  #mayTake({ level, lists }: Place, { field }: Step): boolean {
    if (!isCompositeType(getNamedType(field.type))) return true;
    const isList = isListType(getNullableType(field.type));
    return this.#fieldsLeft > 0 && level < most.levels && (!isList || lists < most.lists);
  }

  /** A field, sometimes repeated under the same key with another selection. */
  #field(place: Place, step: Step): string[] {
    this.#fieldsLeft--;
    const { type, field } = step;
    const named = getNamedType(field.type);
    const leadsOn = place.way[0]?.type;
    const given = this.#arguments.write(step, objectTypesOf(this.#source.schema, field), leadsOn);
    const key = this.#keyFor(place, step, given);
    const entry = place.keys.entries.get(key);
    for (const { name } of isInterfaceType(type) ? this.#source.schema.getPossibleTypes(type) : [type])
      entry?.coordinates.add(`${name}.${field.name}`);
    const written = `${key === field.name ? "" : `${key}: `}${field.name}${given}`;
    if (!isCompositeType(named)) return [`${written}${this.#directives()}`];
    const below = {
      type: named,
      keys: entry?.below ?? new Keys(),
      level: place.level + 1,
      lists: place.lists + (isListType(getNullableType(field.type)) ? 1 : 0),
    };
    const directives = this.#directives();
    const chosen = [`${written}${directives} ${this.#selection({ ...below, way: place.way })}`];
    if (this.#choices.chance(10)) {
      const again = `${written} ${this.#selection({ ...below, way: [] })}`;
      chosen.push(...(this.#choices.chance(30) ? this.#inFragment(type, again, true) : [again]));
    }
    return chosen;
  }

  /** A key without conflicting selections. */
  #keyFor({ keys }: Place, { type, field }: Step, given: string): string {
    const signature = `${field.name}${given}: ${String(field.type)}`;
    const others = Object.keys(type.getFields());
    const wished = this.#choices.chance(15)
      ? this.#choices.chance(30)
        ? this.#choices.pick(others)
        : `a${this.#names++}`
      : field.name;
    let key = `${keys.prefix}${wished}`;
    while ((keys.entries.get(key)?.signature ?? signature) !== signature) key = `${keys.prefix}b${this.#names++}`;
    if (!keys.entries.has(key)) keys.entries.set(key, { signature, coordinates: new Set(), below: new Keys() });
    return key;
  }

  #typename({ keys }: Place): string {
    const key = this.#choices.chance(15) ? `${keys.prefix}t${this.#names++}` : `${keys.prefix}__typename`;
    return key === "__typename" ? key : `${key.replace(/__typename$/, "typename")}: __typename`;
  }

  /** Fields of a type as an inline or named fragment; a named one is sometimes spread twice. */
  #inFragment(type: GraphQLCompositeType, selection: string, mayBeBare = false): string[] {
    const condition = mayBeBare && this.#choices.chance(50) ? "" : ` on ${type.name}`;
    if (this.#choices.chance(60)) return [`...${condition}${this.#directives()} { ${selection} }`];
    const name = `F${this.#names++}`;
    this.#fragments.push(`fragment ${name} on ${type.name} { ${selection} }`);
    const spread = `...${name}${this.#directives()}`;
    return this.#choices.chance(20) ? [spread, `...${name}`] : [spread];
  }

  /** A fragment that can be spread anywhere on its type: its keys are unique. */
  #sharedFragment(place: Place): string {
    const name = `S${this.#names++}`;
    const keys = new Keys(`${name}_`);
    const selection = this.#selection({ ...place, keys, level: Math.max(place.level, most.levels - 3) });
    this.#fragments.push(`fragment ${name} on ${place.type.name} ${selection}`);
    this.#shared.push({ name, type: place.type, keys });
    place.keys.shared.push(keys);
    return `...${name}`;
  }

  /** Directives: mostly none, and mostly including. */
  #directives(): string {
    if (!this.#hasDirectives || !this.#choices.chance(20)) return "";
    const includes = this.#choices.chance(50);
    const isLeftOut = this.#choices.chance(25);
    const one = `@${includes ? "include" : "skip"}(if: ${this.#arguments.condition(includes !== isLeftOut)})`;
    if (!this.#choices.chance(10)) return ` ${one}`;
    return ` ${one} @${includes ? "skip" : "include"}(if: ${this.#arguments.condition(!includes)})`;
  }
}

/** The fields of a document. */
export function selectedBy(keys: Keys): Set<string> {
  const own = [...keys.entries.values()].flatMap(({ coordinates, below }) => [...coordinates, ...selectedBy(below)]);
  return new Set([...own, ...keys.shared.flatMap((shared) => [...selectedBy(shared)])]);
}

/** The fields with a value other than null somewhere in a response. */
export function answeredIn(keys: Keys, data: unknown, found = new Set<string>()): Set<string> {
  if (Array.isArray(data)) for (const item of data) answeredIn(keys, item, found);
  else if (typeof data === "object" && data !== null) {
    for (const [key, value] of Object.entries(data)) {
      const entry = keys.entries.get(key);
      if (!entry || value === null || (Array.isArray(value) && value.length === 0)) continue;
      for (const coordinate of entry.coordinates) found.add(coordinate);
      answeredIn(entry.below, value, found);
    }
    for (const shared of keys.shared) answeredIn(shared, data, found);
  }
  return found;
}
