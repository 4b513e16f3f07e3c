// The connections for hot reads: opened on demand, shared by all statements, closed after a time without statements.
import type pg from "pg";
import type { PoolLoad } from "#src/db/connection/observe.ts";
import { currentLimit, withinLimit } from "#src/db/connection/time-limit.ts";
import { dropUnused } from "#src/runtime/pooled-memory.ts";
import type { Rows } from "#src/db/connection/wire/rows.ts";
import { preparedNames } from "#src/db/connection/prepared-names.ts";
import { quickMs, type Statement } from "#src/db/connection/wire/statement.ts";
import { Wire } from "#src/db/connection/wire/wire.ts";

/** A connection with pending results that sends nothing for this long is slow: other statements do not wait for it. */
const slowMs = 100;
/** How long, in milliseconds, there is one connection at most after {@link Wires.giveBack}. */
const givenBackMs = 60_000;

export interface WiresOptions {
  readonly config: pg.ClientConfig;
  readonly most: number;
  /** A connection with pending results that sends nothing for this long is dead. */
  readonly answerLimitMs: number;
  /** A connection unused for this long is closed; by default 60 seconds, as in the pool. */
  readonly idleMs?: number;
  /**
   * Statements do not wait for an earlier one that takes this long; by default half a second. They run again on the
   * pool, so that they must be reads. Connections stay open, and received bytes are read first: a process that was busy
   * for longer takes none for slow.
   */
  readonly heldUpMs?: number;
}

/** Pipelines statements on a few connections. */
export class Wires {
  readonly #options: Required<WiresOptions>;
  readonly #nameOf = preparedNames();
  readonly #statements = new Map<string, Statement>();
  readonly #wires = new Set<Wire>();
  readonly #opening: Promise<Wire>[] = [];
  #watch: NodeJS.Timeout | undefined;
  #rescue: NodeJS.Timeout | undefined;
  #most: number;
  /** The connection of the last statement. */
  #last: Wire | undefined;
  #givenBack: NodeJS.Timeout | undefined;
  /** Whether statements cannot be prepared on these connections, or they are closing. */
  isOff = false;

  constructor(options: WiresOptions) {
    this.#options = { idleMs: 60_000, heldUpMs: 500, ...options };
    this.#most = options.most;
  }

