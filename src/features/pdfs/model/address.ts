// Addresses of PDFs: each is signed, and good for an hour.
import { createHmac, timingSafeEqual } from "node:crypto";

/** What is signed, and by what. */
interface Signing {
  readonly id: string;
  /** The secret of this PDF. */
  readonly key: string;
}

const minuteMs = 60_000;
const lifetimeMs = 60 * minuteMs;

/**
 * The path under which a PDF can be had for an hour, and until when: to the end of the minute, so that whoever asks
 * twice gets the same one.
 */
export function signedPath({ id, key, name }: Signing & { readonly name: string }, now: Date) {
  const expiresAt = new Date(Math.ceil((now.getTime() + lifetimeMs) / minuteMs) * minuteMs);
  const seconds = expiresAt.getTime() / 1000;
  return {
    path: `/files/${id}/${seconds}-${signatureOf({ id, key }, seconds)}/${encodeURIComponent(name)}`,
    expiresAt,
  };
}

/** Whether an address until so many seconds since 1970 was signed so. Takes the same time for every wrong signature. */
export function isSigned(of: Signing, seconds: number, signature: string): boolean {
  const [right, given] = [Buffer.from(signatureOf(of, seconds)), Buffer.from(signature)];
  return right.length === given.length && timingSafeEqual(right, given);
}

const signatureOf = ({ id, key }: Signing, seconds: number): string =>
  createHmac("sha256", key).update(`${id} ${seconds}`).digest("base64url");
