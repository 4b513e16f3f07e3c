// File storage: bytes under their SHA-256, in a folder (`folder-store.ts`) or bucket (`s3-store.ts`).
import type { Readable } from "node:stream";

/** A part of a blob, in bytes; `end` is the last byte of it. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** How many of the first bytes of a blob are kept at hand when it is received: enough to find out what it is. */
export const headSize = 256 * 1024;

/** Bytes that were received and can be kept: until then nobody finds them, and they end with the process, or `drop`. */
export interface ReceivedBlob {
  /** SHA-256 in hex: the name of a blob. */
  readonly hash: string;
  readonly size: number;
  /** The first {@link headSize} bytes. */
  readonly head: Buffer;
  /** All bytes, in memory, while they are neither kept nor dropped: for files that are small enough for that. */
  read(): Promise<Buffer>;
  /** The same, piece by piece: other work of the process goes on meanwhile. */
  stream(): AsyncIterable<Uint8Array>;
  /** Keeps the bytes durably; if the store has them, their age starts again. May be repeated. */
  keep(): Promise<void>;
  /** Throws away what was not kept. May be called at any time, and again. */
  drop(): Promise<void>;
}

export interface StoredBlob {
  readonly hash: string;
  readonly size: number;
  readonly keptAt: Date;
}

export type Bytes = Iterable<Uint8Array> | AsyncIterable<Uint8Array>;

/** What those who have the address of a blob in the store itself are told about it. */
export interface BlobHeaders {
  readonly "content-type"?: string;
  readonly "content-disposition"?: string;
}

/**
 * A store of blobs that several processes and machines may share. Callers of `delete` make sure that nothing refers to
 * a blob. Without a connection everything throws what `answerOf` (`database-errors.ts`) takes for UNAVAILABLE.
 */
export interface FileStore {
  /** Reads the bytes to the end. Throws TOO_LARGE beyond `limit`, and what reading throws; then nothing is left. */
  receive(bytes: Bytes, limit: number): Promise<ReceivedBlob>;
  find(hash: string): Promise<StoredBlob | null>;
  /** The bytes of a blob, or of a part of it; null if missing. */
  open(hash: string, range?: ByteRange): Promise<Readable | null>;
  /** Removes a blob. One that is not there is no error; readers that have opened it can read on. */
  delete(hash: string): Promise<void>;
  /** All blobs, in the order of their hashes. What is kept or deleted meanwhile may be among them or not. */
  list(): AsyncGenerator<StoredBlob>;
  /** Makes the store ready, and removes what ended processes did not keep. Throws when nothing can be kept here. */
  tidy(): Promise<void>;
  /** A temporary address of the bytes with these headers; absent from stores without one. */
  readonly addressOf?: ((hash: string, headers: BlobHeaders) => Promise<string>) | undefined;
}

/** Whether a text can be the name of a blob. */
export const isHash = (text: string): boolean => /^[0-9a-f]{64}$/.test(text);
