// The access log: one line for each request, and each operation on a WebSocket, with the caller, the result and the
// cost. Never a query string, a token, the key of a file, a body or a variable.
import { hash } from "node:crypto";
import type { Logger } from "pino";
import { errorCodes } from "#src/base/errors.ts";
import type { StatementCounter } from "#src/db/connection/database.ts";
import type { Exchange } from "#src/http/exchange.ts";
import type { HttpRoute } from "#src/http/route.ts";
import { unreadAnswers } from "#src/runtime/unread-answers.ts";

interface Answered {
  readonly asked: Readonly<Record<string, unknown>>;
  readonly code: string;
  readonly isRefused: boolean;
  readonly operationName: string | undefined;
  readonly asker: { readonly tokenId: string; readonly userId: string } | undefined;
  readonly document: string | undefined;
  readonly meter: Pick<StatementCounter, "statements" | "rows">;
  /** Its start, by `performance.now`. */
  readonly startedAt: number;
}

/** From this many milliseconds on, the line of a request has the SHA-256 of its document and the rows that it read. */
const slowMs = 1000;

/** Records the end of a request, once the connection has sent the response or is closed, and logs it. */
export function endExchange(exchange: Exchange, { loggedPath }: HttpRoute, log: Logger): void {
  const { request, response, path, requestId, watched, refusal } = exchange;
  const { statusCode: status, writableFinished: isComplete } = response;
  if (!isComplete) for (const limit of exchange.limits) limit.abandon();
  // Script errors are caused by their authors: they do not count as failures of the gateway.
  const code5xx = refusal === "INTEGRATION_FAILED" ? refusal : String(status);
  if (unreadAnswers.hasCut(response)) watched.code = "NOT_READ";
  watched.code ??= isComplete ? code5xx : "ABORTED";
  watched.done();
  const { operationName, asker, document, meter } = exchange;
  writeLine(log, {
    asked: { requestId, method: request.method, path: loggedPath ? loggedPath(path) : path, status },
    code: refusal ?? watched.code,
    isRefused: status >= 400 || !/^(OK|\d+)$/.test(watched.code),
    operationName,
    asker,
    document,
    meter,
    startedAt: watched.startedAt,
  });
}

/** Writes the line: rejected requests are warnings, and failures of the gateway errors. */
export function writeLine(log: Logger, { asked, code, isRefused, document, meter, ...answered }: Answered): void {
  const level = levelOf(code, isRefused);
  if (!log.isLevelEnabled(level)) return;
  const ms = Math.round((performance.now() - answered.startedAt) * 10) / 10;
  const line = {
    ...asked,
    operation: answered.operationName,
    ...(isRefused && { code }),
    ...answered.asker,
    statements: meter.statements,
    ms,
    ...(ms > slowMs && {
      isSlow: true,
      rows: meter.rows,
      ...(document !== undefined && { document: hash("sha256", document) }),
    }),
  };
  log[level](line, "status" in asked ? "request" : "operation");
}

function levelOf(code: string, isRefused: boolean): "error" | "warn" | "info" {
  if (code === "UNAVAILABLE") return "info"; // one separate warning logs the cause
  if (code === "INTEGRATION_FAILED") return "warn"; // an error of a script, which anybody may run
  const status = Object.hasOwn(errorCodes, code) ? errorCodes[code as keyof typeof errorCodes].status : Number(code);
  if (status >= 500 && status !== 503) return "error";
  return isRefused ? "warn" : "info";
}
