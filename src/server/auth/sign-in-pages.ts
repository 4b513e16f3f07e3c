// The pages by which people sign in with a link that is sent by e-mail: asking for it, and opening it. A link is used
// by a button alone, since programs that look through mail open what is in it.
import type { Logger } from "pino";
import { sessionCookie } from "#src/access/sessions.ts";
import type { SignInEnvironment } from "#src/access/sign-in.ts";
import { DomainError } from "#src/base/errors.ts";
import { isIdOf } from "#src/base/ids.ts";
import type { Context } from "#src/domain/context.ts";
import { useInviteLink } from "#src/features/invite-links/commands.ts";
import { isInvited } from "#src/features/invitations/reads.ts";
import { findInvitation } from "#src/features/invite-links/reads.ts";
import { samlAddresses } from "#src/features/saml/model/addresses.ts";
import { type ClosedMembership, findClosedMemberships } from "#src/features/saml/reads.ts";
import { makeSignInLink, signInEmail, useSignInLink } from "#src/features/sessions/commands/sign-in-links.ts";
import type { Background } from "#src/jobs/background.ts";
import type { Emails } from "#src/jobs/emails.ts";
import { type Exchange, type Handler, searchOf, sendEmpty, sendOn } from "#src/http/exchange.ts";
import { type Origins, requireMeant } from "#src/http/origins.ts";
import { html, type Html, type PageForPeople, sendPage } from "#src/http/html.ts";
import { readForm } from "#src/http/request-body.ts";
import type { RequestContexts } from "#src/server/http/request-contexts.ts";

export interface Given {
  readonly signIn: () => SignInEnvironment;
  readonly contexts: Pick<RequestContexts, "ofPage" | "ofSession" | "originOf">;
  readonly origins: Origins;
  /** Undefined where no e-mail can be sent. */
  readonly emails: Emails | undefined;
  readonly background: Background;
  readonly log: Logger;
}

/** The most bytes of a form of these pages. */
const maxForm = 10_000;

/** What a page is asked with, by its address or its form. Null where it has answered by itself. */
export type Page = (given: Given, exchange: Exchange, fields: URLSearchParams) => Promise<PageForPeople | null>;

/** The handlers of these pages, by their paths. */
export function createSignInPages(given: Given): Readonly<Record<string, Handler>> {
  return {
    "/sign-in": answered(given, { show: showForm, take: sendLink }),
    "/sign-in/link": answered(given, { show: showLink, take: takeLink }),
  };
}

/** Shows a page for GET, and takes its form by POST. A refusal is a page, too, which says in its title what failed. */
export function answered(
  given: Given,
  { show, take, failed = "You could not be signed in" }: { show: Page; take: Page; failed?: string },
): Handler {
  return async (exchange) => {
    const { request, response } = exchange;
    const isPost = request.method === "POST";
    if (!isPost && request.method !== "GET" && request.method !== "HEAD") {
      request.resume();
      response.setHeader("allow", "GET, HEAD, POST");
      return sendEmpty(response, 405);
    }
    try {
      const fields = isPost ? await readForm(request, maxForm) : new URLSearchParams(searchOf(request));
      const page = await (isPost ? take : show)(given, exchange, fields);
      if (page) sendPage(exchange, { ...page, formsLeadTo: given.signIn().origins });
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      sendPage(exchange, refusal(failed, error));
    }
  };
}

const refusal = (title: string, { status, message }: DomainError): PageForPeople => ({
  status,
  title,
  body: html`<p>${message}</p>
    <p><a href="/sign-in">Sign in</a></p>`,
});

export const shown = (title: string, body: Html): PageForPeople => ({ status: 200, title, body });

/** The form, or who is signed in. */
async function showForm(given: Given, exchange: Exchange, fields: URLSearchParams) {
  const context = await given.contexts.ofPage(exchange);
  const name = fields.has("invite") ? null : await signedInAs(context);
  if (name !== null)
    return shown(
      "You are signed in",
      html`<p>As ${name}.</p>
        ${closedTo(await findClosedMemberships(context), given.signIn())}
        <form method="post" action="/auth/sign-out"><button>Sign out</button></form>`,
    );
  return shown(
    "Sign in",
    html`<form method="post" action="/sign-in">
        ${carried(fields, ["returnTo", "invite"])}
        <p>
          <label>Your e-mail address <input type="email" name="email" autocomplete="email" required /></label>
          <button>Send me a link</button>
        </p>
      </form>
      <p>
        You sign in by the link that is sent to you. Some organizations have a sign-in of their own, with another
        address.
      </p>`,
  );
}

