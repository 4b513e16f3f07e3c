// The executor behind every transport: prepares documents and runs their operations, compiled if possible.
import {
  type DocumentNode,
  execute,
  type ExecutionResult,
  type FragmentDefinitionNode,
  GraphQLError,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  Kind,
  print,
  type OperationDefinitionNode,
} from "graphql";
import { type SpanAttributes, spanned } from "#src/runtime/spans.ts";
import { DomainError } from "#src/base/errors.ts";
import { type Context, contextToRead, noteWrite, renewViewer } from "#src/domain/context.ts";
import { isKnown, once } from "#src/domain/idempotency.ts";
import { lendSlot } from "#src/runtime/tenant.ts";
import { Upload } from "#src/files/upload.ts";
import { operationLimits } from "#src/base/limits.ts";
import { refusedBeforeFiles } from "#src/graph/run/before-files.ts";
import type { DocumentLimits } from "#src/graph/run/document-limits.ts";
import { Documents, type Refusal, type Selected } from "#src/graph/run/documents.ts";
import { type Estimate, estimateOf } from "#src/graph/run/estimate.ts";
import {
  answerLeftOut,
  excessIn,
  excessOf,
  hasChanged,
  mayPass,
  publicError,
  refusalOf,
} from "#src/graph/run/errors.ts";
import { deliver, type Delivery } from "#src/graph/run/incremental/deliver.ts";
import { isIncremental as hasIncremental } from "#src/graph/run/incremental/directives.ts";
import { projectionOf, selectedValues } from "#src/graph/run/selection.ts";
import { type OpenFields, openFields, type Openness, opennessOf, topFields } from "#src/graph/run/visitors.ts";
import { type ResponseShape, graphqlShape } from "#src/plan/response-shape.ts";
import type { ByteWriter } from "#src/plan/byte-writer.ts";
import { type AnswerWriter, Plan } from "#src/plan/plan.ts";

export type Variables = Readonly<Record<string, unknown>>;

export interface Operation {
  readonly document: DocumentNode;
  readonly name: string | undefined;
  readonly kind: OperationDefinitionNode["operation"];
  /** The first top-level field, with ", ..." if there are others: names of the schema, and so of limited number. */
  readonly asks: string;
  /** Whether parts of the response may come later, for callers that accept that: a query with @defer or @stream. */
  readonly isIncremental: boolean;
  /** Its maximum cost by its selection and these variables, in points. */
  readonly estimate: Estimate;
  /** Which part of it is available without an API token. */
  readonly openness: Openness;
  /** Its compiled operation in a response shape; null for a mutation, and for a document that is too large. */
  planFor(shape: ResponseShape): Plan | null;
  /** The whole response as JSON, if compiled; null otherwise. The caller frees the bytes. */
  write(context: Context, variables: Variables): Promise<ByteWriter | null>;
  /** The responses to several messages of a subscription, read together; null if it cannot be compiled for all. */
  writeEach(context: Context, variables: Variables, messages: readonly unknown[]): Promise<Buffer[] | null>;
  /** Of a mutation: the response if it is rejected whatever its files contain, before they are received; else null. */
  refusedBeforeFiles(context: Context, variables: Variables): Promise<ExecutionResult | null>;
  /** The response as a value, compiled or field by field. */
  result(context: Context, variables: Variables): Promise<ExecutionResult>;
  /** Runs a query field by field, and sends the response in parts: first the fields that are not deferred. */
  runInParts(context: Context, variables: Variables, receiver: Receiver): Promise<void>;
  /** Runs it field by field. `root` is the message of a subscription; other operations have none. */
  run(context: Context, variables: Variables, root?: unknown): Promise<ExecutionResult>;
}

export interface Receiver {
  /** Resolves when the next part may be sent. Throws to end the response. */
  readonly send: (delivery: Delivery) => Promise<void>;
  /** Whether the client no longer waits for the rest. */
  readonly isOver: () => boolean;
}

export interface Executor {
  readonly schema: GraphQLSchema;
  readonly openFields: OpenFields;
  /** Whether a document of callers is cached: then preparing it costs nothing. */
  knows(source: string): boolean;
  prepare(source: string, operationName?: string | null): Operation | Refusal;
  /** The same for a document of docgraph, which stays cached. */
  prepareOwn(source: string): Operation | Refusal;
}

