// A connection opened by `pg`, on which statements are pipelined: many are sent before the first has a result.
import { Socket } from "node:net";
import pg from "pg";
import { cancelUntilEnded, DatabaseClient } from "#src/db/connection/client.ts";
import { CorruptStreamError, corruptionIn, readColumns, readError } from "#src/db/connection/server-messages.ts";
import { Frames } from "#src/db/connection/wire/frames.ts";
import { giveMemory } from "#src/runtime/pooled-memory.ts";
import { Outbox } from "#src/db/connection/wire/outbox.ts";
import { currentLimit } from "#src/db/connection/time-limit.ts";
import { type NamedType, Rows, Shape } from "#src/db/connection/wire/rows.ts";

/** A statement's text, its name on each connection, and the shape of its rows when it was last prepared. */
export interface Statement {
  readonly name: string;
  readonly text: string;
  shape: Shape | null;
  /** The least time that it took on an idle connection, in milliseconds; Infinity if it never ran on one. */
  leastMs: number;
}

/** A statement that takes at most so many milliseconds shares a connection with others of a turn of the event loop. */
export const quickMs = 0.5;
/** How many quick statements are on one connection at most. */
const mostTogether = 8;
/** The growth of the least time at each measurement, so that it is that of the last few hundred. */
const forgetting = 1.01;

interface Call {
  readonly values: readonly unknown[];
  readonly resolve: (rows: Rows) => void;
  readonly reject: (error: Error) => void;
  /** Whether the statement was prepared again for it, since its columns had changed. */
  isSecond: boolean;
  /** Whether it has failed with {@link HeldUpError}: its result is dropped. */
  isDropped: boolean;
  /** Whether its caller no longer waits, so that a cancel request was sent. */
  isCancelled: boolean;
  /** Removes the listener for the end of its caller's time. */
  forget: (() => void) | undefined;
}

/** An earlier statement on the connection takes long. It may run elsewhere. */
export class HeldUpError extends Error {
  override readonly name = "HeldUpError";
}

/** A statement on this connection; without a shape it is being prepared, and runs wait for that. */
interface Prepared {
  readonly statement: Statement;
  shape: Shape | null;
  waiting: Call[];
}

/** A pending result of the server: of a run, or of the preparation of the statement. */
interface Owed {
  readonly prepared: Prepared;
  readonly run: Call | null;
  /** The shape of its rows; for a preparation it is the result. */
  shape: Shape | null;
  step: number;
  error: pg.DatabaseError | null;
  /** Whether it was quick when it was sent. */
  isQuick: boolean;
  /** When it was sent to an idle server, by `performance.now()`; null if it waits for others there. */
  sentAt: number | null;
}

/** For each message: the steps in which it is expected, and the step after it. An error leads to the last one. */
const [preparing, running, ready] = [0, 4, 6];
const steps = new Map<string, readonly [now: number, next: number]>([
  ["3", [0, 1]], // CloseComplete
  ["1", [1, 2]], // ParseComplete
  ["t", [2, 3]], // ParameterDescription
  ["T", [3, ready]], // RowDescription
  ["n", [3, ready]], // NoData
  ["2", [4, 5]], // BindComplete
  ["D", [5, 5]], // DataRow
  ["C", [5, ready]], // CommandComplete
  ["I", [5, ready]], // EmptyQueryResponse
  ["Z", [ready, ready]], // ReadyForQuery
]);

/** PostgreSQL's error for a statement whose columns have changed since it was prepared. */
const isOutdated = ({ code, routine }: pg.DatabaseError): boolean =>
  code === "0A000" && routine === "RevalidateCachedQuery";

/** How many milliseconds after it was sent a cancel request may hit the statement that runs then. */
const strayMs = 1_000;

/** Statements are answered in the order in which they were sent; each is a transaction of its own. */
export class Wire {
  readonly #client: DatabaseClient;
  readonly #closed = Promise.withResolvers<void>();
  readonly gone = this.#closed.promise;
  readonly #frames = new Frames();
  readonly #outbox = new Outbox();
  readonly #prepared = new Map<Statement, Prepared>();
  readonly #owed: Owed[] = [];
  #isSending = false;
  /** How many of `#owed` are not quick. */
  #slow = 0;
  #lost: Error | null = null;
  /** When the last cancel request for a run was sent, by `performance.now()`. */
  #cancelledAt = -Infinity;
  /** Runs without a result. */
  load = 0;
  /** When the server last sent something, or was first queried after that, by `performance.now()`. */
  heardAt = performance.now();
  isEnding = false;

