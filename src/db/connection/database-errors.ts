// Transient errors of the database and of the file storage: callers get an error response, not a bug report.
import type { Logger } from "pino";
import { DomainError, type ErrorCode } from "#src/base/errors.ts";

/** The time limit of the operation ended before the result arrived. */
export class OutOfTimeError extends Error {
  override readonly name = "OutOfTimeError";
  readonly code = "OUT_OF_TIME";
}

/** All connections are in use, and the limit of waiting statements is reached. */
export class PoolFullError extends Error {
  override readonly name = "PoolFullError";
  readonly code = "POOL_FULL";
}

interface Kind {
  readonly code: Extract<ErrorCode, "TIMEOUT" | "UNAVAILABLE" | "STORAGE_FULL" | "INVALID_INPUT">;
  readonly message: string;
  /** Codes of PostgreSQL, Prisma and the system, and messages of `pg`, whose own errors have no codes. */
  readonly signs: RegExp;
}

/** The signs of a server that is stopping, starting, recovering or unreachable, by the library that gives them. */
const away = {
  postgres: /08\w{3}|57000|57P\d\d|58030|database ".*" is not currently accepting connections/,
  /** Functions of a primary, at a server that was one; 55000 and XX000 are also the codes of bugs. */
  recovery: /cannot .* during recovery|(?:cannot .* while )?recovery is in progress/,
  /** The kinds are those of its adapter, which keeps no code for errors of sockets. */
  prisma:
    /P1001|P1008|P1011|P1017|P1018|DatabaseNotReachable|ConnectionClosed|SocketTimeout|TlsConnectionError|TransactionAlreadyClosed/,
  system:
    /ECONN(?:REFUSED|RESET|ABORTED)|EPIPE|ENOTCONN|ETIMEDOUT|E(?:HOST|NET)(?:UNREACH|DOWN)|ENETRESET|ENOTFOUND|EAI_AGAIN|ERR_STREAM_DESTROYED|ERR_STREAM_WRITE_AFTER_END|connect ENOENT .*/,
  pg: /Connection terminated.*|Received unexpected \w+ message from backend\.|Query read timeout|timeout expired|Client has encountered a connection error.*|Client was closed and is not queryable|Cannot use a pool after calling end on the pool|No connection is available\./,
} as const;

const oneOf = (...signs: readonly RegExp[]): RegExp =>
  new RegExp(`^(?:${signs.map(({ source }) => source).join("|")})$`);

/** Codes: https://www.postgresql.org/docs/current/errcodes-appendix.html and Prisma's error reference. */
const kinds: readonly Kind[] = [
  {
    code: "TIMEOUT",
    message: "The statement took too long: request smaller pages or fewer filters.",
    signs: /^(57014|OUT_OF_TIME)$/,
  },
  {
    code: "TIMEOUT",
    message: "The change took too long, and nothing was written: change less at once.",
    signs: /^(P2028|25P0[34])$/,
  },
  // A deadlock ends one of the changes, which wrote nothing.
  { code: "TIMEOUT", message: "The object is locked by other changes: try again.", signs: /^(55P03|40P01)$/ },
  {
    code: "UNAVAILABLE",
    message: "The file storage is temporarily unreachable: try again soon.",
    signs: /^FILES_AWAY$/,
  },
  { code: "UNAVAILABLE", message: "The database is temporarily read-only: try again soon.", signs: /^25006$/ },
  {
    code: "UNAVAILABLE",
    message: "The disk of the database is full: nothing can be changed until space is freed.",
    signs: /^53100$/,
  },
  {
    code: "UNAVAILABLE",
    message: "The gateway is overloaded: try again soon.",
    signs: /^(POOL_FULL|53\w{3}|TooManyConnections|timeout exceeded when trying to connect.*)$/,
  },
  {
    code: "UNAVAILABLE",
    message: "The database ended the transaction in favour of others, or of its recovery: try again.",
    signs: /^(40\w{3}|P2034|TransactionWriteConflict)$/,
  },
  {
    code: "UNAVAILABLE",
    message: "The database is temporarily unreachable: try again soon.",
    signs: oneOf(away.postgres, away.recovery, away.prisma, away.system, away.pg),
  },
  { code: "INVALID_INPUT", message: "Text must not contain NUL characters.", signs: /^(22021|22P05)$/ },
  {
    code: "STORAGE_FULL",
    message: "The disk of the file storage is full: the file cannot be stored.",
    signs: /^(ENOSPC|EDQUOT)$/,
  },
];

/** The properties in which libraries keep the cause of an error. */
const inside = ["cause", "meta", "driverAdapterError"];
const texts = ["code", "originalCode", "kind", "message", "originalMessage"];

/** The codes and messages of an error and of its causes. */
function signsOf(error: unknown, depth = 0): string[] {
  if (typeof error !== "object" || error === null || depth > 5) return [];
  if (error instanceof AggregateError) return error.errors.flatMap((one) => signsOf(one, depth + 1)); // of each address
  if (error instanceof SuppressedError) return signsOf(error.suppressed, depth + 1); // closing failed after it
  const own = texts.map((name): unknown => Reflect.get(error, name));
  const met = inside.flatMap((name) => signsOf(Reflect.get(error, name), depth + 1));
  return [...own.filter((sign) => typeof sign === "string"), ...met];
}

function kindOf(error: unknown): Kind | undefined {
  const signs = signsOf(error);
  return kinds.find((kind) => signs.some((sign) => kind.signs.test(sign)));
}

/** Whether the server has no connections left, for docgraph or at all (too_many_connections). */
export const isCrowded = (error: unknown): boolean => signsOf(error).includes("53300");

/** Whether a statement of docgraph or of Prisma took too long, or waited too long. */
export const isTimeOut = (error: unknown): boolean => kindOf(error)?.code === "TIMEOUT";

/** Whether the database cannot serve now: it is unreachable, full or read-only. */
export const isOutage = (error: unknown): boolean => kindOf(error)?.code === "UNAVAILABLE";

/** Whether a connection in use has ended, by the error that `pg` or its socket gives, without causes. */
export const isConnectionLost = (error: Error & { code?: unknown }): boolean =>
  error.code === "ECONNRESET" || oneOf(away.pg).test(error.message);

/** The error itself, or one for an outage (logged) or a text that cannot be stored; null for a bug. */
export function answerOf(error: unknown, log?: Pick<Logger, "warn">): DomainError | null {
  if (error instanceof DomainError) return error;
  if (error instanceof SuppressedError && error.suppressed instanceof DomainError) return error.suppressed;
  const kind = kindOf(error);
  if (!kind) return null;
  if (log && kind.code !== "INVALID_INPUT") logOnce(log, kind, error);
  return new DomainError(kind.code, kind.message);
}

/** When each kind of outage was last logged, and how often it has occurred since, per log. */
const lastLogged = new WeakMap<object, Map<Kind, { readonly at: number; others: number }>>();

/** Logs an outage once a second: it usually affects every request. */
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
