// Addresses that are resolved to what they show: which texts are addresses, and the parts of those of the application.
import { invalidInput } from "#src/base/errors.ts";

/** The most characters of an address. */
export const addressLimit = 2048;

/** Reads an http(s) address. INVALID_INPUT for other texts, long ones, and addresses with a password. */
export function readAddress(path: string, text: string): URL {
  if (text.length > addressLimit) throw invalidInput(path, `must have at most ${addressLimit} characters.`);
  const url = /^https?:\/\//i.test(text) ? URL.parse(text) : null;
  if (!url || url.username !== "" || url.password !== "")
    throw invalidInput(path, "must be an address that starts with https:// or http://, without a password.");
  return url;
}

/** The ids in the path of an address of the application; null for a path of something else. */
export function idsInPath(path: string): AppPlace | null {
  const [, collectionId] = /^collections\/(\w+)(?:\/|$)/.exec(path) ?? [];
  if (collectionId !== undefined) return { collectionId };
  const parts = /^spaces\/(\w+)(?:\/change-requests\/(\w+)|\/revisions\/(\w+))?(?:\/pages\/(\w+))?(?:\/|$)/.exec(path);
  const [, spaceId, changeRequestId, revisionId, pageId] = parts ?? [];
  return spaceId === undefined ? null : { spaceId, changeRequestId, revisionId, pageId };
}

export type AppPlace =
  | { readonly collectionId: string }
  | {
      readonly spaceId: string;
      readonly changeRequestId?: string | undefined;
      readonly revisionId?: string | undefined;
      readonly pageId?: string | undefined;
    };