  /** Whether a statement is accepted now: it has a name, and slow statements do not block all connections. */
  takes(text: string): boolean {
    if (this.isOff || !this.#statementOf(text)) return false;
    return this.#hasRoom || this.#leastLoaded(isReady) !== undefined;
  }

  /** Runs a prepared read. Throws the error of PostgreSQL or the connection; {@link HeldUpError} behind a slow one. */
  query(text: string, values: readonly unknown[]): Promise<Rows> {
    const statement = this.isOff ? undefined : this.#statementOf(text);
    if (!statement) return Promise.reject(new Error("The statement cannot be prepared on these connections."));
    const shares = statement.leastMs <= quickMs && this.#last?.isGathering;
    const wire = (this.#last = shares ? this.#last : this.#leastLoaded(isReady));
    if (wire?.load !== 0 && this.#hasRoom) this.#open();
    if (wire) return this.#run(wire, statement, values);
    return withinLimit(
      text,
      () => this.#queryLater(statement, values),
      (rows) => rows.free(),
    );
  }

  /** The load: a statement waits if it is behind another one on its connection. */
  get load(): PoolLoad {
    const loads = [...this.#wires].map(({ load }) => load);
    const inUse = loads.filter((load) => load > 0).length;
    const asked = loads.reduce((sum, load) => sum + load, 0);
    const { most } = this.#options;
    return { pool: "reads", most, inUse, idle: loads.length - inUse, waiting: asked - inUse };
  }

  #rescueLater(): void {
    if (this.#rescue) return;
    // Timers run before the received bytes are read.
    this.#rescue = setTimeout(() => setImmediate(() => this.#dropHeldUp()), this.#options.heldUpMs).unref();
  }

  #dropHeldUp(): void {
    this.#rescue = undefined;
    const since = performance.now() - this.#options.heldUpMs;
    for (const wire of this.#wires) if (wire.heardAt < since) wire.dropHeldUp();
    if ([...this.#wires].some(({ load }) => load > 1)) this.#rescueLater();
  }

  /** Ends the connections when all runs have results; later statements are rejected. */
  async close(): Promise<void> {
    this.isOff = true;
    await Promise.allSettled(this.#opening);
    await Promise.all([...this.#wires].map((wire) => wire.end()));
  }

  /** Ends all connections but one, for a minute: the server has none left for changes. */
  async giveBack(): Promise<void> {
    this.#most = 1;
    clearTimeout(this.#givenBack);
    this.#givenBack = setTimeout(() => (this.#most = this.#options.most), givenBackMs).unref();
    await Promise.allSettled(this.#opening);
    const lasting = [...this.#wires].filter(({ isEnding }) => !isEnding);
    const ending = lasting.slice(1).map((wire) => wire.end());
    if (ending.length > 0) await Promise.race(ending); // one is enough to go on; slow statements may run on the others
  }

  /** Destroys the connections: running and later statements fail. */
  cut(): void {
    this.isOff = true;
    for (const wire of this.#wires) wire.lose(new Error("Connection terminated: docgraph stops"));
  }

  #statementOf(text: string): Statement | undefined {
    const known = this.#statements.get(text);
    if (known) return known;
    const name = this.#nameOf(text);
    if (name === undefined) return undefined;
    const statement = { name, text, shape: null, leastMs: Infinity };
    this.#statements.set(text, statement);
    return statement;
  }

  async #queryLater(statement: Statement, values: readonly unknown[]): Promise<Rows> {
    let failure: unknown = new Error("No connection is available.");
    // The server may have none left for some of those that are opening.
    for (const tried = new Set<Promise<Wire>>(); ;) {
      const opening = this.#opening.find((each) => !tried.has(each));
      if (!opening || this.#leastLoaded(isReady)) break;
      tried.add(opening);
      await opening.catch((error: unknown) => (failure = error));
    }
    const wire = this.#leastLoaded(isReady) ?? this.#leastLoaded(() => true);
    const refusal = currentLimit()?.refusalOf(statement.text); // its caller may have left meanwhile
    if (!wire || refusal) throw refusal ?? failure;
    return this.#run(wire, statement, values);
  }

  #run(wire: Wire, statement: Statement, values: readonly unknown[]): Promise<Rows> {
    if (wire.load > 0) this.#rescueLater();
    return wire.run(statement, values);
  }

  get #hasRoom(): boolean {
    let lasting = 0;
    for (const { isEnding } of this.#wires) if (!isEnding) lasting++;
    return lasting + this.#opening.length < this.#most;
  }

  /** The least busy of the connections that accept statements and that `may` admits. */
  #leastLoaded(may: (wire: Wire, since: number) => boolean): Wire | undefined {
    const since = performance.now() - slowMs;
    let least: Wire | undefined;
    for (const wire of this.#wires)
      if (!wire.isEnding && may(wire, since) && (!least || wire.load < least.load)) least = wire;
    return least;
  }

  #open(): void {
    const opening = Wire.open(this.#options.config);
    this.#opening.push(opening);
    void opening
      .then(
        (wire) => {
          this.#wires.add(wire);
          void wire.gone.then(() => this.#wires.delete(wire));
        },
        () => {}, // the waiting runs have the error
      )
      .finally(() => this.#opening.splice(this.#opening.indexOf(opening), 1));
    const everyMs = Math.min(this.#options.idleMs, this.#options.answerLimitMs) / 8;
    // After the received bytes are read: following a long turn of the process, no live connection looks dead.
    this.#watch ??= setInterval(() => setImmediate(() => this.#look()), everyMs).unref();
  }

  /** Ends idle connections, and destroys dead ones. */
  #look(): void {
    for (const wire of this.#wires) {
      const quietMs = performance.now() - wire.heardAt;
      const isOwed = wire.load > 0 || wire.isEnding;
      if (isOwed && quietMs > this.#options.answerLimitMs) wire.lose(new Error("Query read timeout"));
      else if (!isOwed && quietMs > this.#options.idleMs) void wire.end();
    }
    dropUnused();
    if (this.#wires.size + this.#opening.length > 0) return;
    clearInterval(this.#watch);
    this.#watch = undefined;
    dropUnused(); // all
  }
}

/** Not a connection on which a slow statement blocks those behind it. */
const isReady = ({ load, heardAt }: Wire, since: number): boolean => load === 0 || heardAt > since;
