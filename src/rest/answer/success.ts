// Answers of operations that went well: a resource or a page of a list, picked from the data, in REST form.
import { type DocumentNode, getOperationAST, type GraphQLSchema } from "graphql";
import { notFound } from "#src/base/errors.ts";
import type { Context } from "#src/domain/context.ts";
import { inWords } from "#src/base/text/forms.ts";
import { projectorOf } from "#src/rest/answer/project.ts";
import { fieldOf, type ListShape, type ObjectShape, type Shape, shapeOfOperation } from "#src/rest/answer/shape.ts";
import type { Route } from "#src/rest/route.ts";

/** A status and its JSON value; undefined where the status has no body. */
export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** How a route answers. */
export interface Answerer {
  /** What the operation does, or what it answers when it changes nothing, in the words of the graph. */
  readonly about: string;
  /** The form of the answer; of one item, when it is a list. */
  readonly shape: Shape;
  /** The forms of what a list answers beside its items, by name. */
  readonly beside: Readonly<Record<string, Shape>>;
  /**
   * The answer to the data of an execution without errors. A resource that has lost all its fields is an empty object.
   * Throws NOT_FOUND where it is null. Changes the data.
   */
  answer(data: unknown, context: Context): Answer;
}

/** The part of it that does not say what it is about. */
type Way = Omit<Answerer, "about">;

/** How a route with this document answers. Throws when the document does not select what the answer needs. */
export function answererOf(schema: GraphQLSchema, document: DocumentNode, route: Route): Answerer {
  const root = shapeOfOperation(schema, document);
  const shape = route.answer.reduce(selected, root);
  return { about: aboutOf(root, route, getOperationAST(document)?.operation), ...wayOf(shape, route) };
}

/** The description of the mutation, or of the field that is answered; of the first where all that is asked is. */
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
    throw new Error("The answer of a deletion is not the id of what was deleted.");
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
      const page = pick(data, route) as Connection; // by nodesOf
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

/** The items of a connection, of which everything has to be selected that a page of a list needs. */
function nodesOf(connection: Shape): ListShape {
  selected(connection, "totalCount");
  const pageInfo = selected(connection, "pageInfo");
  selected(pageInfo, "hasNextPage");
  selected(pageInfo, "endCursor");
  const nodes = selected(connection, "nodes");
  if (nodes.kind !== "list") throw new Error("The answer of a list is not a connection.");
  return nodes;
}

function selected(shape: Shape, name: string): Shape {
  const field = fieldOf(shape, name);
  if (!field) throw new Error(`The document does not select ${name} on the way to the answer.`);
  return field.shape;
}

function pick(data: unknown, { answer }: Pick<Route, "answer">): unknown {
  let value = data;
  for (const name of answer) {
    value = (value as Record<string, unknown>)[name]; // an object on every step: the shape was followed at start
    if (value === null || value === undefined) throw notFound(inWords(name));
  }
  return value;
}
