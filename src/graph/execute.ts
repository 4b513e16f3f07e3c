// The executor behind every transport: documents are parsed, validated and compiled once, kept in a bounded cache, and run.
import {
  type DocumentNode,
  execute,
  type ExecutionResult,
  getOperationAST,
  GraphQLError,
  type GraphQLSchema,
  type OperationDefinitionNode,
  parse,
  validate,
} from "graphql";
import { type CompiledQuery, compileQuery, isCompiledQuery } from "graphql-jit";
import { DomainError } from "#src/base/errors.ts";
import { type Context, renewViewer } from "#src/domain/context.ts";
import { publicError, withPhase } from "#src/graph/errors.ts";
import { findFieldExcess } from "#src/graph/field-limit.ts";

export type Variables = Readonly<Record<string, unknown>>;

/** One operation of a document, ready to run. */
export interface Operation {
  readonly document: DocumentNode;
  readonly name: string | undefined;
  readonly kind: OperationDefinitionNode["operation"];
  /** `root` is what a subscription tells; nothing else has one. */
  run(context: Context, variables: Variables, root?: unknown): Promise<ExecutionResult>;
}

export interface Executor {
  readonly schema: GraphQLSchema;
  /** The operation of a document text, or the errors that keep it from running. Remembers both outcomes. */
  prepare(source: string, operationName?: string | null): Operation | readonly GraphQLError[];
  /** The operation of a document that is parsed and validated already, or null when there is none of that name. */
  operationOf(document: DocumentNode, operationName?: string | null): Operation | null;
}

/** Documents kept; one more drops the one that was used longest ago. */
const documentLimit = 1000;
/** Longest document, in characters, that is kept: hand-written ones are far below, and many long ones would fill the memory. */
const rememberedLength = 50_000;
/** Tokens that a document may have: more than any hand-written one, few enough to be read in milliseconds. */
const tokenLimit = 10_000;

/**
 * Makes the executor of a schema.
 *
 * Queries, and the messages of subscriptions, run compiled (graphql-jit). A compiled run that meets an error is run again by graphql-js and its answer given, so that errors
 * have one form; reads are remembered by the reader of the operation, so the second run asks the database for nothing. Mutations, and what cannot be compiled,
 * run on graphql-js. `compile: false` is for comparing the two.
 */
export function createExecutor(schema: GraphQLSchema, options: { compile?: boolean } = {}): Executor {
  const compile = options.compile ?? true;
  const sources = new Map<string, Operation | readonly GraphQLError[]>();
  const documents = new WeakMap<DocumentNode, Map<string, Operation | null>>();

  function operationOf(document: DocumentNode, operationName?: string | null): Operation | null {
    let operations = documents.get(document);
    if (!operations) documents.set(document, (operations = new Map()));
    const key = operationName ?? "";
    let operation = operations.get(key);
    if (operation === undefined) operations.set(key, (operation = makeOperation(document, operationName)));
    return operation;
  }

  function makeOperation(document: DocumentNode, operationName: string | null | undefined): Operation | null {
    const definition = getOperationAST(document, operationName);
    if (!definition) return null;
    const kind = definition.operation;
    const fieldExcess = findFieldExcess(document, definition);
    if (fieldExcess) {
      return { document, name: definition.name?.value, kind, run: async () => ({ errors: [fieldExcess] }) };
    }
    const compiled =
      compile && kind !== "mutation" && !usesIncrementalDelivery(document)
        ? compiledQuery(document, operationName)
        : null;
    const interpret = async (context: Context, variables: Variables, root: unknown) =>
      masked(
        await execute({
          schema,
          document,
          operationName: operationName ?? null,
          rootValue: root,
          contextValue: context,
          variableValues: variables,
        }),
        context,
      );
    return {
      document,
      name: definition.name?.value,
      kind,
      async run(context, variables, root) {
        // A change goes by the rights of this moment, not by those that were remembered.
        if (kind === "mutation" && !(await renewViewer(context))) {
          return { errors: [publicError(new DomainError("UNAUTHENTICATED"), context)] };
        }
        const result = compiled && (await compiled.query(root, context, variables));
        if (result && !result.errors) return result;
        const excess = result && rowLimitError(context);
        if (excess) return { errors: [excess] };
        context.reader.restart();
        const interpreted = await interpret(context, variables, root);
        const excessAgain = interpreted.errors && rowLimitError(context);
        return excessAgain ? { errors: [excessAgain] } : interpreted;
      },
    };
  }

  function compiledQuery(document: DocumentNode, operationName: string | null | undefined): CompiledQuery | null {
    const compiled = compileQuery(schema, document, operationName ?? undefined, {
      disablingCapturingStackErrors: true,
    });
    return isCompiledQuery(compiled) ? compiled : null;
  }

  function prepareNew(source: string, operationName: string | null | undefined): Operation | readonly GraphQLError[] {
    let document: DocumentNode;
    try {
      document = parse(source, { maxTokens: tokenLimit });
    } catch (error) {
      if (error instanceof GraphQLError) return [withPhase(error, "parse")];
      throw error;
    }
    const errors = validate(schema, document);
    if (errors.length > 0) return errors.map((error) => withPhase(error, "validate"));
    return (
      operationOf(document, operationName) ?? [
        new GraphQLError(missingOperation(operationName), { extensions: { code: "OPERATION_RESOLUTION_FAILURE" } }),
      ]
    );
  }

  return {
    schema,
    operationOf,
    prepare(source, operationName) {
      const key = `${operationName ?? ""}\n${source}`;
      const known = sources.get(key);
      const prepared = known ?? prepareNew(source, operationName);
      sources.delete(key); // put back at the end: the map's order is the order of use
      if (key.length <= rememberedLength) sources.set(key, prepared);
      if (sources.size > documentLimit) sources.delete(sources.keys().next().value as string);
      return prepared;
    },
  };
}

/** Whether `prepare` gave an operation. */
export function isOperation(prepared: Operation | readonly GraphQLError[]): prepared is Operation {
  return !Array.isArray(prepared);
}

function missingOperation(name: string | null | undefined): string {
  return name
    ? `The document has no operation named "${name}".`
    : "Say by operationName which operation of the document to run.";
}

/** Beyond the row limit every list fails, each with an error of its own: the caller gets one, and no data. */
function rowLimitError(context: Context): GraphQLError | null {
  try {
    context.reader.checkRowLimit();
    return null;
  } catch (error) {
    return publicError(error, context);
  }
}

function masked(result: ExecutionResult, context: Context): ExecutionResult {
  if (!result.errors) return result;
  return { ...result, errors: result.errors.map((error) => publicError(error, context)) };
}

function usesIncrementalDelivery(document: DocumentNode): boolean {
  return /@(defer|stream)\b/.test(document.loc?.source.body ?? "");
}
