// Tokens and other secrets as text: how one is made, and the hash under which it is stored and looked up.
import { createHash, randomBytes } from "node:crypto";

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const secretLength = 40;

/** A new API token with its hash. The text is shown once, not stored. */
export function newToken(): { token: string; hash: Buffer<ArrayBuffer> } {
  const token = newSecret("dg_");
  return { token, hash: hashToken(token) };
}

/** A secret: a prefix that names its purpose, then 40 random base62 characters (238 bits). */
export function newSecret(start: "dg_" | "dgs_" | "dgt_" | "dgl_"): string {
  let secret = "";
  while (secret.length < secretLength) {
    for (const byte of randomBytes(64)) {
      // 248 is the highest multiple of 62 in a byte: rejecting higher bytes keeps every character equally likely.
      if (byte < 248 && secret.length < secretLength) secret += alphabet[byte % 62];
    }
  }
  return start + secret;
}

/** SHA-256 of the text, as in ApiToken.hash. A secret is random enough to need no salt and no slow hash. */
export const hashToken = (token: string): Buffer<ArrayBuffer> => createHash("sha256").update(token).digest();
