// The line of the log that each request leaves, and each operation on a WebSocket: who asked, what became of it, and
// what it cost. Never a query string, a token, the key of a file, a body or a variable.
import { hash } from "node:crypto";
import type { Logger } from "pino";
import { errorCodes } from "#src/base/errors.ts";
import type { StatementCounter } from "#src/db/connection/database.ts";

/** What is known of something that was asked for, when it is done. */
interface Done {
  /** How it was asked for. */
  readonly asked: Readonly<Record<string, unknown>>;
  /** The code of its refusal, or of its success. */
  readonly code: string;
  readonly isRefused: boolean;
  readonly operationName: string | undefined;
  readonly asker: { readonly tokenId: string; readonly userId: string } | undefined;
  readonly document: string | undefined;
  readonly meter: Pick<StatementCounter, "statements" | "rows">;
  /** When it began, by `performance.now`. */
  readonly started: number;
}

/** What takes longer, in milliseconds, is told as slow, with the SHA-256 of its document and the rows that it read. */
const slowMs = 1000;

/** Writes the line. What is refused is a warning; what is wrong here, an error. */
export function tellDone(log: Logger, { asked, code, isRefused, document, meter, started, ...done }: Done): void {
  const ms = Math.round((performance.now() - started) * 10) / 10;
  const line = {
    ...asked,
    operation: done.operationName,
    ...(isRefused && { code }),
    ...done.asker,
    statements: meter.statements,
    ms,
    ...(ms > slowMs && {
      isSlow: true,
      rows: meter.rows,
      ...(document !== undefined && { document: hash("sha256", document) }),
    }),
  };
  log[levelOf(code, isRefused)](line, "status" in asked ? "request" : "operation");
}

function levelOf(code: string, isRefused: boolean): "error" | "warn" | "info" {
  if (code === "UNAVAILABLE") return "info"; // for all of them there is one warning of the cause
  if (code === "INTEGRATION_FAILED") return "warn"; // the fault of a script, which anybody may run
  const status = Object.hasOwn(errorCodes, code) ? errorCodes[code as keyof typeof errorCodes].status : Number(code);
  if (status >= 500 && status !== 503) return "error";
  return isRefused ? "warn" : "info";
}