  private constructor(client: DatabaseClient) {
    this.#client = client;
    const { stream } = client.connection;
    stream.removeAllListeners("data"); // those of `pg`
    for (const event of ["bytes", "data"]) stream.on(event, (bytes: Buffer) => this.#read(bytes));
    stream.on("close", () => this.lose(new Error("Connection terminated unexpectedly")));
    client.on("error", (error) => this.lose(error));
  }

  /** Connects; throws what `pg` throws when that fails. */
  static async open(config: pg.ClientConfig): Promise<Wire> {
    // The option's type does not know the class of connection that it is given.
    const client = new DatabaseClient({ ...config, stream: openSocket as () => Socket });
    await client.connect();
    return new Wire(client);
  }

  /** Whether quick statements of this turn of the event loop are gathered here, to be sent together. */
  get isGathering(): boolean {
    return this.#isSending && this.#slow === 0 && this.load < mostTogether && !this.isEnding;
  }

  /** Runs a statement. Throws the error of PostgreSQL, or that the connection was lost. */
  run(statement: Statement, values: readonly unknown[]): Promise<Rows> {
    this.load++;
    return new Promise((resolve, reject) => {
      const not = { isSecond: false, isDropped: false, isCancelled: false };
      const call: Call = { values, resolve, reject, ...not, forget: undefined };
      call.forget = currentLimit()?.onEndOf(statement.text, (error) => {
        call.isDropped = true;
        reject(error);
        this.#cancel(call);
      });
      this.#start(statement, call);
    });
  }

  /** Fails the runs behind the first pending one, which blocks them ({@link HeldUpError}). */
  dropHeldUp(): void {
    const first = this.#owed.findIndex(({ run }) => run);
    const behind = this.#owed.slice(first + 1).flatMap(({ run }) => run ?? []);
    const waiting = [...this.#prepared.values()].flatMap((prepared) => prepared.waiting);
    for (const run of [...behind, ...waiting]) {
      run.isDropped = true;
      run.reject(new HeldUpError("An earlier statement on the connection takes long."));
    }
  }

  /** Accepts no more runs, and ends the connection when all have results. */
  end(): Promise<void> {
    if (!this.isEnding) {
      this.isEnding = true;
      this.#leave();
    }
    return this.gone;
  }

  #leave(): void {
    if (this.isEnding && this.load === 0 && !this.#lost) void this.#client.end();
  }

  /** Destroys the connection: all runs fail with the error. */
  lose(error: Error): void {
    if (this.#lost) return;
    this.#lost = error;
    this.isEnding = true;
    this.#client.cut();
    giveMemory(this.#outbox.take().memory);
    for (const { run, error: own } of this.#owed.splice(0)) if (run) this.#finish(run, own ?? error);
    for (const { waiting } of this.#prepared.values()) for (const run of waiting.splice(0)) this.#finish(run, error);
    this.#closed.resolve();
  }

  #start(statement: Statement, run: Call): void {
    if (this.#lost) return this.#finish(run, this.#lost);
    const known = this.#prepared.get(statement);
    if (known?.shape) return this.#bind(known, known.shape, run);
    if (known) return void known.waiting.push(run);
    const prepared = { statement, shape: null, waiting: [run] };
    this.#outbox.prepare(statement.name, statement.text);
    this.#prepared.set(statement, prepared);
    this.#owe({ prepared, run: null, shape: null, step: preparing, error: null, isQuick: false, sentAt: null });
  }

  #bind(prepared: Prepared, shape: Shape, run: Call): void {
    try {
      this.#outbox.run(prepared.statement.name, shape, run.values);
    } catch (error) {
      return this.#finish(run, error as Error); // a value cannot be written
    }
    this.#owe({
      prepared,
      run,
      shape,
      step: running,
      error: null,
      isQuick: prepared.statement.leastMs <= quickMs,
      sentAt: null,
    });
  }

  /** The messages of a whole turn of the event loop are sent in one write, which costs as much as a quick statement. */
  #owe(owed: Owed): void {
    if (this.#owed.push(owed) === 1) this.heardAt = owed.sentAt = performance.now();
    if (!owed.isQuick) this.#slow++;
    if (this.#isSending) return;
    this.#isSending = true;
    setImmediate(this.#send);
  }

  readonly #send = (): void => {
    this.#isSending = false;
    const { memory, size } = this.#outbox.take();
    if (size === 0) return;
    this.#client.connection.stream.write(memory.subarray(0, size), () => giveMemory(memory));
  };

  #read(bytes: Buffer): void {
    if (this.#lost) return;
    this.heardAt = performance.now();
    try {
      this.#frames.add(bytes);
      while (this.#frames.next()) this.#readFrame(String.fromCharCode(this.#frames.code));
    } catch (error) {
      this.lose(corruptionIn(error)); // an invalid message: the rest cannot be parsed
    }
  }

  #readFrame(code: string): void {
    if (code === "N" || code === "S" || code === "A") return; // notices, settings, notifications
    const owed = this.#owed[0];
    if (code === "E") {
      const error = readError(this.#frames.body);
      if (!owed) throw error; // the server ends the connection
      owed.error ??= error;
      owed.step = ready;
      return;
    }
    const [now, next] = steps.get(code) ?? [];
    if (!owed || now !== owed.step || next === undefined) throw new CorruptStreamError(`an unexpected "${code}"`);
    owed.step = next;
    if (code === "D") this.#frames.keepRow();
    else if (code === "T") owed.shape = shapeOf(owed.prepared.statement, readColumns(this.#frames.body));
    else if (code === "n") owed.shape = shapeOf(owed.prepared.statement, []);
    else if (code === "Z") this.#settle(owed);
  }

  #settle(owed: Owed): void {
    const { prepared, run, shape, error, sentAt } = owed;
    const { body } = this.#frames;
    if (body.length !== 1 || body[0] !== 0x49) throw new CorruptStreamError("no idle state after a statement"); // I
    const { statement } = prepared;
    if (run && !error && sentAt !== null)
      statement.leastMs = Math.min(this.heardAt - sentAt, statement.leastMs * forgetting);
    if (error) giveMemory(this.#frames.takeRows().bytes);
    else if (!shape) throw new CorruptStreamError("no columns");
    else if (run) this.#finish(run, new Rows(shape, this.#frames.takeRows()));
    else prepared.shape = shape;
    this.#owed.shift();
    if (!owed.isQuick) this.#slow--;
    if (error && run) this.#refuse(prepared, run, error);
    if (run) return;
    if (error) this.#prepared.delete(statement);
    for (const next of prepared.waiting.splice(0)) {
      if (error) this.#finish(next, error);
      else this.#start(statement, next);
    }
  }

  /** Cancels a run as soon as the server runs it: its caller no longer waits. */
  #cancel(call: Call): void {
    const { forget } = call;
    const hasEnded = cancelUntilEnded(() => {
      if (this.#owed[0]?.run !== call) return;
      call.isCancelled = true;
      this.#cancelledAt = performance.now();
      this.#client.cancelRunning();
    });
    call.forget = () => {
      forget?.();
      hasEnded();
    };
  }

  /** Whether a cancel request for another run hit this one, because the other had just finished. */
  #isHitByMistake(run: Call, { code }: pg.DatabaseError): boolean {
    return code === "57014" && !run.isCancelled && performance.now() - this.#cancelledAt < strayMs;
  }

  /** Prepares and runs a statement again if its columns have changed; any other error is the run's. */
  #refuse(prepared: Prepared, run: Call, error: pg.DatabaseError): void {
    const { statement } = prepared;
    if (run.isSecond || !(isOutdated(error) || this.#isHitByMistake(run, error))) return this.#finish(run, error);
    run.isSecond = true;
    if (this.#prepared.get(statement) === prepared) this.#prepared.delete(statement);
    this.#start(statement, run);
  }

  #finish(run: Call, answer: Rows | Error): void {
    this.load--;
    run.forget?.();
    if (!(answer instanceof Rows)) run.reject(answer);
    else if (run.isDropped) answer.free();
    else run.resolve(answer);
    this.#leave();
  }
}

/** The shape for these columns: the one that the statement has, as long as they are the same. */
function shapeOf(statement: Statement, columns: readonly NamedType[]): Shape {
  const shape = new Shape(columns);
  const isSame = JSON.stringify(statement.shape?.columns) === JSON.stringify(shape.columns);
  return isSame && statement.shape ? statement.shape : (statement.shape = shape);
}

const memory = Buffer.allocUnsafeSlow(64 * 1024);

/** Emits "bytes" with a view of reused memory; without a listener, and over TLS, "data" as usual. */
function openSocket({ ssl }: { readonly ssl?: unknown }): Socket {
  if (ssl) return new Socket();
  const socket: Socket = new Socket({
    onread: {
      buffer: memory,
      callback(size) {
        const bytes = memory.subarray(0, size);
        return socket.emit("bytes", bytes) || socket.emit("data", Buffer.from(bytes)) || true;
      },
    },
  });
  return socket;
}
