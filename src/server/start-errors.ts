// Why the start failed, for people: a sentence instead of a stack trace where they can mend the cause.
import { DatabaseError } from "pg";
import { ConfigError } from "#src/base/config.ts";
import { DomainError } from "#src/base/errors.ts";
import { FolderInUseError } from "#src/db/embedded/folder-lock.ts";
import { MigrationError } from "#src/db/migrate.ts";

/** A command was called with wrong arguments; the message says how to call it. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

const plain = [ConfigError, DomainError, FolderInUseError, MigrationError, UsageError];

/** Never holds a password: of addresses it shows host and port only. */
export function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (plain.some((kind) => error instanceof kind)) return error.message;
  if (error instanceof DatabaseError) return `the database refused: ${error.message}`;
  const { code, syscall, address, port, hostname } = first(error);
  if (code === "EADDRINUSE")
    return `port ${port} on ${address} is already in use; stop the program that uses it, or set PORT to another one`;
  if (code === "EADDRNOTAVAIL") return `${address} is not an address of this machine; set HOST to another one`;
  if (syscall === "listen")
    return `not allowed to listen on port ${port} of ${address} (${code}); set PORT or HOST to others`;
  if (syscall === "connect") return `the database at ${address}:${port} cannot be reached (${code})`;
  if (syscall === "getaddrinfo") return `the host name ${hostname} is unknown (${code})`;
  if (code?.startsWith("ERR_PARSE_ARGS")) return error.message;
  return error.stack ?? error.message;
}

interface SystemError {
  readonly code?: string;
  readonly syscall?: string;
  readonly address?: string;
  readonly hostname?: string;
  readonly port?: number;
}

/** A host with several addresses fails with one error for each of them. */
function first(error: Error): SystemError {
  return (error instanceof AggregateError ? error.errors[0] : error) as SystemError; // each field is optional
}
