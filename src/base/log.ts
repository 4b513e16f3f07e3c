// The log: JSON lines for machines, readable ones on a terminal. Tokens and bodies are never written.
import pino, { type Logger } from "pino";

/** Where a secret could slip in with an object. Full paths only: with a wildcard every line takes thrice as long. */
const headers = ["authorization", "cookie"];
const secrets = [
  "token",
  "password",
  "body",
  ...headers,
  ...headers.flatMap((name) => [`headers.${name}`, `req.headers.${name}`, `request.headers.${name}`]),
];

/** Left out on a terminal, or shown by {@link messageFormat}. */
const shown = "pid,hostname,requestId,transport,method,path,operation,status,statements,ms";

/** A request, or an operation on a socket, in one line that is easy to read. */
function messageFormat(line: Record<string, unknown>, messageKey: string): string {
  const { method, transport, path, operation, status, ms, statements } = line;
  if (method === undefined && transport === undefined) return String(line[messageKey]);
  return [method, transport, path, operation, status, `${String(ms)} ms`, `${String(statements)} SQL`]
    .filter(Boolean)
    .join(" ");
}

/** As pino writes errors, without the connection that libraries hang on to theirs. */
function withoutConnection(error: Error): object {
  const { client: _, ...written } = pino.stdSerializers.err(error) as { client?: unknown };
  return written;
}

/** Makes the log of the process. Lines written while the process ends are not lost. */
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