/** Makes the executor of a schema. `limits` are those of the documents of callers. */
export function createExecutor(
  schema: GraphQLSchema,
  { limits = operationLimits, hidesSuggestions = false }: { limits?: DocumentLimits; hidesSuggestions?: boolean } = {},
): Executor {
  const open = openFields(schema);
  const make = (selected: Selected) => new ReadyOperation(schema, selected, { open, hidesSuggestions });
  const made = (own?: DocumentLimits) => new Documents<Operation>(schema, make, hidesSuggestions, own);
  const documents = made(limits);
  return {
    schema,
    openFields: open,
    knows: (source) => documents.has(source),
    prepare: (source, operationName) => documents.operation(source, operationName),
    prepareOwn: (source) => made().operation(source, null),
  };
}

export const isOperation = (prepared: Operation | Refusal): prepared is Operation => !Array.isArray(prepared);

const notCompiled = Promise.resolve(null);

const dataStart = Buffer.from('{"data":');

async function writeResponseInTurns(answer: AnswerWriter): Promise<void> {
  answer.out.write(dataStart);
  await answer.writeInTurns();
  answer.out.byte(0x7d);
}

function writeResponse(answer: AnswerWriter): void {
  answer.out.write(dataStart);
  answer.write();
  answer.out.byte(0x7d);
}

const writing = { write: writeResponse, writeInTurns: writeResponseInTurns };

/** Compiled at the first run. Mutations are not compiled: a failed run is repeated field by field. */
class ReadyOperation implements Operation {
  readonly document: DocumentNode;
  readonly name: string | undefined;
  readonly kind: OperationDefinitionNode["operation"];
  readonly asks: string;
  readonly isIncremental: boolean;
  readonly openness: Openness;
  readonly #schema: GraphQLSchema;
  readonly #hidesSuggestions: boolean;
  readonly #definition: OperationDefinitionNode;
  readonly #mayBePlanned: boolean;
  readonly #traced: { readonly name: string; readonly attributes: SpanAttributes };
  /** Undefined until the first run. */
  #plan: Plan | null | undefined;
  #estimate: Estimate | undefined;

  constructor(
    schema: GraphQLSchema,
    { document, definition, mayBePlanned }: Selected,
    { open, hidesSuggestions }: { readonly open: OpenFields; readonly hidesSuggestions: boolean },
  ) {
    this.#schema = schema;
    this.#hidesSuggestions = hidesSuggestions;
    this.#definition = definition;
    this.document = document;
    this.name = definition.name?.value;
    this.kind = definition.operation;
    this.isIncremental = this.kind === "query" && hasIncremental(document.loc?.source.body);
    this.openness = opennessOf(open, document, definition);
    const [field, ...others] = topFields(document, definition);
    const named = this.name !== undefined && { "graphql.operation.name": this.name };
    this.#traced = { name: `${this.kind} ${field}`, attributes: { "graphql.operation.type": this.kind, ...named } };
    this.asks = `${field}${others.length > 0 ? ", ..." : ""}`;
    this.#mayBePlanned = mayBePlanned && this.kind !== "mutation";
  }

