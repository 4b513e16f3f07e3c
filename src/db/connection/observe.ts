// Statistics and spans of statements. Their texts are part of the code and contain no values.
import type pg from "pg";
import { currentSpan } from "#src/runtime/spans.ts";
import { cancelUntilEnded, type PooledClient } from "#src/db/connection/client.ts";
import { currentLimit } from "#src/db/connection/time-limit.ts";
import { isTimeOut } from "#src/db/connection/database-errors.ts";

type Answered = (error?: unknown) => void;

/** Statements since the start of the process. */
export class StatementCounts {
  sent = 0;
  /** Statements that failed in PostgreSQL or lost their connection, timeouts included. */
  failed = 0;
  timedOut = 0;

  /** Counts a statement that is sent; the returned function takes its result. */
  readonly begin = (text: string): Answered => {
    this.sent += 1;
    const parent = currentSpan();
    if (!parent) return this.#answered;
    const [verb = ""] = text.trimStart().split(/\W/, 1);
    const attributes = { "db.system.name": "postgresql", "db.query.text": text };
    const span = parent.begin(verb.toUpperCase(), "client", attributes);
    return (error) => {
      this.#answered(error);
      span.end({ failure: error instanceof Error ? error.name : undefined });
    };
  };

  readonly #answered: Answered = (error) => {
    if (!error) return;
    this.failed += 1;
    if (isTimeOut(error)) this.timedOut += 1;
  };
}

/** The connections of one pool; `waiting` for one, or for earlier statements on the same one. */
export interface PoolLoad {
  readonly pool: string;
  readonly most: number;
  readonly inUse: number;
  readonly idle: number;
  readonly waiting: number;
}

/** The load of a pool of `pg`. */
export function loadOf(name: string, pool: pg.Pool & { readonly queueLength: number }): PoolLoad {
  const { totalCount, idleCount, queueLength, options } = pool;
  return { pool: name, most: options.max, inUse: totalCount - idleCount, idle: idleCount, waiting: queueLength };
}

/**
 * Cancels statements of a connection whose operation has timed out or was abandoned, and cuts it if that fails. Never
 * COMMIT, which PostgreSQL would report as done though no synchronous standby confirmed it, and ROLLBACK.
 */
export function observe(client: PooledClient, counts: StatementCounts): void {
  const begin = (text: string): Answered => {
    const answered = counts.begin(text);
    let hasEnded = (): void => {};
    const forget = currentLimit()?.onEnd(() => {
      const cancel = () => client.cancelRunning();
      hasEnded = cancelUntilEnded(/^(commit|rollback)\b/i.test(text) ? () => {} : cancel, () => client.cut());
    });
    if (!forget) return answered;
    return (error) => {
      forget();
      hasEnded();
      answered(error);
    };
  };
  const send = client.query.bind(client) as (...asked: unknown[]) => unknown; // one type for all overloads
  const query = (...asked: unknown[]): unknown => {
    const [given] = asked;
    const text: unknown = typeof given === "object" && given !== null ? Reflect.get(given, "text") : given;
    const answered = begin(typeof text === "string" ? text : "");
    const heard = asked.at(-1);
    if (typeof heard === "function") {
      const both = (error: unknown, ...answer: unknown[]): void => {
        answered(error);
        heard(error, ...answer);
      };
      return send(...asked.slice(0, -1), both);
    }
    const answer = send(...asked);
    if (answer instanceof Promise) answer.then(() => answered(), answered);
    return answer;
  };
  client.query = query as typeof client.query;
}