/** Organizations that the session does not open, and where to sign in to them. */
const closedTo = (memberships: readonly ClosedMembership[], { publicUrl }: { readonly publicUrl: string }): Html[] =>
  memberships.map(
    ({ title, logins }) =>
      html`<p>
        ${title} wants you to sign in by its identity provider:
        ${logins.map(({ id, label }) => html`<a href="${samlAddresses(publicUrl, id).startURL}">${label}</a> `)}
      </p>`,
  );

/** The address of whoever has a session; null for everybody else. */
export async function signedInAs({ viewer, database }: Context): Promise<string | null> {
  if (!isIdOf("Session", viewer.tokenId)) return null;
  const user = await database.prisma.user.findUnique({ where: { id: viewer.userId }, select: { email: true } });
  return user?.email ?? null;
}

/** Fields that go with a form unseen. */
const carried = (fields: URLSearchParams, names: readonly string[]): Html[] =>
  names.flatMap((name) => {
    const value = fields.get(name);
    return value === null ? [] : [html`<input type="hidden" name="${name}" value="${value}" />`];
  });

/**
 * Sends the link. The answer, and the work until it, are the same whether somebody has the address or not: the
 * e-mail is posted beside the request.
 */
async function sendLink(given: Given, exchange: Exchange, fields: URLSearchParams) {
  const { emails, contexts } = given;
  if (!emails)
    throw new DomainError(
      "UNAVAILABLE",
      "This docgraph cannot send e-mail: who runs it sets SMTP_URL, or makes a link for you by 'npm run login'.",
    );
  const environment = given.signIn();
  const invite = fields.get("invite");
  const invitation = invite === null ? null : await findInvitation(await contexts.ofPage(exchange), invite);
  const { id, email, isSent } = await makeSignInLink(environment, {
    email: fields.get("email") ?? "",
    returnTo: fields.get("returnTo"),
    origin: contexts.originOf(exchange.request),
    isInvited: async (...given) => invitation !== null || isInvited(...given),
  });
  const { publicUrl } = environment;
  if (isSent) emails.post(given, signInEmail, { id, to: email, publicUrl, invite: invitation && invite });
  return shown(
    "Look into your mail",
    html`<p>
        If there is an account with the address ${email}, a link was sent there that signs you in. It is good for ten
        minutes, and once.
      </p>
      <p>Nothing came? Look among the unwanted mail, and whether the address is right.</p>`,
  );
}

/** The page of a link. Nothing is looked up: it says nothing of whether the link is good. */
async function showLink(_given: Given, _exchange: Exchange, fields: URLSearchParams) {
  return shown(
    "Sign in to docgraph",
    html`<form method="post" action="/sign-in/link">
      ${carried(fields, ["secret", "invite"])}
      <p><button>Sign in</button></p>
    </form>`,
  );
}

/** Signs in, and makes a member of whoever was invited. */
async function takeLink(given: Given, exchange: Exchange, fields: URLSearchParams) {
  const { contexts, origins } = given;
  const { request, response } = exchange;
  requireMeant(request, origins);
  const environment = given.signIn();
  const invite = fields.get("invite");
  const invitation = invite === null ? null : await findInvitation(await contexts.ofPage(exchange), invite);
  const taken = await useSignInLink(environment, {
    secret: fields.get("secret") ?? "",
    origin: contexts.originOf(request),
    isInvited: async (...given) => invitation !== null || isInvited(...given),
  });
  const cookie = sessionCookie(taken.secret, environment.publicUrl);
  response.setHeader("set-cookie", cookie);
  let location = taken.returnTo ?? `${environment.publicUrl}/`;
  if (invite !== null) {
    const context = await contexts.ofSession(exchange, taken.secret);
    const { organizationId } = await useInviteLink(context, invite);
    location = context.links.app(`orgs/${organizationId}`, organizationId);
  }
  sendOn(response, location, [cookie]);
  return null;
}
