// The pages of refusals: a missing page, a page behind a sign-in, a token that is not valid, and failed requests of
// browsers. Each leads on.
import type { DomainError, ErrorCode } from "#src/base/errors.ts";
import { html, type Html } from "#src/http/html.ts";
import type { ShownPage } from "#src/pages/page.ts";

/** A page that is not shown to this reader. */
export type Refusal = Omit<ShownPage, "status"> & { readonly status: 401 };

const about = (title: string, says: Html) =>
  ({
    kind: "page",
    title,
    head: html`<link rel="icon" href="data:," />`,
    style: "notice",
    robots: "noindex",
    kept: "by its reader",
    body: html`<main id="main">
      <h1>${title}</h1>
      ${says}
    </main>`,
  }) as const;

/** The page behind the sign-in of the owner of a site, to which a link leads. */
export const signInElsewhere = (url: string, hasExpired: boolean): Refusal => ({
  ...about(
    hasExpired ? "Your sign-in has expired" : "Sign in to read this",
    html`<p>If this page exists, it is for visitors who are signed in.</p>
      <p class="actions"><a class="button" href="${url}">Sign in</a></p>`,
  ),
  status: 401,
});

/** The page of an address at which nothing is visible to a signed-in reader. */
export const missing: ShownPage = {
  ...about(
    "Page not found",
    html`<p>The page does not exist or is not visible to you.</p>
      <p class="actions"><a class="button" href="/">Go to the start page</a></p>`,
  ),
  status: 404,
};

/** The page of a request with a token that is not valid. */
export const badToken: Refusal = {
  ...about("A valid API token is required", html`<p>The token of this request is unknown, revoked or expired.</p>`),
  status: 401,
};

/**
 * The same for a reader who is not signed in. The address, which may contain a secret key, is repeated only as the
 * `returnTo` that is given.
 */
export const signIn = (publicUrl: string, returnTo?: string): Refusal => ({
  ...about(
    "You are not signed in",
    html`<p>If this page exists, only people with access to it can read it.</p>
      <p class="actions">
        <a
          class="button"
          href="${publicUrl}/sign-in${returnTo === undefined ? "" : `?${new URLSearchParams({ returnTo }).toString()}`}"
          >Sign in</a
        >
      </p>
      <p class="soft">
        Programs send an API token: <code>Authorization: Bearer &lt;token&gt;</code>, or ask by
        <a href="${publicUrl}/reference/graphql">GraphQL</a> or <a href="${publicUrl}/reference/rest">REST</a>.
      </p>`,
  ),
  status: 401,
});

/** The page below `/app` where another application is configured. */
export const applicationElsewhere = (url: string): ShownPage => ({
  ...about(
    "The application has another address",
    html`<p>People work in the application at another address.</p>
      <p class="actions"><a class="button" href="${url}">Open the application</a></p>`,
  ),
  status: 404,
});

const titles: Partial<Record<ErrorCode, string>> = {
  NOT_FOUND: "Page not found",
  UNAUTHENTICATED: "You are not signed in",
  FORBIDDEN: "This is not allowed",
  METHOD_NOT_ALLOWED: "This address does not work like that",
  RATE_LIMITED: "Too many requests",
  UNAVAILABLE: "Not available at the moment",
  INTERNAL: "Something went wrong",
};

/** The page of a failed request, for browsers. */
export const failurePage = ({ code, status, message }: DomainError): ShownPage => ({
  ...about(
    titles[code] ?? "This request failed",
    html`<p>
        ${code === "NOT_FOUND" ? "Nothing is at this address. Check its spelling, or start from here:" : message}
      </p>
      <p class="actions"><a class="button" href="/">Go to the start page</a> <a href="/docs">Documentation</a></p>`,
  ),
  status,
});