  readonly estimate: Estimate = (variables) =>
    (this.#estimate ??= estimateOf(this.#schema, fragmentsOf(this.document), this.#definition))(variables);

  planFor(shape: ResponseShape): Plan | null {
    if (!this.#mayBePlanned) return null;
    const valuesOf = (info: GraphQLResolveInfo) => selectedValues(info).values;
    return new Plan({ ...this.#selected(), document: this.document, shape, projectionOf, valuesOf });
  }

  #selected() {
    return { schema: this.#schema, operation: this.#definition, fragments: fragmentsOf(this.document) };
  }

  write(context: Context, variables: Variables): Promise<ByteWriter | null> {
    if (context.isAnonymous && this.openness !== "open") return notCompiled; // which compiled operations do not check
    const plan = (this.#plan ??= this.planFor(graphqlShape));
    if (!plan) return notCompiled;
    return spanned(this.#traced, () => plan.run(contextToRead(context), { variables, ...writing }));
  }

  async writeEach(context: Context, variables: Variables, roots: readonly unknown[]): Promise<Buffer[] | null> {
    this.#plan ??= this.planFor(graphqlShape);
    const ends: number[] = [];
    const write = (answer: AnswerWriter): void => {
      writeResponse(answer);
      ends.push(answer.out.at);
    };
    const out = await this.#plan?.run(context, { variables, roots, write });
    if (!out) return null;
    // Separate buffers: one may be needed longer than the others.
    const each = ends.map((end, index) => Buffer.from(out.bytes.subarray(ends[index - 1] ?? 0, end)));
    out.free();
    return each;
  }

  async refusedBeforeFiles(context: Context, variables: Variables): Promise<ExecutionResult | null> {
    return context.limit.run(async () => {
      const refusal = await this.#refusedAsMutation(context);
      if (refusal) return { errors: [refusal] };
      const { idempotency, database, viewer } = context;
      const isDone = async () => idempotency !== undefined && isKnown(database, viewer.tokenId, idempotency);
      return refusedBeforeFiles({ ...this.#selected(), variables, isDone }, context);
    });
  }

  async result(context: Context, variables: Variables): Promise<ExecutionResult> {
    const out = await this.write(context, variables);
    if (!out) return this.run(context, variables);
    const text = out.bytes.toString();
    out.free();
    return JSON.parse(text) as ExecutionResult; // as it was written
  }

  runInParts(context: Context, variables: Variables, receiver: Receiver): Promise<void> {
    const { budget } = context.reader;
    return context.limit.run(() =>
      spanned(this.#traced, () =>
        deliver({
          ...this.#selected(),
          ...receiver,
          variables,
          context: contextToRead(context),
          send: (delivery) => lendSlot(() => receiver.send(delivery)), // others may use its slot meanwhile
          giveUp: () => {
            budget.abandon();
            context.limit.abandon();
          },
          publicError: (error) => publicError(error, context),
          excessOf: ({ data, items }) => refusalOf(context, () => budget.takePart(data ?? items)),
        }),
      ),
    );
  }

  run(context: Context, variables: Variables, root?: unknown): Promise<ExecutionResult> {
    return context.limit.run(() => spanned(this.#traced, () => this.#run(context, variables, root)));
  }

  #isAllowed({ allowedMutations }: Context): boolean {
    const { selections } = this.#definition.selectionSet;
    return (
      !allowedMutations || selections.every((one) => one.kind === Kind.FIELD && allowedMutations.has(one.name.value))
    );
  }

  /** A change needs the current rights, not cached ones. */
  async #refusedAsMutation(context: Context): Promise<GraphQLError | null> {
    if (!this.#isAllowed(context)) return publicError(new DomainError("FORBIDDEN"), context);
    return (await renewViewer(context)) ? null : publicError(new DomainError("UNAUTHENTICATED"), context);
  }

  async #run(context: Context, variables: Variables, root: unknown): Promise<ExecutionResult> {
    const refusal = this.kind === "mutation" ? await this.#refusedAsMutation(context) : null;
    if (refusal) return { errors: [refusal] };
    const { idempotency } = context;
    if (this.kind !== "mutation" || !idempotency) return this.#execute(context, variables, root);
    try {
      const { answer, isReplayed } = await once({
        database: context.database,
        tokenId: context.viewer.tokenId,
        idempotency,
        request: requestText(this.document, this.name, variables),
        limitMs: context.limit.leftMs,
        run: () => this.#execute(context, variables, root),
        isFailed: ({ errors }) => mayPass(errors),
      });
      if (!isReplayed) return answer;
      idempotency.onReplayed();
      return { ...answer, extensions: { idempotency: { replayed: true } } };
    } catch (error) {
      return { errors: [publicError(error, context)] };
    }
  }

  async #execute(context: Context, variables: Variables, root: unknown): Promise<ExecutionResult> {
    const { reader, limit } = context;
    const { budget } = reader;
    if (budget.isOver) return { errors: [await excessIn(context)] }; // by the compiled run
    const isQuery = this.kind === "query";
    const run = () => {
      const started = performance.now();
      const running = execute({
        schema: this.#schema,
        document: this.document,
        operationName: this.name ?? null,
        rootValue: root,
        contextValue: isQuery ? contextToRead(context) : context,
        variableValues: variables,
        hideSuggestions: this.#hidesSuggestions,
      });
      budget.takeTime(performance.now() - started);
      return running;
    };
    const forget = isQuery ? limit.onEnd(() => limit.isAbandoned && budget.abandon()) : () => {};
    const result = isQuery ? await budget.within(run) : await run();
    forget();
    if (!result) return { errors: [await excessIn(context)] };
    if (this.kind === "mutation") await noteWrite(context);
    const excess = await excessOf(context, result);
    if (excess) return { errors: [hasChanged(context) ? answerLeftOut(excess) : excess] };
    if (!result.errors) return result;
    return { ...result, errors: result.errors.map((error) => publicError(error, context)) };
  }
}

function fragmentsOf(document: DocumentNode): Record<string, FragmentDefinitionNode> {
  const fragments: Record<string, FragmentDefinitionNode> = {};
  for (const node of document.definitions)
    if (node.kind === Kind.FRAGMENT_DEFINITION) fragments[node.name.value] = node;
  return fragments;
}

/** A text that is the same for the same request, with the contents of its files. */
function requestText(document: DocumentNode, name: string | undefined, variables: Variables): string {
  const values = JSON.stringify(variables, (_key, value: unknown) =>
    value instanceof Upload ? { name: value.name, hash: value.blob.hash } : value,
  );
  return JSON.stringify([print(document), name ?? null, values]);
}
