// Checks that all ways to sign in share, and the address that a browser returns to afterwards.
import type { Viewers } from "#src/access/viewers.ts";
import { DomainError } from "#src/base/errors.ts";
import type { Clock } from "#src/base/time.ts";
import type { Database } from "#src/db/connection/database.ts";
import type { Feed } from "#src/events/event-log.ts";

export interface SignInEnvironment {
  readonly database: Database;
  readonly viewers: Pick<Viewers, "forget">;
  readonly feed: Pick<Feed, "wake">;
  readonly clock: Clock;
  readonly publicUrl: string;
  /** Where a browser goes that does not say where it came from: the application. */
  readonly home: string;
  /** Other origins to which a browser may be sent back. */
  readonly origins: readonly string[];
}

/** The longest address that a browser may return to, in characters. */
const maxReturn = 1500;

/** The address to return to after a sign-in if its origin is docgraph's or an allowed one; else null. */
export function allowedReturn(
  { publicUrl, home, origins }: Pick<SignInEnvironment, "publicUrl" | "home" | "origins">,
  address: string | null,
): string | null {
  if (address === null || address === "") return home;
  if (address.length > maxReturn || /[\s\p{C}\\]/u.test(address)) return null;
  const url = URL.parse(address, `${publicUrl}/`);
  if (!url || url.username !== "" || url.password !== "") return null;
  if (url.protocol !== "http:" && url.protocol !== "https:") return null;
  // Escaped, since it is kept in a cookie, which has at most 4,096 bytes.
  if (url.href.length > maxReturn) return null;
  return [new URL(publicUrl).origin, ...origins].includes(url.origin) ? url.href : null;
}

/** The address to return to. Throws INVALID_INPUT if its origin is not allowed. */
export function requireReturn(
  environment: Pick<SignInEnvironment, "publicUrl" | "home" | "origins">,
  address: string | null,
) {
  const allowed = allowedReturn(environment, address);
  if (allowed === null)
    throw new DomainError(
      "INVALID_INPUT",
      "`returnTo` must be an address of docgraph or of an origin in ALLOWED_ORIGINS.",
    );
  return allowed;
}
