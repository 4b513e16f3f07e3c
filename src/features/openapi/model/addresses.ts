// The addresses at which versions can be read without a token: for good where the specification is public, else signed
// and for a day or two.
import { createHmac, timingSafeEqual } from "node:crypto";

const dayMs = 24 * 60 * 60 * 1000;

/** The start of the path of all that is read of specifications. */
export const specPathStart = "/openapi/";

/**
 * The path of the document of a version, or with the name of a file of that file, as it was given. It can be read until
 * the end of the next day (UTC), so that it is the same for all that ask within a day; that of a public one, which has
 * no key to sign it, always.
 */
export function versionPath(
  id: string,
  { addressKey, now, file }: { addressKey: string | null; now: Date; file?: string | undefined },
): string {
  const path = `${specPathStart}${id}/${file === undefined ? "openapi.json" : `files/${encodeURIComponent(file)}`}`;
  if (addressKey === null) return path;
  const expires = String((Math.floor(now.getTime() / dayMs) + 2) * (dayMs / 1000));
  const signature = sign([id, file ?? "", expires], addressKey);
  return `${path}?${new URLSearchParams({ expires, signature }).toString()}`;
}

/** The path of the document of the latest version of a public specification. */
export const latestPath = (specId: string): string => `${specPathStart}${specId}/openapi.json`;

/** Whether the query of an address opens what {@link versionPath} was asked for, now. */
export function isSigned(
  id: string,
  query: URLSearchParams,
  { addressKey, now, file }: { addressKey: string; now: Date; file?: string },
): boolean {
  const [expires, signature] = [query.get("expires") ?? "", query.get("signature") ?? ""];
  if (!/^\d{1,12}$/.test(expires) || Number(expires) * 1000 <= now.getTime()) return false;
  const [given, right] = [signature, sign([id, file ?? "", expires], addressKey)].map((text) => Buffer.from(text));
  return given !== undefined && right !== undefined && given.length === right.length && timingSafeEqual(given, right);
}

const sign = (parts: readonly string[], addressKey: string): string =>
  createHmac("sha256", addressKey).update(parts.join("\n")).digest("base64url");
