// The storage of files: bytes under their SHA-256, each kept once. This is what a store must be able to do; where it keeps them is its own affair.
import type { Readable } from "node:stream";

/** A part of a blob, in bytes; `end` is the last one that is taken. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** How many of the first bytes of a blob are kept at hand when it is received: enough to tell what it is. */
export const headSize = 256 * 1024;

/** Bytes that were received and can be kept. Until then nobody finds them; they are gone when they are dropped, or with the process. */
export interface ReceivedBlob {
  /** SHA-256 in hex: the name of a blob. */
  readonly hash: string;
  /** Bytes. */
  readonly size: number;
  /** The first {@link headSize} bytes. */
  readonly head: Buffer;
  /** All bytes, in memory, while they are neither kept nor dropped: for what is not too large for that. */
  read(): Promise<Buffer>;
  /**
   * Keeps the bytes for good, past a crash of the machine. What is there already is as new afterwards: its age counts from now.
   * May be called again.
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
 * A store of blobs. Several processes may use one at a time. It knows nothing of who refers to a blob: whoever deletes one sees to that.
 *
 * Names that are no hash name nothing: they are looked up without an error, and found nowhere.
 */
export interface FileStore {
  /** Reads the bytes to the end. Throws TOO_LARGE beyond `limit` bytes, and what reading them throws; then nothing is left of them. */
  receive(bytes: Iterable<Uint8Array> | AsyncIterable<Uint8Array>, limit: number): Promise<ReceivedBlob>;
  /** A blob, or null. */
  find(hash: string): Promise<StoredBlob | null>;
  /** The bytes of a blob, or of a part of it; null when there is none. */
  open(hash: string, range?: ByteRange): Promise<Readable | null>;
  /** Removes a blob. One that is not there is no error; whoever is reading it reads on. */
  delete(hash: string): Promise<void>;
  /** All blobs, in the order of their hashes. What is kept and deleted meanwhile may be there or not. */
  list(): AsyncIterable<StoredBlob>;
  /** Makes the store ready, and removes what ended processes had received and not kept. Throws when nothing can be kept here. */
  tidy(): Promise<void>;
}
