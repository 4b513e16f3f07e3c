// Successful responses of operations: a resource or a page of a list, picked from the data, in REST form.
import { type DocumentNode, getOperationAST, type GraphQLSchema } from "graphql";
import { notFound } from "#src/base/errors.ts";
import type { Context } from "#src/domain/context.ts";
import { inWords } from "#src/base/text/forms.ts";
import {
  canBeEmpty,
  fieldOf,
  type FieldShape,
  type ListShape,
  type ObjectShape,
  type Shape,
  shapeOfOperation,
} from "#src/rest/answer/shape.ts";
import type { Route } from "#src/rest/route.ts";
import type { FixedField } from "#src/rest/own-fields.ts";
import { type RestEntry, restReference, type RestTree } from "#src/rest/type-forms.ts";

/** A status and its JSON value; undefined if the status has no body. */
export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

export interface Answerer {
  /** The description of the operation, or of its result if it changes nothing, from the schema. */
  readonly about: string;
  /** The form of the response; of one item, for a list. */
  readonly shape: Shape;
  /** The forms of the properties of a list besides its items, by name. */
  readonly beside: Readonly<Record<string, Shape>>;
  /** Throws NOT_FOUND for null; a resource that has lost all its fields is an empty object. Changes the data. */
  answer(data: unknown, context: Context): Answer;
}

type Way = Omit<Answerer, "about">;

/** The response builder of a route with this document. Throws if the document does not select what it needs. */
export function answererOf(schema: GraphQLSchema, document: DocumentNode, route: Route): Answerer {
  const root = shapeOfOperation(schema, document);
  const shape = route.answer.reduce(selected, root);
  return { about: aboutOf(root, route, getOperationAST(document)?.operation), ...wayOf(shape, route) };
}

/** The description of the mutation, or of the field of the result; of the first one if it is the whole operation. */
function aboutOf(root: ObjectShape, { answer }: Route, operation: string | undefined): string {
  if (operation === "mutation" || answer.length === 0) return root.fields[0]?.description ?? "";
  const owner = answer.slice(0, -1).reduce(selected, root as Shape);
  return fieldOf(owner, answer.at(-1) ?? "")?.description ?? "";
}

function wayOf(shape: Shape, route: Route): Way {
  const { success } = route;
  if (success === "deleted") return deletion(shape, route);
  if (success === 204 || route.withoutBody)
    return { shape, beside: {}, answer: () => ({ status: success, body: undefined }) };
  if (route.list) return pageOf(shape, route);
  const project = projectorOf(shape) ?? asIs;
  return {
    shape,
    beside: {},
    answer: (data, context) => ({ status: success, body: project(pick(data, route), context) ?? {} }),
  };
}

const asIs = (value: unknown): unknown => value;

function deletion(shape: Shape, route: Route): Way {
  if (shape.kind !== "leaf" || shape.scalar !== "ID")
    throw new Error("The response of a deletion must be the id of the deleted object.");
  const { answer } = route;
  const payload = { answer: answer.slice(0, -1) };
  const deletedIn = (data: unknown) => Reflect.get(pick(data, payload) as object, answer.at(-1) ?? "") as string | null;
  return { shape, beside: {}, answer: (data) => ({ status: deletedIn(data) === null ? 204 : 205, body: undefined }) };
}

interface Connection {
  readonly nodes: readonly unknown[];
  readonly totalCount: number;
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}

function pageOf(connection: Shape, route: Route): Way {
  const nodesShape = nodesOf(connection);
  const project = projectorOf(nodesShape) ?? asIs;
  const names = Object.keys(route.beside ?? {});
  const beside = Object.fromEntries(names.map((name) => [name, selected(connection, name)]));
  const projectors = names.map((name) => [name, projectorOf(selected(connection, name)) ?? asIs] as const);
  return {
    shape: nodesShape.of,
    beside,
    answer(data, context) {
      const page = pick(data, route) as Connection; // checked by nodesOf
      const { nodes, totalCount, pageInfo } = page;
      const items = project(nodes, context);
      const next = pageInfo.hasNextPage ? { next: { page: pageInfo.endCursor } } : {};
      const more = Object.fromEntries(
        projectors.map(([name, projected]) => [name, projected(Reflect.get(page, name), context)]),
      );
      return { status: 200, body: { items, count: totalCount, ...next, ...more } };
    },
  };
}

/** The items of a connection, which must select everything that a page of a list needs. */
function nodesOf(connection: Shape): ListShape {
  selected(connection, "totalCount");
  const pageInfo = selected(connection, "pageInfo");
  selected(pageInfo, "hasNextPage");
  selected(pageInfo, "endCursor");
  const nodes = selected(connection, "nodes");
  if (nodes.kind !== "list") throw new Error("The response of a list must be a connection.");
  return nodes;
}

function selected(shape: Shape, name: string): Shape {
  const field = fieldOf(shape, name);
  if (!field) throw new Error(`The document does not select ${name} on the path of the response.`);
  return field.shape;
}

