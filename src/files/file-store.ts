// File storage: bytes under their SHA-256, in a folder (`folder-store.ts`) or bucket (`s3-store.ts`).
import type { Readable } from "node:stream";

/** A part of a blob, in bytes; `end` is the last byte of it. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** How many of the first bytes of a received blob are kept in memory: enough to detect its type. */
export const headSize = 256 * 1024;

/** Received bytes that can be kept: until then they are not visible, and are deleted with the process or by `drop`. */
export interface ReceivedBlob {
  /** SHA-256 in hex: the name of a blob. */
  readonly hash: string;
  readonly size: number;
  /** The first {@link headSize} bytes. */
  readonly head: Buffer;
  /** All bytes, in memory, until they are kept or dropped: for files that are small enough. */
  read(): Promise<Buffer>;
  /** The same, in pieces: other work of the process continues meanwhile. */
  stream(): AsyncIterable<Uint8Array>;
  /** Keeps the bytes durably; if the store has them, their age restarts. May be repeated. */
  keep(): Promise<void>;
  /** Deletes bytes that were not kept. May be called at any time, and again. */
  drop(): Promise<void>;
}

export interface StoredBlob {
  readonly hash: string;
  readonly size: number;
  readonly keptAt: Date;
}

export type Bytes = Iterable<Uint8Array> | AsyncIterable<Uint8Array>;

/** Response headers of a signed address of a blob. */
export interface BlobHeaders {
  readonly "content-type"?: string;
  readonly "content-disposition"?: string;
}

/**
 * A store of blobs that several processes and machines may share. Callers of `delete` make sure that nothing refers to
 * a blob. Without a connection every method throws what `answerOf` (`database-errors.ts`) maps to UNAVAILABLE.
 */
export interface FileStore {
  /** Reads the bytes to the end. Throws TOO_LARGE beyond `limit`, and errors of the source; then nothing is stored. */
  receive(bytes: Bytes, limit: number): Promise<ReceivedBlob>;
  find(hash: string): Promise<StoredBlob | null>;
  /** The bytes of a blob, or of a part of it; null if missing. */
  open(hash: string, range?: ByteRange): Promise<Readable | null>;
  /** Deletes a blob. A missing one is not an error; readers that have opened it can read on. */
  delete(hash: string): Promise<void>;
  /** All blobs, in the order of their hashes. Blobs kept or deleted meanwhile may be missing or not. */
  list(): AsyncGenerator<StoredBlob>;
  /** Prepares the store, and deletes the incoming files of ended processes. Throws if nothing can be stored. */
  tidy(): Promise<void>;
  /** A temporary address of the bytes with these headers; absent in stores without one. */
  readonly addressOf?: ((hash: string, headers: BlobHeaders) => Promise<string>) | undefined;
}

/** Whether a store is unreachable for a while, and its settings are right. */
export const isStoreAway = (error: unknown): error is Error =>
  error instanceof Error && "isTemporary" in error && error.isTemporary === true;

/** Whether bytes of a blob cannot be read from the disk, such as a bad sector: others can. */
export const isReadError = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "EIO";

/** Whether the disk or the quota is full, or the file exceeds the limit of a file's size. */
export const isDiskFull = (error: unknown): error is Error & { code: string } =>
  error instanceof Error && "code" in error && ["ENOSPC", "EDQUOT", "EFBIG"].includes(String(error.code));

/** Whether a text can be the name of a blob. */
export const isHash = (text: string): boolean => /^[0-9a-f]{64}$/.test(text);
