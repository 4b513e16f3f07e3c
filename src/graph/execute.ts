// The executor behind every transport: it makes documents ready and runs their operations, by plans where they fit.
import {
  type DocumentNode,
  execute,
  type ExecutionResult,
  type FragmentDefinitionNode,
  type GraphQLError,
  type GraphQLSchema,
  Kind,
  print,
  type OperationDefinitionNode,
} from "graphql";
import { type SpanFacts, spanned } from "#src/base/spans.ts";
import { DomainError } from "#src/base/errors.ts";
import { type Context, contextToRead, noteWrite, renewViewer } from "#src/domain/context.ts";
import { once } from "#src/domain/idempotency.ts";
import { Upload } from "#src/files/upload.ts";
import { Documents, type Refusal, type Selected } from "#src/graph/documents.ts";
import { publicError } from "#src/graph/errors.ts";
import { selectedValues } from "#src/graph/selected-values.ts";
import { wanted } from "#src/graph/selection.ts";
import { openFields, type Openness, opennessOf, topFields } from "#src/graph/visitors.ts";
import { type Form, graphqlForm } from "#src/plan/form.ts";
import type { Out } from "#src/plan/out.ts";
import { type AnswerWriter, Plan } from "#src/plan/plan.ts";

export type Variables = Readonly<Record<string, unknown>>;

/** One operation of a document, ready to run. */
export interface Operation {
  readonly document: DocumentNode;
  readonly name: string | undefined;
  readonly kind: OperationDefinitionNode["operation"];
  /** The first field at the top, with ", ..." when there are others: names of the schema, of which there are few. */
  readonly asks: string;
  /** How much of it may be asked without an API token. */
  readonly openness: Openness;
  /** Its plan in a form; null of a mutation, and of a document too large for one. */
  planIn(form: Form): Plan | null;
  /** The whole response as JSON, by the plan; null where it does not fit. Whoever gets the bytes frees them. */
  write(context: Context, variables: Variables): Promise<Out | null>;
  /** The responses to several messages of a subscription, read together; null where the plan does not fit all. */
  writeEach(context: Context, variables: Variables, messages: readonly unknown[]): Promise<Buffer[] | null>;
  /** The response as a value, by the plan or field by field. */
  result(context: Context, variables: Variables): Promise<ExecutionResult>;
  /** Runs it field by field. `root` is the message of a subscription; nothing else has one. */
  run(context: Context, variables: Variables, root?: unknown): Promise<ExecutionResult>;
}

export interface Executor {
  readonly schema: GraphQLSchema;
  /** The fields of Query that may be asked without an API token. */
  readonly openFields: ReadonlySet<string>;
  /** The operation of a document that a caller has sent, or the errors that keep it from running. */
  prepare(source: string, operationName?: string | null): Operation | Refusal;
  /** The same for a document of our own, which stays. */
  prepareOwn(source: string): Operation | Refusal;
}

/** Makes the executor of a schema. */
export function createExecutor(schema: GraphQLSchema): Executor {
  const open = openFields(schema);
  const made = () => new Documents<Operation>(schema, (selected) => new ReadyOperation(schema, selected, open));
  const documents = made();
  return {
    schema,
    openFields: open,
    prepare: (source, operationName) => documents.operation(source, operationName),
    prepareOwn: (source) => made().operation(source, null),
  };
}

/** Whether `prepare` gave an operation. */
export function isOperation(prepared: Operation | Refusal): prepared is Operation {
  return !Array.isArray(prepared);
}

const dataStart = Buffer.from('{"data":');

function writeResponse(answer: AnswerWriter): void {
  answer.out.write(dataStart);
  answer.write();
  answer.out.byte(0x7d);
}

/** The plan is made at the first run. Mutations have none: what fails may be run a second time. */
class ReadyOperation implements Operation {
  readonly document: DocumentNode;
  readonly name: string | undefined;
  readonly kind: OperationDefinitionNode["operation"];
  readonly asks: string;
  readonly openness: Openness;
  readonly #schema: GraphQLSchema;
  readonly #definition: OperationDefinitionNode;
  readonly #mayBePlanned: boolean;
  readonly #traced: { readonly name: string; readonly facts: SpanFacts };
  /** Undefined until it is first run. */
  #plan: Plan | null | undefined;