function pick(data: unknown, { answer }: Pick<Route, "answer">): unknown {
  let value = data;
  for (const name of answer) {
    value = (value as Record<string, unknown>)[name]; // an object at every step: the shape was checked at start
    if (value === null || value === undefined) throw notFound(inWords(name));
  }
  return value;
}

type Data = Record<string, unknown>;

/** Changes a value in place or returns another one; undefined omits it. */
type Projector = (value: unknown, context: Context) => unknown;

/**
 * The projector of a shape, made once for each route; null if its values are REST JSON already. It works in place: the
 * executor made the objects for this one response, so nothing is copied. An omitted null becomes undefined, which
 * JSON.stringify skips, and only fields that may need it are visited.
 */
function projectorOf(shape: Shape): Projector | null {
  switch (shape.kind) {
    case "leaf":
    case "fixed":
      return null;
    case "wrapped": {
      const { name, shape: inner } = shape.field;
      const project = projectorOf(inner);
      return (value, context) => ({ [name]: project ? project(value, context) : value });
    }
    case "enum":
      return enumProjector(shape.values);
    case "list": {
      const project = listProjector(projectorOf(shape.of));
      return shape.tree ? treeProjector(project, shape.tree) : project;
    }
    case "map":
      return mapProjector(projectorOf(shape.of), shape.entry);
    case "reference":
      return referenceProjector(shape);
    case "object":
      return objectProjector(shape.fields.flatMap(fieldProjector), canBeEmpty(shape));
  }
}

function enumProjector(values: ReadonlyMap<string, string>): Projector | null {
  if ([...values].every(([name, value]) => name === value)) return null;
  return (value) => values.get(value as string); // the value of an enumeration is one of its names
}

function listProjector(item: Projector | null): Projector | null {
  if (!item) return null;
  return (value, context) => {
    const items = value as unknown[]; // the shape says list
    for (let index = 0; index < items.length; index++) {
      const before = items[index];
      // An item that has lost all its fields is kept, empty.
      if (before !== null) items[index] = item(before, context) ?? before;
    }
    return items;
  };
}

/** Nests the items of a tree by their levels: each goes below the last one that is a level higher. */
function treeProjector(project: Projector | null, { level, below }: RestTree): Projector {
  return (value, context) => {
    const items = (project?.(value, context) ?? value) as Data[]; // the shape says list of objects
    const top: Data[] = [];
    /** The list to which items of each level are added, from that of the first item on. */
    const places = [top];
    const highest = Number(items[0]?.[level]);
    for (const item of items) {
      const depth = Number(item[level]) - highest;
      const pages: Data[] = [];
      places[depth]?.push(item);
      places[depth + 1] = pages;
      item[level] = undefined;
      item[below] = pages;
    }
    return top;
  };
}

function mapProjector(project: Projector | null, { key, value: name }: RestEntry): Projector {
  return (value, context) => {
    const entries = value as Data[]; // the shape says list of objects
    return Object.fromEntries(
      entries.map((entry) => [entry[key], project ? project(entry[name], context) : entry[name]]),
    );
  };
}

function referenceProjector({ to, of }: Extract<Shape, { kind: "reference" }>): Projector {
  const [toReference, toObject] = [projectorOf(to), projectorOf(of)];
  return (value, context) => {
    const reference = (value as Data)[restReference]; // the shape says object
    if (reference === undefined) return toObject ? toObject(value, context) : value;
    return toReference ? toReference(reference, context) : reference;
  };
}

type FieldProjector = (data: Data, context: Context) => void;

function fieldProjector({ name, shape, onNull, mayBeAbsent }: FieldShape): FieldProjector[] {
  if (shape.kind === "fixed") return [fixedProjector(name, shape.field)];
  const inner = projectorOf(shape);
  if (onNull === "never" && !mayBeAbsent)
    return inner ? [(data, context) => void (data[name] = inner(data[name], context))] : [];
  const instead = onNull === "keep" ? null : undefined;
  if (!inner) {
    if (instead === null) return [];
    return [
      (data) => {
        if (data[name] === null) data[name] = undefined;
      },
    ];
  }
  return [
    (data, context) => {
      const value = data[name];
      if (value !== undefined) data[name] = value === null ? instead : inner(value, context);
    },
  ];
}

function fixedProjector(name: string, { value, isHidden }: FixedField): FieldProjector {
  return (data, context) => {
    if (data[name] !== undefined) data[name] = isHidden?.(data, context) ? undefined : value;
  };
}

function objectProjector(fields: readonly FieldProjector[], mayBeEmpty: boolean): Projector | null {
  if (fields.length === 0) return null;
  return (value, context) => {
    const data = value as Data; // the shape says object
    for (const project of fields) project(data, context);
    return mayBeEmpty && isEmpty(data) ? undefined : data;
  };
}

function isEmpty(data: Data): boolean {
  for (const name in data) if (data[name] !== undefined) return false;
  return true;
}
