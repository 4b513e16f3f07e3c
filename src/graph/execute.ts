// The executor behind every transport: it makes documents ready and runs their operations, compiled where that is
// worth while.
import {
  type DocumentNode,
  execute,
  type ExecutionResult,
  type GraphQLError,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from "graphql";
import { type CompiledQuery, compileQuery, isCompiledQuery } from "graphql-jit";
import { DomainError } from "#src/base/errors.ts";
import { type Context, renewViewer } from "#src/domain/context.ts";
import { Documents, type Refusal, type Selected } from "#src/graph/documents.ts";
import { publicError } from "#src/graph/errors.ts";

export type Variables = Readonly<Record<string, unknown>>;

/** One operation of a document, ready to run. */
export interface Operation {
  readonly document: DocumentNode;
  readonly name: string | undefined;
  readonly kind: OperationDefinitionNode["operation"];
  /** `root` is the message of a subscription; nothing else has one. */
  run(context: Context, variables: Variables, root?: unknown): Promise<ExecutionResult>;
}

export interface Executor {
  readonly schema: GraphQLSchema;
  /** The operation of a document that a caller has sent, or the errors that keep it from running. */
  prepare(source: string, operationName?: string | null): Operation | Refusal;
  /** The same for a document of our own, which stays: it is compiled when it is first run. */
  prepareOwn(source: string): Operation | Refusal;
}

/** How often a caller's operation runs before it is compiled. Most that are sent to fill the memory come once. */
const runsBeforeCompiling = 1;

/** Makes the executor of a schema. `compile` is for comparing compiled runs with interpreted ones. */
export function createExecutor(schema: GraphQLSchema, options: { compile?: "at once" | "never" } = {}): Executor {
  const { compile } = options;
  const made = (runs: number) =>
    new Documents<Operation>(
      schema,
      (selected) => new ReadyOperation(schema, selected, compile === "never" ? Infinity : runs),
    );
  const documents = made(compile === "at once" ? 0 : runsBeforeCompiling);
  return {
    schema,
    prepare: (source, operationName) => documents.operation(source, operationName),
    prepareOwn: (source) => made(0).operation(source, null),
  };
}

/** Whether `prepare` gave an operation. */
export function isOperation(prepared: Operation | Refusal): prepared is Operation {
  return !Array.isArray(prepared);
}

/**
 * An operation that runs by graphql-js at first, and then compiled (graphql-jit), if it is not a mutation. A compiled
 * run that meets an error is run again by graphql-js and its answer given, so that errors have one form; reads are
 * remembered by the reader of the operation, so the second run asks the database for nothing.
 */
class ReadyOperation implements Operation {
  readonly document: DocumentNode;
  readonly name: string | undefined;
  readonly kind: OperationDefinitionNode["operation"];
  readonly #schema: GraphQLSchema;
  /** Undefined until it is compiled; null where it is not to be, or cannot. */
  #compiled: CompiledQuery | null | undefined;
  #runsLeft: number;

  constructor(schema: GraphQLSchema, { document, definition, isCompilable }: Selected, runsBefore: number) {
    this.#schema = schema;
    this.document = document;
    this.name = definition.name?.value;
    this.kind = definition.operation;
    this.#compiled = isCompilable && this.kind !== "mutation" ? undefined : null;
    this.#runsLeft = runsBefore;
  }

  async run(context: Context, variables: Variables, root?: unknown): Promise<ExecutionResult> {
    // A change goes by the rights of this moment, not by those that were remembered.
    if (this.kind === "mutation" && !(await renewViewer(context)))
      return { errors: [publicError(new DomainError("UNAUTHENTICATED"), context)] };
    const compiled = this.#compiledNow();
    if (compiled) {
      const result = await compiled.query(root, context, variables);
      const excess = excessOf(context, result);
      if (excess) return { errors: [excess] };
      if (!result.errors) return result;
      context.reader.budget.restart();
    }
    const result = await this.#interpret(context, variables, root);
    const excess = excessOf(context, result);
    return excess ? { errors: [excess] } : result;
  }

  /** The compiled form once it is time for it. */
  #compiledNow(): CompiledQuery | null {
    if (this.#compiled !== undefined) return this.#compiled;
    if (this.#runsLeft-- > 0) return null;
    const compiled = compileQuery(this.#schema, this.document, this.name, { disablingCapturingStackErrors: true });
    return (this.#compiled = isCompiledQuery(compiled) ? compiled : null);
  }

  async #interpret(context: Context, variables: Variables, root: unknown): Promise<ExecutionResult> {
    const result = await execute({
      schema: this.#schema,
      document: this.document,
      operationName: this.name ?? null,
      rootValue: root,
      contextValue: context,
      variableValues: variables,
    });
    if (!result.errors) return result;
    return { ...result, errors: result.errors.map((error) => publicError(error, context)) };
  }
}

/** Beyond the budget every read fails, each with an error of its own: the caller gets one, and no data. */
function excessOf(context: Context, { data, errors }: ExecutionResult): GraphQLError | null {
  const { budget } = context.reader;
  try {
    if (errors) budget.check();
    else budget.checkAnswer(data);
    return null;
  } catch (error) {
    return publicError(error, context);
  }
}
