// Comparing secrets that came with a request with those that are known.
import { createHash, timingSafeEqual } from "node:crypto";

const digestOf = (text: string): Buffer => createHash("sha256").update(text).digest();

/** Whether two secrets are the same, in a time that tells nothing of them. No secret is the same as none. */
export function isSameSecret(secret: string | null, given: string | null | undefined): boolean {
  if (secret === null || given == null) return false;
  return timingSafeEqual(digestOf(secret), digestOf(given));
}
