// Errors of the database and of the store of files that pass: callers get an answer, not a bug.
import type { Logger } from "pino";
import { DomainError, type ErrorCode } from "#src/base/errors.ts";

/** An answer did not come in the time that the operation had left. */
export class OutOfTimeError extends Error {
  override readonly name = "OutOfTimeError";
  readonly code = "OUT_OF_TIME";
}

/** All connections are in use, and as many statements wait for one as may. */
export class PoolFullError extends Error {
  override readonly name = "PoolFullError";
  readonly code = "POOL_FULL";
}

interface Kind {
  readonly code: Extract<ErrorCode, "TIMEOUT" | "UNAVAILABLE" | "STORAGE_FULL" | "INVALID_INPUT">;
  readonly message: string;
  /** Codes of PostgreSQL, Prisma and the system, and messages of `pg`, which has no codes for what it finds itself. */
  readonly signs: RegExp;
}

/** Codes: https://www.postgresql.org/docs/current/errcodes-appendix.html and Prisma's error reference. */
const kinds: readonly Kind[] = [
  {
    code: "TIMEOUT",
    message: "This takes too long: ask for smaller pages, or with fewer filters.",
    signs: /^(57014|OUT_OF_TIME|P2028|25P0[34])$/,
  },
  { code: "TIMEOUT", message: "Others have been changing the same for too long: try again.", signs: /^55P03$/ },
  {
    code: "UNAVAILABLE",
    message: "The store of files cannot be reached at the moment: try again soon.",
    signs: /^FILES_AWAY$/,
  },
  { code: "UNAVAILABLE", message: "The database is read-only at the moment: try again soon.", signs: /^25006$/ },
  {
    code: "UNAVAILABLE",
    message: "The disk of the database is full: nothing can be changed until there is room.",
    signs: /^53100$/,
  },
  {
    code: "UNAVAILABLE",
    message: "Too much is asked at the moment: try again soon.",
    signs: /^(POOL_FULL|53\w{3}|TooManyConnections|timeout exceeded when trying to connect)$/,
  },
  {
    code: "UNAVAILABLE",
    message: "The database cannot be reached at the moment: try again soon.",
    signs:
      /^(08\w{3}|57P\d\d|58030|P1001|P1017|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|connect ENOENT .*|Connection terminated.*|Query read timeout|Client has encountered a connection error.*|There is no connection\.)$/,
  },
  { code: "INVALID_INPUT", message: "Text must not contain NUL characters.", signs: /^(22021|22P05)$/ },
  {
    code: "STORAGE_FULL",
    message: "The disk of files is full: there is no room for this one.",
    signs: /^(ENOSPC|EDQUOT)$/,
  },
];

/** Where libraries keep an error that they have met. */
const inside = ["cause", "meta", "driverAdapterError"];

/** The codes and messages of an error, and of those inside it. */
function signsOf(error: unknown, depth = 0): string[] {
  if (typeof error !== "object" || error === null || depth > 5) return [];
  if (error instanceof AggregateError) return signsOf(error.errors[0], depth + 1); // one for each address of a host
  const own = ["code", "originalCode", "kind", "message"].map((name): unknown => Reflect.get(error, name));
  const met = inside.flatMap((name) => signsOf(Reflect.get(error, name), depth + 1));
  return [...own.filter((sign) => typeof sign === "string"), ...met];
}

function kindOf(error: unknown): Kind | undefined {
  const signs = signsOf(error);
  return kinds.find((kind) => signs.some((sign) => kind.signs.test(sign)));
}

/** Whether a statement took too long, or waited too long, be it one of ours or of Prisma's. */
export const isTimeOut = (error: unknown): boolean => kindOf(error)?.code === "TIMEOUT";

/** Whether the database cannot serve at the moment: it cannot be reached, is full or lets nobody write. */
export const isOutage = (error: unknown): boolean => kindOf(error)?.code === "UNAVAILABLE";

/** The error itself, or one for an outage (logged) or a text that cannot be stored; null for a bug. */
export function answerOf(error: unknown, log?: Pick<Logger, "warn">): DomainError | null {
  if (error instanceof DomainError) return error;
  const kind = kindOf(error);
  if (!kind) return null;
  if (log && kind.code !== "INVALID_INPUT") logOnce(log, kind, error);
  return new DomainError(kind.code, kind.message);
}

/** When something of a kind was logged last, and how often it has come since, for each log. */
const lastLogged = new WeakMap<object, Map<Kind, { readonly at: number; others: number }>>();

/** Logs a trouble once a second: when it meets one request it meets all. */
function logOnce(log: Pick<Logger, "warn">, kind: Kind, error: unknown): void {
  const lines = lastLogged.get(log) ?? new Map<Kind, { at: number; others: number }>();
  lastLogged.set(log, lines);
  const last = lines.get(kind);
  const at = performance.now();
  if (last && at - last.at < 1000) {
    last.others++;
    return;
  }
  lines.set(kind, { at, others: 0 });
  log.warn({ err: error, code: kind.code, ...(last?.others && { othersBefore: last.others }) }, kind.message);
}
