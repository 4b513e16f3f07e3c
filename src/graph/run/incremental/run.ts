// Runs an operation field by field as graphql-js does, and separates the later parts. Everything starts at once, so
// that reads of different parts are batched: a response in parts costs the statements of a whole one, unless several
// parts select the same field, which is then read for each.
// Why not @graphql-tools/executor (Yoga's defer plugin runs on it): time and memory are quadratic in the parts.
import {
  defaultFieldResolver,
  defaultTypeResolver,
  type FieldNode,
  type FragmentDefinitionNode,
  getArgumentValues,
  getDirectiveValues,
  type GraphQLAbstractType,
  GraphQLError,
  type GraphQLField,
  type GraphQLLeafType,
  type GraphQLList,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  isAbstractType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  locatedError,
  type OperationDefinitionNode,
  responsePathAsArray,
  SchemaMetaFieldDef,
  TypeMetaFieldDef,
  TypeNameMetaFieldDef,
} from "graphql";
import { Collector, type Fields } from "#src/graph/run/incremental/collect.ts";
import { StreamDirective } from "#src/graph/run/incremental/directives.ts";
import { Part } from "#src/graph/run/incremental/part.ts";

export interface Given {
  readonly schema: GraphQLSchema;
  readonly operation: OperationDefinitionNode;
  readonly fragments: Readonly<Record<string, FragmentDefinitionNode>>;
  readonly variables: { readonly [name: string]: unknown };
  readonly context: unknown;
}

/** The most parts of one response. Further ones are sent within the part that they depend on. */
const mostParts = 1_000;

type Path = GraphQLResolveInfo["path"];

interface Owner {
  readonly part: Part;
  readonly type: GraphQLObjectType;
  readonly source: unknown;
  readonly path: Path | undefined;
}

interface Place {
  readonly part: Part;
  readonly nodes: readonly FieldNode[];
  readonly info: GraphQLResolveInfo;
  readonly path: Path;
}

const isPromise = (value: unknown): value is Promise<unknown> =>
  typeof (value as { then?: unknown } | null | undefined)?.then === "function";

/** The value, or a function of it once it is available. */
const after = (value: unknown, work: (value: unknown) => unknown): unknown =>
  isPromise(value) ? value.then((known) => work(known)) : work(value);

/** One run of a query. */
export class IncrementalRun {
  readonly #given: Given;
  readonly #collector: Collector;
  /** The parts to send, in the order of their start. */
  readonly parts = new Set<Part>();
  #begun = 0;
  #onSettled = () => {};

  constructor(given: Given) {
    this.#given = given;
    this.#collector = new Collector(given);
  }

  /** Starts everything. Resolves with the initial result, as the first part. */
  async begin(onSettled: () => void): Promise<Part> {
    this.#onSettled = onSettled;
    const { schema, operation } = this.#given;
    const type = schema.getQueryType();
    if (!type) throw new Error("The schema has no queries.");
    const first = new Part({ kind: "object", path: [] }, null);
    const fields = this.#collector.of(type, operation.selectionSet);
    await this.#settle(first, () => this.#object({ part: first, type, source: undefined, path: undefined }, fields));
    return first;
  }

