// What a token may change by its scope and its organization: asked before every mutation, whatever it does.
import type { Viewer } from "#src/access/viewer.ts";
import { DomainError } from "#src/base/errors.ts";

/**
 * What a mutation reaches: content and settings, as roles allow; the account of the viewer, beyond any organization; or
 * what gives access, as tokens and sessions do. All but content needs a session or a token with the scope `admin`.
 */
export type Reach = "content" | "account" | "access";

/**
 * Throws FORBIDDEN where the token of the viewer may not change what a mutation reaches. What it may change there goes
 * by roles, which its scope has lowered already.
 */
export function requireScope(viewer: Pick<Viewer, "scope" | "onlyIn" | "isShort">, reach: Reach): void {
  const { scope, onlyIn, isShort } = viewer;
  if (scope === "read") throw new DomainError("FORBIDDEN", "This API token may only read: its scope is `read`.");
  if (reach === "account" && onlyIn !== null)
    throw new DomainError("FORBIDDEN", "This token or session is for one organization: it may not change the account.");
  if (reach === "account" && scope !== "admin")
    throw new DomainError("FORBIDDEN", "Only a session or a token with the scope `admin` may change the account.");
  if (reach === "access" && (scope !== "admin" || isShort))
    throw new DomainError(
      "FORBIDDEN",
      "Tokens and sessions are changed by a session, or a token with the scope `admin`.",
    );
}
