// Endpoints: routes made ready once, so that no later request has to look at a document or the schema.
import { type Executor, isOperation, type Operation } from "#src/graph/run/execute.ts";
import type { AnswerWriter, Plan } from "#src/plan/plan.ts";
import { type Answerer, answererOf } from "#src/rest/answer/success.ts";
import { writerOf, restForm } from "#src/rest/answer/written.ts";
import { documentOf } from "#src/rest/document.ts";
import { type Inputs, inputsOf } from "#src/rest/request/route-inputs.ts";
import { type NameReader, restNamesOf } from "#src/rest/request/error-paths.ts";
import {
  type UnknownParameters,
  unknownParametersOf,
  type VariableReader,
  variableReader,
} from "#src/rest/request/variables.ts";
import type { Route } from "#src/rest/route.ts";

/** A route, ready to run. */
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
