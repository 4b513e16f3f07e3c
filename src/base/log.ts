// The log: JSON lines for machines, readable ones on a terminal. Tokens and bodies are never written.
import pino, { type Logger } from "pino";

/** Properties that may contain secrets. Full paths only: wildcards make each line three times as slow. */
const headers = ["authorization", "cookie"];
const secrets = [
  "token",
  "password",
  "body",
  ...headers,
  ...headers.flatMap((name) => [`headers.${name}`, `req.headers.${name}`, `request.headers.${name}`]),
];

/** Properties that are omitted on a terminal or part of {@link messageFormat}. */
const shown = "pid,hostname,requestId,transport,method,path,operation,status,statements,ms";

/** A request or socket operation on one readable line. */
function messageFormat(line: Record<string, unknown>, messageKey: string): string {
  const { method, transport, path, operation, status, ms, statements } = line;
  if (method === undefined && transport === undefined) return String(line[messageKey]);
  return [method, transport, path, operation, status, `${String(ms)} ms`, `${String(statements)} SQL`]
    .filter(Boolean)
    .join(" ");
}

/** An error as pino writes it, without the connection that libraries attach. */
function withoutConnection(error: Error): object {
  const { client: _, ...written } = pino.stdSerializers.err(error) as { client?: unknown };
  return written;
}

/** Creates the log of the process. Lines written while the process ends are kept. */
export async function createLog(options: { level: string; isTerminal: boolean }): Promise<Logger> {
  const stream = options.isTerminal
    ? (await import("pino-pretty")).default({
        colorize: true,
        sync: true,
        singleLine: true,
        translateTime: "HH:MM:ss.l",
        ignore: shown,
        messageFormat,
      })
    : pino.destination({ dest: 1, sync: false });
  return pino(
    {
      level: options.level,
      redact: { paths: secrets, censor: "[hidden]" },
      serializers: { err: withoutConnection },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    stream,
  );
}
