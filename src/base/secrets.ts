// Secrets at rest that must be read again, such as signing keys; those that are only compared are stored as hashes.
import { createCipheriv, createDecipheriv, createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { DomainError } from "#src/base/errors.ts";

/** A column of sealed secrets. Features list theirs in the registry, so that key rotation finds them. */
export interface SealedColumn {
  /** A table whose rows have an `id`. */
  readonly table: string;
  readonly column: string;
  /** Older rows are not sealed: they open as they are, and key rotation seals them. */
  readonly wasPlain?: true;
}

const [algorithm, version] = ["aes-256-gcm", 1] as const;
export const secretsKeyLength = 32;
/** The parts before the ciphertext, in bytes; IV and tag are those of GCM. */
const lengths = { version: 1, keyId: 8, iv: 12, tag: 16 } as const;
const headLength = lengths.version + lengths.keyId;
const textStart = headLength + lengths.iv + lengths.tag;

/** Seals with the first key and opens with all, so a new key goes before the old one. */
export class Secrets {
  readonly #keys: readonly { readonly id: Buffer; readonly bytes: Buffer }[];

  /** Keys have {@link secretsKeyLength} bytes; without any, nothing is sealed or opened. */
  constructor(keys: readonly Buffer[]) {
    this.#keys = keys.map((bytes) => ({ bytes, id: idOfKey(bytes) }));
  }

  /** Seals a secret for one row of a column; it opens nowhere else. Throws CONFLICT without a key. */
  seal(of: SealedColumn, id: string, secret: string): Uint8Array<ArrayBuffer> {
    const [key] = this.#keys;
    if (!key) throw noKey();
    const iv = randomBytes(lengths.iv);
    const head = Buffer.concat([Buffer.of(version), key.id]);
    const cipher = createCipheriv(algorithm, key.bytes, iv).setAAD(placeOf(of, id, head));
    const text = Buffer.concat([cipher.update(secret, "utf8"), cipher.final()]);
    return new Uint8Array(Buffer.concat([head, iv, cipher.getAuthTag(), text]));
  }

  /** The secret of a row. Throws CONFLICT if its key is missing, or it was sealed for another row or altered. */
  open(of: SealedColumn, id: string, sealed: Uint8Array): string {
    const bytes = Buffer.from(sealed);
    if (of.wasPlain && bytes[0] !== version) return bytes.toString("utf8");
    const head = bytes.subarray(0, headLength);
    const key = this.#keys.find((one) => one.id.equals(head.subarray(lengths.version)));
    if (!key || head[0] !== version || bytes.length < textStart) throw cannotOpen();
    const iv = bytes.subarray(headLength, headLength + lengths.iv);
    const decipher = createDecipheriv(algorithm, key.bytes, iv, { authTagLength: lengths.tag });
    decipher.setAAD(placeOf(of, id, head)).setAuthTag(bytes.subarray(headLength + lengths.iv, textStart));
    try {
      return Buffer.concat([decipher.update(bytes.subarray(textStart)), decipher.final()]).toString("utf8");
    } catch {
      throw cannotOpen();
    }
  }

  /** The prefix of secrets sealed with the current key; null without a key. */
  get presentHead(): Uint8Array | null {
    const [key] = this.#keys;
    return key ? Buffer.concat([Buffer.of(version), key.id]) : null;
  }
}

/** Identifies a key without revealing it: 64 bits of a hash of 256 random bits. */
const idOfKey = (key: Buffer): Buffer =>
  createHash("sha256").update("docgraph key id\0").update(key).digest().subarray(0, lengths.keyId);

/** The additional authenticated data: header, column and row. */
const placeOf = ({ table, column }: SealedColumn, id: string, head: Buffer): Buffer =>
  Buffer.concat([head, Buffer.from(`${table}.${column} ${id}`)]);

const noKey = () =>
  new DomainError(
    "CONFLICT",
    "docgraph stores secrets encrypted, and SECRETS_KEY is not set: set it to the same 32 random bytes in base64 on every gateway (openssl rand -base64 32), and restart it.",
  );

const cannotOpen = () =>
  new DomainError(
    "CONFLICT",
    "A stored secret cannot be decrypted: SECRETS_KEY does not contain the key that it was encrypted with. Add that key, or create a new secret.",
  );

const digestOf = (text: string): Buffer => createHash("sha256").update(text).digest();

/** Compares secrets in constant time; a missing one equals nothing. */
export function isSameSecret(secret: string | null, given: string | null | undefined): boolean {
  if (secret === null || given == null) return false;
  return timingSafeEqual(digestOf(secret), digestOf(given));
}
