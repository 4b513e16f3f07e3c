// Why the start failed, for people: a sentence instead of a stack trace where they can mend the cause.
import { DatabaseError } from "pg";
import { ArchiveError } from "#src/backup/archive.ts";
import { ConfigError } from "#src/config/config.ts";
import { DocumentsError, DomainError } from "#src/base/errors.ts";
import { EmbeddedError } from "#src/db/embedded/place.ts";
import { FolderInUseError } from "#src/db/embedded/folder-lock.ts";
import { MigrationError } from "#src/db/maintenance/migrate.ts";
import { isWrongUse } from "#src/base/usage-error.ts";
import { NoPrimaryError } from "#src/db/connection/failover.ts";
import { SecretsKeyError } from "#src/config/secrets-key.ts";
import { SessionError } from "#src/db/connection/sessions.ts";

const plain = [
  ArchiveError,
  ConfigError,
  DocumentsError,
  DomainError,
  EmbeddedError,
  FolderInUseError,
  MigrationError,
  NoPrimaryError,
  SecretsKeyError,
  SessionError,
];

/** What to do about what PostgreSQL refuses, by its codes. */
const remedies: Readonly<Record<string, string>> = {
  "28000": "; check the user and the password in DATABASE_URL",
  "28P01": "; check the user and the password in DATABASE_URL",
  "3D000": "; make it with 'createdb', or name another one in DATABASE_URL",
  "42501":
    "; let the user of DATABASE_URL make tables there, as 'GRANT CREATE ON SCHEMA public TO …' does, or make them its owner",
};

const unwritable = new Set(["ENOENT", "EACCES", "EPERM", "EROFS", "ENOTDIR", "EEXIST"]);

/** Never holds a password: of addresses it shows host and port only. */
export function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (isWrongUse(error) || plain.some((kind) => error instanceof kind)) return error.message;
  if (error instanceof DatabaseError)
    return `the database refused: ${error.message}${remedies[error.code ?? ""] ?? ""}`;
  const { code, syscall, path, address, port, hostname } = first(error);
  if (code === "EADDRINUSE")
    return `port ${port} on ${address} is already in use; stop the program that uses it, or set PORT to another one`;
  if (code === "EADDRNOTAVAIL") return `${address} is not an address of this machine; set HOST to another one`;
  if (syscall === "listen")
    return `not allowed to listen on port ${port} of ${address} (${code}); set PORT or HOST to others`;
  if (syscall === "connect") {
    const place = port === undefined ? address : `${address}:${port}`; // a socket of the file system has no port
    const hint = code === "EACCES" ? "; run it as the user that runs docgraph" : "";
    return `the database at ${place} cannot be reached (${code})${hint}`;
  }
  if (syscall === "getaddrinfo") return `the host name ${hostname} is unknown (${code})`;
  if (path !== undefined && code === "ENOENT" && syscall !== "mkdir") return `there is no file or folder ${path}`;
  if (path !== undefined && code !== undefined && unwritable.has(code))
    return `${path} cannot be used (${code}); let the user that runs docgraph write there, or set FILES_DIR or DATA_DIR to another folder`;
  if (code === "FILES_AWAY") return error.message;
  return error.stack ?? error.message;
}

interface SystemError {
  readonly code?: string;
  readonly syscall?: string;
  readonly path?: string;
  readonly address?: string;
  readonly hostname?: string;
  readonly port?: number;
}

/** A host with several addresses fails with one error for each of them. */
function first(error: Error): SystemError {
  return (error instanceof AggregateError ? error.errors[0] : error) as SystemError; // each field is optional
}
