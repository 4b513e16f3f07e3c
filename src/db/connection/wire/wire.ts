// A connection opened by `pg`, on which statements are pipelined: many are sent before the first has a result.
import type { Socket } from "node:net";
import pg from "pg";
import { cancelUntilEnded, DatabaseClient } from "#src/db/connection/client.ts";
import { CorruptStreamError, corruptionIn, readColumns, readError } from "#src/db/connection/server-messages.ts";
import { Frames } from "#src/db/connection/wire/frames.ts";
import { giveMemory } from "#src/runtime/pooled-memory.ts";
import { Outbox } from "#src/db/connection/wire/outbox.ts";
import { currentLimit } from "#src/db/connection/time-limit.ts";
import { Rows, type Shape } from "#src/db/connection/wire/rows.ts";
import { openSocket } from "#src/db/connection/wire/socket.ts";
import { quickMs, shapeOf, type Statement } from "#src/db/connection/wire/statement.ts";
import { preparing, ready, running, steps } from "#src/db/connection/wire/steps.ts";

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
  /** Whether its caller has an error already, so that its result is dropped, and it does not run again. */
  isDropped: boolean;
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
  /** Whether the server sends the results of its group after it. */
  endsGroup: boolean;
  /** When it was sent to an idle server, by `performance.now()`; null if it waits for others there. */
  sentAt: number | null;
}

/** PostgreSQL's error for a statement whose columns have changed since it was prepared. */
const isOutdated = ({ code, routine }: pg.DatabaseError): boolean =>
  code === "0A000" && routine === "RevalidateCachedQuery";

/** How many milliseconds after it was sent a cancel request may hit the statement that runs then. */
const strayMs = 1_000;

/** How many milliseconds one cancel request counts for all runs of its group. */
const groupMs = 100;

/**
 * Statements are answered in the order in which they were sent. Quick ones that are sent together are a group: one
 * transaction, whose results come together. That takes half the time of the server, and one read of the socket.
 */
export class Wire {
  readonly #client: DatabaseClient;
  readonly #closed = Promise.withResolvers<void>();
  readonly gone = this.#closed.promise;
  readonly #frames = new Frames();
  readonly #outbox = new Outbox();
  readonly #prepared = new Map<Statement, Prepared>();
  readonly #owed: Owed[] = [];
  #isSending = false;
  /** Whether the last of `#owed` waits for others of its group. */
  #isGroupOpen = false;
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
      const call: Call = { values, resolve, reject, isSecond: false, isDropped: false, forget: undefined };
      call.forget = currentLimit()?.onEndOf(statement.text, (error) => {
        call.isDropped = true;
        reject(error);
        this.#cancel(call);
      });
      this.#start(statement, call);
    });
  }

  /**
   * Fails the runs behind the first pending one, which blocks them ({@link HeldUpError}). Of a group any may be the one
   * that does: all fail, and the server ends them.
   */
  dropHeldUp(): void {
    const group = this.#owedNext().flatMap(({ run }) => run ?? []);
    const first = group.length > 1 ? 0 : this.#owed.findIndex(({ run }) => run) + 1;
    const behind = this.#owed.slice(first).flatMap(({ run }) => run ?? []);
    const waiting = [...this.#prepared.values()].flatMap((prepared) => prepared.waiting);
    for (const run of [...behind, ...waiting]) {
      run.isDropped = true;
      run.reject(new HeldUpError("An earlier statement on the connection takes long."));
    }
    if (group.length > 1) for (const run of group) this.#cancel(run);
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
    this.#endGroup();
    this.#outbox.prepare(statement.name, statement.text);
    this.#prepared.set(statement, prepared);
    const not = { run: null, shape: null, error: null, sentAt: null };
    this.#owe({ prepared, ...not, step: preparing, isQuick: false, endsGroup: true });
  }

  #bind(prepared: Prepared, shape: Shape, run: Call): void {
    const { name, leastMs } = prepared.statement;
    const isQuick = leastMs <= quickMs;
    if (!isQuick) this.#endGroup();
    try {
      this.#outbox.run(name, shape, run.values);
    } catch (error) {
      return this.#finish(run, error as Error); // a value cannot be written
    }
    this.#isGroupOpen = true;
    this.#owe({ prepared, run, shape, error: null, sentAt: null, step: running, isQuick, endsGroup: false });
    if (!isQuick) this.#endGroup();
  }

  /** The results that come next, together: none before they are asked for. */
  #owedNext(): Owed[] {
    return this.#owed.slice(0, this.#owed.findIndex(({ endsGroup }) => endsGroup) + 1);
  }

  #endGroup(): void {
    const last = this.#owed.at(-1);
    if (!this.#isGroupOpen || !last) return;
    this.#outbox.sync();
    last.endsGroup = true;
    this.#isGroupOpen = false;
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
    this.#endGroup();
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
    else if (code === "Z") this.#endOwedGroup(owed);
    else if (next === ready && !owed.endsGroup) this.#settle(owed);
  }

  /** An error has skipped the rest of its group, which runs again. */
  #endOwedGroup(owed: Owed): void {
    const { body } = this.#frames;
    if (body.length !== 1 || body[0] !== 0x49) throw new CorruptStreamError("no idle state after a statement"); // I
    if (owed.endsGroup) return this.#settle(owed);
    const skipped = this.#owed.splice(1, this.#owedNext().length - 1);
    this.#settle(owed);
    for (const { prepared, run } of skipped) if (run) this.#startUnlessDropped(prepared.statement, run);
  }

  #settle(owed: Owed): void {
    const { prepared, run, shape, error, sentAt } = owed;
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
      if (error) this.#refuse(prepared, next, error);
      else this.#startUnlessDropped(statement, next);
    }
  }

  #startUnlessDropped(statement: Statement, run: Call): void {
    if (run.isDropped) this.#finish(run, new HeldUpError("The caller has an error already."));
    else this.#start(statement, run);
  }

  /** Whether the server works for a run, or prepares a statement for it and for no other that is still wanted. */
  #isNext(call: Call): boolean {
    return this.#owedNext().some(({ prepared, run }) => {
      if (run) return run === call;
      return prepared.waiting.includes(call) && prepared.waiting.every(({ isDropped }) => isDropped);
    });
  }

  /** Cancels a run as soon as the server works for it: its caller no longer waits. */
  #cancel(call: Call): void {
    const { forget } = call;
    const hasEnded = cancelUntilEnded(() => {
      const now = performance.now();
      if (!this.#isNext(call) || now - this.#cancelledAt < groupMs) return;
      this.#cancelledAt = now;
      this.#client.cancelRunning();
    });
    call.forget = () => {
      forget?.();
      hasEnded();
    };
  }

  /** Whether a cancel request for another run ended this one, because the other had just finished. */
  #isHitByMistake({ code }: pg.DatabaseError): boolean {
    return code === "57014" && performance.now() - this.#cancelledAt < strayMs;
  }

  /** Prepares and runs a statement again if its columns have changed; any other error is the run's. */
  #refuse(prepared: Prepared, run: Call, error: pg.DatabaseError): void {
    const { statement } = prepared;
    const mayRun = !run.isDropped && !run.isSecond && (isOutdated(error) || this.#isHitByMistake(error));
    if (!mayRun) return this.#finish(run, error);
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