  constructor(schema: GraphQLSchema, { document, definition, mayBePlanned }: Selected, open: ReadonlySet<string>) {
    this.#schema = schema;
    this.#definition = definition;
    this.document = document;
    this.name = definition.name?.value;
    this.kind = definition.operation;
    this.openness = opennessOf(open, document, definition);
    const [field, ...others] = topFields(document, definition);
    const named = this.name !== undefined && { "graphql.operation.name": this.name };
    this.#traced = { name: `${this.kind} ${field}`, facts: { "graphql.operation.type": this.kind, ...named } };
    this.asks = `${field}${others.length > 0 ? ", ..." : ""}`;
    this.#mayBePlanned = mayBePlanned && this.kind !== "mutation";
  }

  planIn(form: Form): Plan | null {
    if (!this.#mayBePlanned) return null;
    const fragments: Record<string, FragmentDefinitionNode> = {};
    for (const node of this.document.definitions)
      if (node.kind === Kind.FRAGMENT_DEFINITION) fragments[node.name.value] = node;
    return new Plan({
      schema: this.#schema,
      document: this.document,
      operation: this.#definition,
      fragments,
      form,
      wanted,
      valuesOf: (info) => selectedValues(info).values,
    });
  }

  async write(context: Context, variables: Variables): Promise<Out | null> {
    if (context.isAnonymous && this.openness !== "open") return null; // a plan knows nothing of closed fields
    const plan = (this.#plan ??= this.planIn(graphqlForm));
    return (
      plan && spanned(this.#traced, async () => plan.run(contextToRead(context), { variables, write: writeResponse }))
    );
  }

  async writeEach(context: Context, variables: Variables, roots: readonly unknown[]): Promise<Buffer[] | null> {
    this.#plan ??= this.planIn(graphqlForm);
    const ends: number[] = [];
    const write = (answer: AnswerWriter): void => {
      writeResponse(answer);
      ends.push(answer.out.at);
    };
    const out = await this.#plan?.run(context, { variables, roots, write });
    if (!out) return null;
    // Each in memory of its own: one may be kept for longer than the others.
    const each = ends.map((end, index) => Buffer.from(out.bytes.subarray(ends[index - 1] ?? 0, end)));
    out.free();
    return each;
  }

  async result(context: Context, variables: Variables): Promise<ExecutionResult> {
    const out = await this.write(context, variables);
    if (!out) return this.run(context, variables);
    const text = out.bytes.toString();
    out.free();
    return JSON.parse(text) as ExecutionResult; // as it was written
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

  async #run(context: Context, variables: Variables, root: unknown): Promise<ExecutionResult> {
    if (this.kind === "mutation" && !this.#isAllowed(context))
      return { errors: [publicError(new DomainError("FORBIDDEN"), context)] };
    // A change goes by the rights of this moment, not by those that were remembered.
    if (this.kind === "mutation" && !(await renewViewer(context)))
      return { errors: [publicError(new DomainError("UNAUTHENTICATED"), context)] };
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
      });
      if (!isReplayed) return answer;
      idempotency.tellReplayed();
      return { ...answer, extensions: { idempotency: { replayed: true } } };
    } catch (error) {
      return { errors: [publicError(error, context)] };
    }
  }

  async #execute(context: Context, variables: Variables, root: unknown): Promise<ExecutionResult> {
    const result = await execute({
      schema: this.#schema,
      document: this.document,
      operationName: this.name ?? null,
      rootValue: root,
      contextValue: this.kind === "query" ? contextToRead(context) : context,
      variableValues: variables,
    });
    if (this.kind === "mutation") await noteWrite(context);
    const excess = excessOf(context, result);
    if (excess) return { errors: [excess] };
    if (!result.errors) return result;
    return { ...result, errors: result.errors.map((error) => publicError(error, context)) };
  }
}

/** What an operation asks for, as a text: the same for the same request, with files by what is in them. */
function requestText(document: DocumentNode, name: string | undefined, variables: Variables): string {
  const values = JSON.stringify(variables, (_key, value: unknown) =>
    value instanceof Upload ? { name: value.name, hash: value.blob.hash } : value,
  );
  return JSON.stringify([print(document), name ?? null, values]);
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
