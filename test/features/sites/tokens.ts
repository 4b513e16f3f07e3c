// Visitor tokens for tests: encoded by hand where libraries would refuse, and a key server that counts requests.
import { createHmac, createSign, generateKeyPairSync, type KeyObject } from "node:crypto";
import type { SafeFetch } from "#src/net/safe-fetch.ts";

const encode = (value: unknown): string =>
  Buffer.from(typeof value === "string" ? value : JSON.stringify(value)).toString("base64url");

/** Signs the two parts with the given key: a string by HMAC, a key by its type. */
export function jwt(header: object, payload: unknown, key: string | Buffer | KeyObject | null): string {
  const signed = `${encode(header)}.${encode(payload)}`;
  if (key === null) return `${signed}.`;
  if (typeof key === "string" || Buffer.isBuffer(key))
    return `${signed}.${createHmac("sha256", key).update(signed).digest("base64url")}`;
  const signature = createSign("sha256").update(signed).sign({ key, dsaEncoding: "ieee-p1363" });
  return `${signed}.${signature.toString("base64url")}`;
}

export const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 });
export const weakRsa = generateKeyPairSync("rsa", { modulusLength: 1024 });
export const otherRsa = generateKeyPairSync("rsa", { modulusLength: 2048 });
export const ec = generateKeyPairSync("ec", { namedCurve: "P-256" });

export const jwkOf = (key: KeyObject, more: object = {}): object => ({ ...key.export({ format: "jwk" }), ...more });

/** A fetch that returns key sets by URL, and counts requests. */
export class KeyServer {
  readonly sets = new Map<string, unknown>();
  asked = 0;

  readonly fetch: SafeFetch = (url) => {
    this.asked += 1;
    const set = this.sets.get(String(url));
    const body = Buffer.from(typeof set === "string" ? set : JSON.stringify(set ?? null));
    const status = set === undefined ? 500 : 200;
    return Promise.resolve({ url: String(url), status, headers: { get: () => null }, body });
  };
}
