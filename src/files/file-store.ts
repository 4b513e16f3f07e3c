// The storage of files: bytes under their SHA-256, each kept once. This is what a store must be able to do, wherever
// it keeps them.
import type { Readable } from "node:stream";

/** A part of a blob, in bytes; `end` is the last byte of it. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** How many of the first bytes of a blob are kept at hand when it is received: enough to find out what it is. */
export const headSize = 256 * 1024;

/**
 * Bytes that were received and can be kept. Until then they cannot be found; they are gone when they are dropped, or
 * when the process ends.
 */
export interface ReceivedBlob {
  /** SHA-256 in hex: the name of a blob. */
  readonly hash: string;
  /** Bytes. */
  readonly size: number;
  /** The first {@link headSize} bytes. */
  readonly head: Buffer;
  /** All bytes, in memory, while they are neither kept nor dropped: for files that are small enough for that. */
  read(): Promise<Buffer>;
  /**
   * Keeps the bytes for good, past a crash of the machine. When the store has the same bytes already, their age
   * counts from now. May be called again.
   */
  keep(): Promise<void>;
  /** Throws away what was not kept. May be called at any time, and again. */
  drop(): Promise<void>;
}

export interface StoredBlob {
  readonly hash: string;
  /** Bytes. */
  readonly size: number;
  /** When it was kept last. */
  readonly keptAt: Date;
}

/**
 * A store of blobs. Several processes may use one at a time. It does not know who refers to a blob: the caller of
 * `delete` makes sure that nobody does.
 *
 * A name that is not a hash is not an error: nothing is found under it.
 */
export interface FileStore {
  /**
   * Reads the bytes to the end. Throws TOO_LARGE beyond `limit` bytes, and what reading them throws; then nothing is
   * left of them.
   */
  receive(bytes: Iterable<Uint8Array> | AsyncIterable<Uint8Array>, limit: number): Promise<ReceivedBlob>;
  /** A blob, or null. */
  find(hash: string): Promise<StoredBlob | null>;
  /** The bytes of a blob, or of a part of it; null when there is none. */
  open(hash: string, range?: ByteRange): Promise<Readable | null>;
  /** Removes a blob. One that is not there is no error; readers that have opened it can read on. */
  delete(hash: string): Promise<void>;
  /** All blobs, in the order of their hashes. What is kept or deleted meanwhile may be among them or not. */
  list(): AsyncIterable<StoredBlob>;
  /**
   * Makes the store ready, and removes what processes that have ended received and did not keep. Throws when nothing
   * can be kept here.
   */
  tidy(): Promise<void>;
}