  async #settle(part: Part, work: () => unknown): Promise<void> {
    try {
      part.settle(await work());
    } catch (error) {
      part.errors.push(error as GraphQLError); // located where it was thrown
      part.settle(null);
    }
    this.#onSettled();
  }

  /** Starts a part that depends on another one, unless that has failed meanwhile. */
  #later(part: Part, on: Part, work: () => unknown): void {
    if (!on.isRunning) return;
    this.#begun++;
    this.parts.add(part);
    void this.#settle(part, work);
  }

  get #mayTakeApart(): boolean {
    return this.#begun < mostParts;
  }

  #object(owner: Owner, fields: Fields): unknown {
    const { part, path } = owner;
    const values = Object.create(null) as Record<string, unknown>;
    const waiting: Promise<unknown>[] = [];
    try {
      for (const [name, nodes] of fields.now) {
        const value = this.#field(owner, name, nodes);
        if (value === undefined) continue;
        values[name] = value;
        if (isPromise(value)) waiting.push(value.then((known) => (values[name] = known)));
      }
    } catch (error) {
      for (const promise of waiting) promise.catch(() => {}); // only the first error is reported
      throw error;
    }
    for (const { label, fields: own } of fields.later) {
      const deferred = new Part({ kind: "object", path: path ? responsePathAsArray(path) : [], label }, part);
      this.#later(deferred, part, () => this.#object({ ...owner, part: deferred }, own));
    }
    return waiting.length === 0 ? values : Promise.all(waiting).then(() => values);
  }

  #field({ part, type, source, path: prev }: Owner, key: string, nodes: readonly FieldNode[]): unknown {
    const [node] = nodes;
    const field = node && this.#fieldOf(type, node.name.value);
    if (!node || !field) return undefined;
    const { context, schema, operation, fragments, variables } = this.#given;
    const path = { prev, key, typename: type.name };
    const info: GraphQLResolveInfo = {
      fieldName: field.name,
      fieldNodes: nodes,
      returnType: field.type,
      parentType: type,
      path,
      schema,
      fragments,
      rootValue: undefined,
      operation,
      variableValues: variables,
    };
    const place = { part, nodes, info, path };
    try {
      const values = getArgumentValues(field, node, variables);
      const result: unknown = (field.resolve ?? defaultFieldResolver)(source, values, context, info);
      const done = after(result, (value) => this.#complete(field.type, value, place));
      return isPromise(done) ? done.catch((error: unknown) => fail(error, field.type, place)) : done;
    } catch (error) {
      return fail(error, field.type, place);
    }
  }

  #fieldOf(type: GraphQLObjectType, name: string): GraphQLField<unknown, unknown> | undefined {
    if (name === TypeNameMetaFieldDef.name) return TypeNameMetaFieldDef;
    if (type === this.#given.schema.getQueryType()) {
      if (name === SchemaMetaFieldDef.name) return SchemaMetaFieldDef;
      if (name === TypeMetaFieldDef.name) return TypeMetaFieldDef;
    }
    return type.getFields()[name];
  }

  #complete(type: GraphQLOutputType, value: unknown, place: Place): unknown {
    if (value instanceof Error) throw value;
    if (isNonNullType(type)) {
      const completed = this.#complete(type.ofType, value, place);
      if (completed !== null) return completed;
      const { parentType, fieldName } = place.info;
      throw new Error(`Cannot return null for non-nullable field ${parentType.name}.${fieldName}.`);
    }
    if (value === null || value === undefined) return null;
    if (isListType(type)) return this.#list(type, value, place);
    if (isLeafType(type)) return leafOf(type, value);
    if (isAbstractType(type))
      return after(this.#runtimeType(type, value, place), (name) =>
        this.#below(this.#objectType(type, name, place), value, place),
      );
    return this.#below(type, value, place);
  }

  #runtimeType(type: GraphQLAbstractType, value: unknown, { info }: Place): unknown {
    return (type.resolveType ?? defaultTypeResolver)(value, this.#given.context, info, type);
  }

  #objectType(type: GraphQLAbstractType, name: unknown, { info }: Place): GraphQLObjectType {
    const { schema } = this.#given;
    const found = typeof name === "string" ? schema.getType(name) : undefined;
    if (isObjectType(found) && schema.isSubType(type, found)) return found;
    throw new Error(`${info.parentType.name}.${info.fieldName} is not a type of ${type.name}: ${String(name)}.`);
  }

  #below(type: GraphQLObjectType, value: unknown, { part, nodes, path }: Place): unknown {
    const fields = this.#collector.below(type, nodes, this.#mayTakeApart);
    return this.#object({ part, type, source: value, path }, fields);
  }

  #list(type: GraphQLList<GraphQLOutputType>, value: unknown, place: Place): unknown {
    if (typeof value !== "object" || value === null || !(Symbol.iterator in value)) {
      const { parentType, fieldName } = place.info;
      throw new GraphQLError(`Expected Iterable, but did not find one for field "${parentType.name}.${fieldName}".`);
    }
    const items = [...(value as Iterable<unknown>)];
    const cut = this.#cutOf(place, items.length);
    if (!cut) return this.#items(type.ofType, items, 0, place);
    const now = this.#items(type.ofType, items.slice(0, cut.at), 0, place);
    const path = [...responsePathAsArray(place.path), cut.at];
    const part = new Part({ kind: "items", path, label: cut.label }, place.part);
    this.#later(part, place.part, () => this.#items(type.ofType, items.slice(cut.at), cut.at, { ...place, part }));
    return now;
  }

  #items(type: GraphQLOutputType, items: readonly unknown[], start: number, place: Place): unknown {
    const item = (value: unknown, index: number): unknown => {
      const path = { prev: place.path, key: start + index, typename: undefined };
      const own = { ...place, path };
      try {
        const done = after(value, (present) => this.#complete(type, present, own));
        return isPromise(done) ? done.catch((error: unknown) => fail(error, type, own)) : done;
      } catch (error) {
        return fail(error, type, own);
      }
    };
    const values: unknown[] = [];
    try {
      for (const [index, value] of items.entries()) values.push(item(value, index));
    } catch (error) {
      for (const value of values) if (isPromise(value)) value.catch(() => {}); // nothing awaits earlier items
      throw error;
    }
    return values.some(isPromise) ? Promise.all(values) : values;
  }

  /** Where a list is cut by @stream; null if it is sent whole, as lists inside lists are. */
  #cutOf({ nodes: [node], path }: Place, length: number): { at: number; label: string | undefined } | null {
    if (!node?.directives?.length || typeof path.key === "number" || !this.#mayTakeApart) return null;
    const given = getDirectiveValues(StreamDirective, node, this.#given.variables);
    if (!given || given["if"] === false) return null;
    const at = Number(given["initialCount"] ?? 0);
    if (at < 0)
      throw new GraphQLError("`initialCount` must not be negative.", { extensions: { code: "INVALID_INPUT" } });
    if (at >= length) return null;
    return { at, label: typeof given["label"] === "string" ? given["label"] : undefined };
  }
}

/** Null, with the error beside it; throws the error on if null is not allowed. */
function fail(error: unknown, type: GraphQLOutputType, { part, nodes, path }: Place): null {
  const located = locatedError(error, nodes, responsePathAsArray(path));
  if (isNonNullType(type)) throw located;
  part.errors.push(located);
  return null;
}

function leafOf(type: GraphQLLeafType, value: unknown): unknown {
  const serialized: unknown = type.serialize(value);
  if (serialized === null || serialized === undefined) throw new Error(`${type.name} cannot represent this value.`);
  return serialized;
}
