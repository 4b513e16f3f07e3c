// Compiled operations: one compilation for each combination of the variables in `@skip` and `@include`.
import {
  type DirectiveNode,
  type DocumentNode,
  GraphQLError,
  Kind,
  type OperationDefinitionNode,
  visit,
} from "graphql";
import { takeLongResponse, takeResponseMemory } from "#src/runtime/memory.ts";
import { currentTenant } from "#src/runtime/tenant.ts";
import { isPauseDue, pause } from "#src/runtime/yielding.ts";
import { ExcessError } from "#src/db/connection/budget.ts";
import { answerOf } from "#src/db/connection/database-errors.ts";
import { besideLimit, type TimeLimit } from "#src/db/connection/time-limit.ts";
import type { Context } from "#src/domain/context.ts";
import { type Batch, ObjectBatch } from "#src/plan/batch.ts";
import { Compiler, type Source } from "#src/plan/compile.ts";
import type { Arguments } from "#src/plan/read-declaration.ts";
import { ByteWriter, TooLongError, Unsupported } from "#src/plan/byte-writer.ts";
import { type VariablesReader, variablesReader } from "#src/plan/inputs.ts";
import { Run } from "#src/plan/run.ts";
import type { Part, Selection } from "#src/plan/selection.ts";
import { Writer } from "#src/plan/emit.ts";

/** The most combinations that are compiled; others run field by field. */
export const mostChoices = 8;

interface PlanRequest {
  /** The variables as sent, not coerced. */
  readonly variables: Arguments;
  /** Root values: one response is written for each, from the same statements. */
  readonly roots?: readonly unknown[];
  readonly write: (answer: AnswerWriter) => void;
  /** The same with pauses, for a long response. */
  readonly writeInTurns?: (answer: AnswerWriter) => Promise<void>;
}

/** The part of an operation's time that the compiled run may use; the rest is for running it field by field. */
const partOfTime = 2 / 3;

const noRoot: readonly unknown[] = [undefined];

/** The initial buffer is for a response that is longer than the last one by at most an eighth. */
const guessedGrowth = 9 / 8;

/** A response of more bytes is written in a turn of its own: with pauses it would cost twice as much. */
const quickResponse = 65_536;

export class Plan {
  readonly #source: Source;
  readonly #choices: readonly string[];
  readonly #readVariables: VariablesReader;
  readonly #roots = new Map<string, Selection | null>();
  /** The size of the last response, in bytes. */
  #lastSize = 1024;

  constructor(source: Source) {
    this.#source = source;
    this.#choices = choicesOf(source.document, source.operation);
    this.#readVariables = variablesReader(source.schema, source.operation);
  }

  /** Whether the operation can be compiled for these variables. */
  fits(variables: Arguments): boolean {
    const coerced = this.#readVariables(variables);
    return coerced !== undefined && this.#rootFor(coerced) !== null;
  }

