// Secrets at rest: the one way in which a secret that has to be read again (a signing key, a key of another service) is
// kept in the database. Secrets that are only compared are kept as hashes instead.
import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto";
import { DomainError } from "#src/base/errors.ts";

/** A column of sealed secrets. Features name theirs in the registry, so that a new key seals them anew. */
export interface SealedColumn {
  /** A table whose rows have an `id`. */
  readonly table: string;
  readonly column: string;
  /** Set where it was not sealed once: what is left of that opens as it is, and is sealed as a new key seals. */
  readonly wasPlain?: true;
}

const algorithm = "aes-256-gcm";
const version = 1;
/** Of a key, in bytes. */
export const secretsKeyLength = 32;
/** What a sealed secret starts with, in bytes: version, id of the key, then initialization vector and tag of GCM. */
const lengths = { version: 1, keyId: 8, iv: 12, tag: 16 } as const;
const headLength = lengths.version + lengths.keyId;
const textStart = headLength + lengths.iv + lengths.tag;

interface Key {
  readonly id: Buffer;
  readonly bytes: Buffer;
}

/** Seals and opens secrets. The first key seals; all open, so that a new key is put before the old one. */
export class Secrets {
  readonly #keys: readonly Key[];

  /** Of keys of {@link secretsKeyLength} bytes; without any, nothing can be sealed or opened. */
  constructor(keys: readonly Buffer[]) {
    this.#keys = keys.map((bytes) => ({ bytes, id: idOfKey(bytes) }));
  }

  /**
   * Seals a secret for one row of a column: elsewhere it does not open. CONFLICT, with what to do about it, where
   * there is no key.
   */
  seal(of: SealedColumn, id: string, secret: string): Uint8Array<ArrayBuffer> {
    const [key] = this.#keys;
    if (!key) throw noKey();
    const iv = randomBytes(lengths.iv);
    const head = Buffer.concat([Buffer.of(version), key.id]);
    const cipher = createCipheriv(algorithm, key.bytes, iv).setAAD(placeOf(of, id, head));
    const text = Buffer.concat([cipher.update(secret, "utf8"), cipher.final()]);
    return new Uint8Array(Buffer.concat([head, iv, cipher.getAuthTag(), text]));
  }

  /**
   * The secret that was sealed for this row. CONFLICT where the key that sealed it is not here, or where it was sealed
   * for another place or changed.
   */
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

  /** How every secret starts that the present key has sealed; null without a key. What starts otherwise is older. */
  get presentHead(): Uint8Array | null {
    const [key] = this.#keys;
    return key ? Buffer.concat([Buffer.of(version), key.id]) : null;
  }
}

/** Says which key it is, and nothing of it: 64 bits of a hash of 256 random bits. */
const idOfKey = (key: Buffer): Buffer =>
  createHash("sha256").update("docgraph key id\0").update(key).digest().subarray(0, lengths.keyId);

/** What a sealed secret belongs to. */
const placeOf = ({ table, column }: SealedColumn, id: string, head: Buffer): Buffer =>
  Buffer.concat([head, Buffer.from(`${table}.${column} ${id}`)]);

const noKey = () =>
  new DomainError(
    "CONFLICT",
    "docgraph keeps secrets encrypted, and has no key for it: set SECRETS_KEY to the same 32 random bytes, in base64, on every gateway (openssl rand -base64 32), and start it again.",
  );

const cannotOpen = () =>
  new DomainError(
    "CONFLICT",
    "A secret that is stored here cannot be opened: SECRETS_KEY does not have the key that it was sealed with. Add that key, or make a new secret.",
  );
