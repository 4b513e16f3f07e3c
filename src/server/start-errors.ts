// What stopped the start, said to people: a sentence instead of a stack where the cause is theirs to mend.
import { DatabaseError } from "pg";
import { ConfigError } from "#src/base/config.ts";
import { DomainError } from "#src/base/errors.ts";
import { FolderInUseError } from "#src/db/embedded/folder-lock.ts";
import { MigrationError } from "#src/db/migrate.ts";

/** A command was called in a way that it cannot follow; the message says how to. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

const plain = [ConfigError, DomainError, FolderInUseError, MigrationError, UsageError];

/** Never holds a password: addresses are told by host and port only. */
export function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (plain.some((kind) => error instanceof kind)) return error.message;
  if (error instanceof DatabaseError) return `the database refused: ${error.message}`;
  const { code, syscall, address, port, hostname } = first(error);
  if (code === "EADDRINUSE")
    return `port ${port} on ${address} is already in use; stop what listens there or set PORT to another one`;
  if (code === "EADDRNOTAVAIL") return `${address} is no address of this machine; set HOST to another one`;
  if (syscall === "listen") return `may not listen on port ${port} of ${address} (${code}); set PORT or HOST`;
  if (syscall === "connect") return `the database at ${address}:${port} cannot be reached (${code})`;
  if (syscall === "getaddrinfo") return `the host ${hostname} is not known (${code})`;
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