  /**
   * Reads the operation's rows and has `write` write them. Returns null if the operation must run field by field: it
   * cannot be compiled, or something failed (errors have one format). Exceeding the allowance marks the operation as
   * over, so that the field-by-field run is rejected at once. The caller frees the bytes.
   */
  run(context: Context, asked: PlanRequest): Promise<ByteWriter | null> {
    return context.limit.run(() => this.#run(context, asked), partOfTime);
  }

  async #run(context: Context, asked: PlanRequest): Promise<ByteWriter | null> {
    const { variables, roots = noRoot } = asked;
    const coerced = this.#readVariables(variables);
    const { reader, log } = context;
    let run: Run | undefined;
    let out: ByteWriter | undefined;
    try {
      const selection = coerced && this.#rootFor(coerced);
      if (!selection) return null;
      run = new Run(context, coerced);
      const batch = new ObjectBatch(roots);
      await run.read(selection, batch);
      // A response of fewer bytes has fewer characters of text.
      out = new ByteWriter(this.#lastSize * guessedGrowth, reader.budget.charactersLeft);
      const writer = new Writer(run, this.#source.shape, out);
      const writerOf = (row: number) => new AnswerWriter(writer, { selection, batch, row });
      if (this.#lastSize > quickResponse && isPauseDue()) await pause();
      // As long as last time: a tree of pages is written without a pause in which it could wait.
      const isLong = this.#lastSize > longResponse;
      if (isLong || !this.#write(asked, writer, writerOf)) {
        const free = isLong ? await memoryFor(context.limit, out) : undefined;
        await inMemory(context.limit, { writer, free }, () => this.#writeLong(asked, writer, writerOf));
      }
      out.check();
      this.#lastSize = out.at;
      reader.budget.takeBytes(out.at);
      return out;
    } catch (error) {
      log[isExpected(error) ? "debug" : "warn"](
        { err: error },
        "the compiled run gave up; the operation runs field by field",
      );
      out?.free();
      // An excess also occurs field by field, unless messages are read one by one then.
      if (!(error instanceof ExcessError) || asked.roots) reader.budget.restart();
      return null;
    } finally {
      run?.free();
    }
  }

  /** Writes all responses. False if `writeInTurns` must start again, with pauses: they are long. */
  #write({ roots = noRoot, write, writeInTurns }: PlanRequest, writer: Writer, writerOf: WriterOf): boolean {
    const { budget } = writer;
    writer.mayStop = writeInTurns !== undefined;
    const before = budget.taken;
    let isLong = false;
    try {
      for (let row = 0; row < roots.length; row++) write(writerOf(row));
    } catch (error) {
      isLong = error instanceof TooLongError && writeInTurns !== undefined;
      if (!isLong) throw error;
      writer.mayStop = false;
      writer.out.at = 0;
      writer.items.restart();
      budget.goBack(before);
    } finally {
      if (!isLong) budget.takeTime(performance.now() - writer.begun);
    }
    return !isLong;
  }

  /** Writes all responses with pauses. Those of `roots` that have no pauses begin in a turn of their own. */
  async #writeLong(asked: PlanRequest, writer: Writer, writerOf: WriterOf): Promise<void> {
    const { roots = noRoot, writeInTurns } = asked;
    if (isPauseDue()) await writer.pause();
    writer.begun = performance.now();
    if (!writeInTurns) return void this.#write(asked, writer, writerOf);
    try {
      for (let row = 0; row < roots.length; row++) await writeInTurns(writerOf(row));
    } finally {
      writer.budget.takeTime(performance.now() - writer.begun);
    }
  }

  /** The root selection for these variables; null if it cannot be compiled. */
  #rootFor(variables: Arguments): Selection | null {
    const only = this.#choices.length === 0 ? this.#roots.get("") : undefined;
    if (only !== undefined) return only;
    const chosen = this.#choices.map((name) => [name, variables[name]] as const);
    if (chosen.some(([, value]) => typeof value !== "boolean")) return null; // null instead of a boolean
    const choice = chosen.map(([, value]) => value).join();
    const known = this.#roots.get(choice);
    if (known !== undefined || this.#roots.size >= mostChoices) return known ?? null;
    this.#roots.set(choice, null); // kept if compiling throws
    // Only these of the caller's variables are kept.
    const root = new Compiler(this.#source, Object.fromEntries(chosen)).root();
    this.#roots.set(choice, root);
    return root;
  }
}

/** A response of more bytes waits for memory. */
const longResponse = 1_000_000;

/** Takes the memory of a long response, while the operation's time stops. Returns its release once it is written. */
function memoryFor(limit: TimeLimit, out: ByteWriter): Promise<() => void> {
  const { user } = currentTenant();
  return besideLimit(async () => {
    out.onFree = await takeLongResponse(user, (fail) => limit.onEnd(fail));
    return takeResponseMemory(user, (fail) => limit.onEnd(fail));
  });
}

/** Runs the writing of a response, which waits for memory if it gets long and has none. */
async function inMemory(
  limit: TimeLimit,
  memory: { readonly writer: Writer; free: (() => void) | undefined },
  write: () => Promise<void>,
): Promise<void> {
  const { writer } = memory;
  writer.pause = async () => {
    await pause();
    if (!memory.free && writer.out.at > longResponse) memory.free = await memoryFor(limit, writer.out);
  };
  try {
    await write();
  } finally {
    memory.free?.();
  }
}

/** Whether the operation or the database made a compiled run fail, not a bug. */
const isExpected = (error: unknown): boolean =>
  error instanceof Unsupported || error instanceof GraphQLError || answerOf(error) !== null;

const choosing: ReadonlySet<string> = new Set(["skip", "include"]);

function choicesOf(document: DocumentNode, operation: OperationDefinitionNode): string[] {
  const names = new Set<string>();
  const inDirectives = {
    Directive: (node: DirectiveNode) => {
      if (!choosing.has(node.name.value)) return;
      visit(node, { Variable: ({ name }) => void names.add(name.value) });
    },
  };
  for (const node of document.definitions)
    if (node === operation || node.kind === Kind.FRAGMENT_DEFINITION) visit(node, inDirectives);
  return [...names];
}

type WriterOf = (row: number) => AnswerWriter;

interface Place {
  readonly selection: Selection;
  readonly batch: Batch;
  readonly row: number;
}

/** Writes a response, or parts of it, from one of its objects. */
export class AnswerWriter {
  readonly #writer: Writer;
  readonly #place: Place;

  constructor(writer: Writer, place: Place) {
    this.#writer = writer;
    this.#place = place;
  }

  get out(): ByteWriter {
    return this.#writer.out;
  }

  /** The object at a response name, or null. */
  at(name: string): AnswerWriter | null {
    const place = this.#writer.placeOf(this.#part(name), this.#place.batch, this.#place.row);
    return place && new AnswerWriter(this.#writer, place);
  }

  value(name: string): unknown {
    return this.#writer.scalarValue(this.#part(name), this.#place.batch, this.#place.row);
  }

  write(): void {
    const { selection, batch, row } = this.#place;
    this.#writer.object(selection, batch, row);
  }

  async writeInTurns(): Promise<void> {
    const { selection, batch, row } = this.#place;
    await pause();
    await this.#writer.objectInTurns(selection, batch, row);
  }

  /** Writes the value at a response name. Throws {@link Unsupported} if it is null. */
  writeAt(name: string): void {
    if (!this.#writer.part(this.#part(name), this.#place.batch, this.#place.row)) throw new Unsupported("null");
  }

  #part(name: string): Part {
    const part = this.#place.selection.part(name);
    if (!part) throw new Unsupported(`${name} is missing in the response`);
    return part;
  }
}
