// What the pages to sign in and of invitations share: a form that is shown and handled at one address, and the user of
// the session.
import { DomainError } from "#src/base/errors.ts";
import { isIdOf } from "#src/base/ids.ts";
import type { Context } from "#src/domain/context.ts";
import type { Gateway } from "#src/features/feature.ts";
import { type Exchange, searchOf } from "#src/http/exchange.ts";
import { html, type Html } from "#src/http/html.ts";
import { htmlPages } from "#src/http/negotiation.ts";
import { ask, ownQuery } from "#src/http/page-request.ts";
import { readForm } from "#src/http/request-body.ts";
import type { HttpRoute } from "#src/http/route.ts";
import { type Notice, sendNotice } from "#src/pages/notice.ts";

const maxForm = 10_000;

/** Returns the page to show, or null if it has already responded. */
type Answer = (exchange: Exchange, fields: URLSearchParams) => Promise<Notice | null>;

interface FormPage extends Pick<HttpRoute, "path" | "pattern" | "loggedPath"> {
  readonly show: Answer;
  readonly take: Answer;
  /** The title of the page of an error. */
  readonly failed: string;
}

/** Shows a page for GET, and handles its form for POST. Errors are shown as a page. */
export const formPage = ({ signIn }: Gateway, { show, take, failed, ...route }: FormPage): HttpRoute => ({
  ...route,
  methods: ["GET", "HEAD", "POST"],
  answers: htmlPages,
  async handle(exchange) {
    const { request } = exchange;
    const isPost = request.method === "POST";
    try {
      const fields = isPost ? await readForm(request, maxForm) : new URLSearchParams(searchOf(request));
      const page = await (isPost ? take : show)(exchange, fields);
      if (page) sendNotice(exchange, { ...page, formsLeadTo: signIn().origins });
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      sendNotice(exchange, refusal(failed, error));
    }
  },
});

const refusal = (title: string, { status, message }: DomainError): Notice => ({
  status,
  title,
  body: html`<p>${message}</p>
    <p class="actions"><a class="button" href="/sign-in">Sign in</a></p>`,
});

export const shown = (title: string, body: Html): Notice => ({ status: 200, title, body });

/** Hidden fields for those of these names that are given. */
export const carried = (fields: URLSearchParams, names: readonly string[]): Html[] =>
  names.flatMap((name) => {
    const value = fields.get(name);
    return value === null ? [] : [html`<input type="hidden" name="${name}" value="${value}" />`];
  });

export interface SignedIn {
  readonly viewer: { readonly email: string };
  /** Organizations that the session does not give access to, and their sign-in links. */
  readonly closedMemberships: readonly {
    readonly title: string;
    readonly logins: readonly { readonly label: string; readonly startURL: string }[];
  }[];
}

/** Finds the user of the session of a request; null without a session. */
export function signedInFinder({ executor }: Gateway): (context: Context) => Promise<SignedIn | null> {
  const query = ownQuery(
    executor,
    "query SignedIn { viewer { email } closedMemberships { title logins { label startURL } } }",
  );
  return async (context) =>
    isIdOf("Session", context.viewer.tokenId) ? await ask<SignedIn>(query, context, {}) : null;
}
