// The pages of refusals: a missing page, a page behind a sign-in, and a token that is not valid.
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
  ...about("Page not found", html`<p>The page does not exist or is not visible to you.</p>`),
  status: 404,
};

/** The page of a request with a token that is not valid. */
export const badToken: Refusal = {
  ...about("A valid API token is required", html`<p>The token of this request is unknown, revoked or expired.</p>`),
  status: 401,
};

/** The same for a reader who is not signed in. Does not repeat the address, which may contain a secret key. */
export const signIn = (publicUrl: string): Refusal => ({
  ...about(
    "You are not signed in",
    html`<p>If this page exists, only people with access to it can read it.</p>
      <p class="actions"><a class="button" href="${publicUrl}/sign-in">Sign in</a></p>
      <p class="soft">
        Programs send an API token: <code>Authorization: Bearer &lt;token&gt;</code>, or ask by
        <a href="${publicUrl}/graphql">GraphQL</a> or <a href="${publicUrl}/v1/openapi.json">REST</a>.
      </p>`,
  ),
  status: 401,
});
