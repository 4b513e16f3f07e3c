// Sign-ins in progress: one secret in a cookie. From it the values are derived that bind the response to the browser.
import { createHash, randomBytes } from "node:crypto";
import { oidcAddresses } from "#src/features/oidc/model/addresses.ts";

/** How long a sign-in may take, in milliseconds. */
export const pendingLifeMs = 10 * 60_000;

export interface PendingSignIn {
  /** Identifies the sign-in in the response. */
  readonly state: string;
  /** Identifies it in the ID token. */
  readonly nonce: string;
  /** The code verifier of PKCE. */
  readonly verifier: string;
  readonly returnTo: string;
  readonly cookie: string;
}

/** The secret of the browser, and the provider, whose response then fits no sign-in by another one. */
interface Origin {
  readonly secret: string;
  readonly providerId: string;
}

/** 256 bits in base64url: none reveals the secret or another one. */
const derived = ({ secret, providerId }: Origin, name: string): string =>
  createHash("sha256").update(`${name} ${providerId} ${secret}`).digest("base64url");

/** Each sign-in has its own cookie, so that several may be pending. */
const cookieName = (publicUrl: string, state: string): string =>
  `${publicUrl.startsWith("https:") ? "__Secure-docgraph-oidc" : "docgraph-oidc"}-${state}`;

interface Place {
  readonly publicUrl: string;
  readonly providerId: string;
  readonly now: Date;
}

export function beginPending(returnTo: string, { now, ...place }: Place): PendingSignIn {
  const secret = randomBytes(32).toString("base64url");
  const value = `${secret}.${now.getTime()}.${Buffer.from(returnTo).toString("base64url")}`;
  const origin = { secret, providerId: place.providerId };
  const cookie = cookieText(derived(origin, "state"), value, { ...place, maxAge: pendingLifeMs / 1000 });
  return pendingOf(origin, returnTo, cookie);
}

const pendingOf = (origin: Origin, returnTo: string, cookie: string): PendingSignIn => ({
  state: derived(origin, "state"),
  nonce: derived(origin, "nonce"),
  verifier: derived(origin, "verifier"),
  returnTo,
  cookie,
});

/** The value of `Set-Cookie` that removes the cookie of a sign-in. */
export const endedPending = (state: string, place: Omit<Place, "now">): string =>
  cookieText(state, "", { ...place, maxAge: 0 });

/** Providers redirect to the callback, so browsers send the cookie with `Lax`. */
function cookieText(
  state: string,
  value: string,
  { publicUrl, providerId, maxAge }: Omit<Place, "now"> & { readonly maxAge: number },
): string {
  const path = new URL(oidcAddresses(publicUrl, providerId).redirectURL).pathname;
  const secure = publicUrl.startsWith("https:") ? "; Secure" : "";
  return `${cookieName(publicUrl, state)}=${value}; Path=${path}; Max-Age=${maxAge}; HttpOnly; SameSite=Lax${secure}`;
}

/** The sign-in that this browser began there, by the state of the response; null for others and expired ones. */
export function pendingIn(
  header: string | undefined,
  state: string,
  { publicUrl, providerId, now }: Place,
): PendingSignIn | null {
  const name = cookieName(publicUrl, state);
  for (const part of (header ?? "").split(";")) {
    const [key = "", value = ""] = part.trim().split("=");
    const [, secret = "", time = "", returnTo = ""] = /^([\w-]{43})\.(\d{1,15})\.([\w-]*)$/.exec(value) ?? [];
    const origin = { secret, providerId };
    if (key !== name || derived(origin, "state") !== state) continue;
    const age = now.getTime() - Number(time);
    if (age < 0 || age > pendingLifeMs) continue;
    return pendingOf(origin, Buffer.from(returnTo, "base64url").toString("utf8"), "");
  }
  return null;
}
