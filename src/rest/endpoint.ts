// Endpoints: routes made ready at start, so that a request costs no look at a document or a schema.
import { notFound } from "#src/base/errors.ts";
import { type Executor, isOperation, type Operation } from "#src/graph/execute.ts";
import { type NameReader, restNamesOf } from "#src/rest/names.ts";
import { type Inputs, inputsOf } from "#src/rest/parameters.ts";
import { projectorOf } from "#src/rest/project.ts";
import type { Route } from "#src/rest/route.ts";
import { fieldOf, type ListShape, type Shape, shapeOfOperation } from "#src/rest/shape.ts";
import { type VariableReader, variableReader } from "#src/rest/variables.ts";

/** A successful answer; `body` is undefined where the status has none. */
export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** A route, ready to run. */
export interface Endpoint {
  readonly route: Route;
  readonly operation: Operation;
  readonly inputs: Inputs;
  readonly readVariables: VariableReader;
  /** The REST names of input fields and arguments that errors speak of. */
  readonly restName: NameReader;
  /** The form of the answer; of the items, when it is a list. */
  readonly shape: Shape;
  /**
   * The REST answer to the data of an execution without errors; one that has lost all fields stays, empty.
   * Throws NOT_FOUND where it is null. Changes the data.
   */
  answer(data: unknown): Answer;
}

/** Makes a route ready. Throws, naming the operation, when its document and its row do not fit the schema and one another. */
export function makeEndpoint(executor: Executor, route: Route): Endpoint {
  try {
    const operation = executor.prepare(route.document);
    if (!isOperation(operation)) throw new Error(operation.map(({ message }) => message).join(" "));
    const whole = shapeOfOperation(executor.schema, operation.document);
    const answered = route.answer.reduce<Shape>((shape, name) => selected(shape, name), whole);
    if (route.success === "deleted" && !(answered.kind === "leaf" && answered.scalar === "Boolean"))
      throw new Error("The answer of a deletion is no Boolean.");
    const nodes = route.list ? nodesOf(answered) : null;
    const inputs = inputsOf(executor.schema, operation.document, route);
    const project = projectorOf(nodes ?? answered) ?? ((value: unknown) => value);
    return {
      route,
      operation,
      inputs,
      readVariables: variableReader(inputs),
      restName: restNamesOf(operation.document, inputs),
      shape: nodes ? nodes.of : answered,
      answer(data) {
        if (route.success === 204) return { status: 204, body: undefined };
        const value = pick(data, route);
        if (route.success === "deleted") return { status: value === true ? 205 : 204, body: undefined };
        const body = nodes ? envelope(value as Connection, project) : (project(value) ?? {}); // nodesOf saw to its form
        return { status: route.success ?? 200, body };
      },
    };
  } catch (error) {
    throw new Error(`${route.operationId}: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
}

function selected(shape: Shape, name: string): Shape {
  const field = fieldOf(shape, name);
  if (!field) throw new Error(`The document does not select ${name} on the way to the answer.`);
  return field.shape;
}

/** The items of a connection, whose selection has to hold all that the list envelope needs. */
function nodesOf(connection: Shape): ListShape {
  selected(connection, "totalCount");
  const pageInfo = selected(connection, "pageInfo");
  selected(pageInfo, "hasNextPage");
  selected(pageInfo, "endCursor");
  const nodes = selected(connection, "nodes");
  if (nodes.kind !== "list") throw new Error("The answer of a list is no connection.");
  return nodes;
}

function pick(data: unknown, { answer, noun }: Route): unknown {
  let value = data;
  for (const name of answer) {
    value = (value as Record<string, unknown>)[name]; // an object on every step: the shape was followed at start
    if (value === null || value === undefined) throw notFound(noun);
  }
  return value;
}

interface Connection {
  readonly nodes: readonly unknown[];
  readonly totalCount: number;
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}

function envelope({ nodes, totalCount, pageInfo }: Connection, project: (nodes: unknown) => unknown) {
  const items = project(nodes);
  return pageInfo.hasNextPage
    ? { items, count: totalCount, next: { page: pageInfo.endCursor } }
    : { items, count: totalCount };
}
