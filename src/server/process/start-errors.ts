// Explains why the start failed: a sentence instead of a stack trace if people can fix the cause.
import { DatabaseError } from "pg";
import { ArchiveError } from "#src/backup/archive.ts";
import { ConfigError } from "#src/config/config.ts";
import { DocumentsError, DomainError } from "#src/base/errors.ts";
import { EmbeddedError } from "#src/db/embedded/place.ts";
import { isConnectionLost } from "#src/db/connection/database-errors.ts";
import { FolderInUseError } from "#src/db/embedded/folder-lock.ts";
import { MigrationError } from "#src/db/maintenance/migrate.ts";
import { isDiskFull, isReadError } from "#src/files/file-store.ts";
import { isWrongUse } from "#src/base/usage-error.ts";
import { NoPrimaryError } from "#src/db/connection/failover.ts";
import { SecretsKeyError } from "#src/config/secrets-key.ts";
import { SessionError } from "#src/db/connection/sessions.ts";
import { WorkerError } from "#src/server/process/worker.ts";

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
  WorkerError,
];

const runsAgain = "; check that PostgreSQL runs, and run the command again";

/** Remedies for errors of PostgreSQL, by their codes. */
const remedies: Readonly<Record<string, string>> = {
  "28000": "; check the user and the password in DATABASE_URL",
  "28P01": "; check the user and the password in DATABASE_URL",
  "57P01": runsAgain,
  "57P02": runsAgain,
  "57P03": runsAgain,
  "53100": "; free some space on the disk of the database",
  "3D000": "; create it with 'createdb', or set DATABASE_URL to another one",
  "42501":
    "; allow the user of DATABASE_URL to create tables, for example by 'GRANT CREATE ON SCHEMA public TO …', or make them its owner",
};

const unwritable = new Set(["ENOENT", "EACCES", "EPERM", "EROFS", "ENOTDIR", "EEXIST"]);

/** Never contains a password: of addresses it only shows host and port. */
export function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (isWrongUse(error) || plain.some((kind) => error instanceof kind)) return error.message;
  if (error instanceof DatabaseError)
    return `the database returned an error: ${error.message}${remedies[error.code ?? ""] ?? ""}`;
  const { code, syscall, path, address, port, hostname } = first(error);
  if (code === "EADDRINUSE")
    return `port ${port} on ${address} is already in use; stop the program that uses it, or set PORT to another one`;
  if (code === "EADDRNOTAVAIL") return `${address} is not an address of this machine; set HOST to another one`;
  if (syscall === "listen")
    return `not allowed to listen on port ${port} of ${address} (${code}); set PORT or HOST to other values`;
  if (syscall === "connect") {
    const place = port === undefined ? address : `${address}:${port}`; // a socket of the file system has no port
    const hint = code === "EACCES" ? "; run it as the user that runs docgraph" : "";
    return `the database at ${place} is unreachable (${code})${hint}`;
  }
  if (syscall === "getaddrinfo") return `the host name ${hostname} is unknown (${code})`;
  if (path !== undefined && code === "ENOENT" && syscall !== "mkdir")
    return `the file or folder ${path} does not exist`;
  if (path !== undefined && code !== undefined && unwritable.has(code))
    return `${path} cannot be used (${code}); allow the user that runs docgraph to write there, or set FILES_DIR or DATA_DIR to another folder`;
  if (code === "FILES_AWAY") return error.message;
  return explainDisk(error, path) ?? explainLoss(error) ?? error.stack ?? error.message;
}

/** Errors of a disk that can occur at any read or write; those of open files have no path. */
function explainDisk(error: Error, path: string | undefined): string | undefined {
  const what = path ?? "a file";
  if (isDiskFull(error))
    return `${what} cannot be written: the disk is full (${error.code}); free some space, or set FILES_DIR or DATA_DIR to another folder`;
  if (isReadError(error))
    return `${what} cannot be read or written: the disk has failed (EIO); look for its errors in the log of the system ('dmesg'), and use another disk`;
  if ("code" in error && error.code === "EISDIR")
    return path === undefined
      ? "a folder was given instead of a file; give the path of the file"
      : `${path} is a folder; give the path of a file`;
  return undefined;
}

/** A connection to the database that ended while it was in use. */
function explainLoss(error: Error): string | undefined {
  if (!isConnectionLost(error)) return undefined;
  return `the connection to the database was lost (${error.message})${runsAgain}`;
}

interface SystemError {
  readonly code?: string;
  readonly syscall?: string;
  readonly path?: string;
  readonly address?: string;
  readonly hostname?: string;
  readonly port?: number;
}

/** A host with several addresses fails with one error per address. */
function first(error: Error): SystemError {
  return (error instanceof AggregateError ? error.errors[0] : error) as SystemError; // each field is optional
}
