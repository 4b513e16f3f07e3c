// The pages to sign in with a link by e-mail, and to answer invitations. An invitation counts as an account. The link
// page has a button, because mail scanners open every link.
import { sessionCookie } from "#src/access/sessions.ts";
import { requireScope } from "#src/access/viewer.ts";
import { DomainError, invalidInput } from "#src/base/errors.ts";
import { isIdOf } from "#src/base/ids.ts";
import type { Context } from "#src/domain/context.ts";
import type { Gateway } from "#src/features/feature.ts";
import { acceptInvitation, declineInvitation } from "#src/features/invitations/commands.ts";
import { findShownInvitations, isInvited, type ShownInvitation } from "#src/features/invitations/reads.ts";
import { useInviteLink } from "#src/features/invite-links/commands.ts";
import { findInvitation } from "#src/features/invite-links/reads.ts";
import { makeSignInLink, signInEmail, useSignInLink } from "#src/features/sessions/commands/sign-in-links.ts";
import { type Exchange, searchOf } from "#src/http/exchange.ts";
import { html, type Html, type PageForPeople, sendPage } from "#src/http/html.ts";
import { htmlPages } from "#src/http/negotiation.ts";
import { ask, ownQuery } from "#src/http/page-request.ts";
import { readForm } from "#src/http/request-body.ts";
import type { HttpRoute } from "#src/http/route.ts";
import { redirect } from "#src/http/send.ts";

const maxForm = 10_000;

/** Returns the page to show, or null if it has already responded. */
type Page = (exchange: Exchange, fields: URLSearchParams) => Promise<PageForPeople | null>;

interface FormPage {
  readonly path: `/${string}`;
  readonly show: Page;
  readonly take: Page;
  readonly failed: string;
}

/** Shows a page for GET, and handles its form for POST. Errors are shown as a page. */
const formPage = ({ signIn }: Gateway, { path, show, take, failed }: FormPage): HttpRoute => ({
  path,
  methods: ["GET", "HEAD", "POST"],
  answers: htmlPages,
  async handle(exchange) {
    const { request } = exchange;
    const isPost = request.method === "POST";
    try {
      const fields = isPost ? await readForm(request, maxForm) : new URLSearchParams(searchOf(request));
      const page = await (isPost ? take : show)(exchange, fields);
      if (page) sendPage(exchange, { ...page, formsLeadTo: signIn().origins });
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      sendPage(exchange, refusal(failed, error));
    }
  },
});

const refusal = (title: string, { status, message }: DomainError): PageForPeople => ({
  status,
  title,
  body: html`<p>${message}</p>
    <p><a href="/sign-in">Sign in</a></p>`,
});

const shown = (title: string, body: Html): PageForPeople => ({ status: 200, title, body });

export function signInPages(gateway: Gateway): HttpRoute[] {
  const failed = "Sign-in failed";
  const findSignedIn = signedInFinder(gateway);
  return [
    formPage(gateway, {
      path: "/sign-in",
      show: async (exchange, fields) => showForm(await findSignedIn(await gateway.contexts.ofPage(exchange)), fields),
      take: (exchange, fields) => sendLink(gateway, exchange, fields),
      failed,
    }),
    formPage(gateway, {
      path: "/sign-in/link",
      show: async (_exchange, fields) => showLink(fields),
      take: (exchange, fields) => takeLink(gateway, exchange, fields),
      failed,
    }),
  ];
}

interface SignedIn {
  readonly viewer: { readonly email: string };
  /** Organizations that the session does not give access to, and their sign-in links. */
  readonly closedMemberships: readonly {
    readonly title: string;
    readonly logins: readonly { readonly label: string; readonly startURL: string }[];
  }[];
}

/** Finds the user of the session of a request; null without a session. */
function signedInFinder({ executor }: Gateway): (context: Context) => Promise<SignedIn | null> {
  const query = ownQuery(
    executor,
    "query SignedIn { viewer { email } closedMemberships { title logins { label startURL } } }",
  );
  return async (context) =>
    isIdOf("Session", context.viewer.tokenId) ? await ask<SignedIn>(query, context, {}) : null;
}

function showForm(signedIn: SignedIn | null, fields: URLSearchParams): PageForPeople {
  if (signedIn && !fields.has("invite"))
    return shown(
      "You are signed in",
      html`<p>You are signed in as ${signedIn.viewer.email}.</p>
        ${signedIn.closedMemberships.map(
          ({ title, logins }) =>
            html`<p>
              ${title} requires you to sign in with its identity provider:
              ${logins.map(({ label, startURL }) => html`<a href="${startURL}">${label}</a> `)}
            </p>`,
        )}
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
        You receive a link by e-mail that signs you in. Some organizations have their own sign-in page with another
        address.
      </p>`,
  );
}

const carried = (fields: URLSearchParams, names: readonly string[]): Html[] =>
  names.flatMap((name) => {
    const value = fields.get(name);
    return value === null ? [] : [html`<input type="hidden" name="${name}" value="${value}" />`];
  });

/** Responds in the same way and time whether the address is known or not: the e-mail is sent in the background. */
async function sendLink(
  { emails, contexts, signIn, background, log }: Gateway,
  exchange: Exchange,
  fields: URLSearchParams,
) {
  if (!emails)
    throw new DomainError(
      "UNAVAILABLE",
      "This gateway cannot send e-mail. Ask its operator to set SMTP_URL, or to create a link for you with 'npm run login'.",
    );
  const environment = signIn();
  const invite = fields.get("invite");
  const invitation = invite === null ? null : await findInvitation(await contexts.ofPage(exchange), invite);
  const { id, email, isSent } = await makeSignInLink(environment, {
    email: fields.get("email") ?? "",
    returnTo: fields.get("returnTo"),
    origin: contexts.originOf(exchange.request),
    isInvited: async (...given) => invitation !== null || isInvited(...given),
  });
  const { publicUrl } = environment;
  if (isSent) emails.post({ background, log }, signInEmail, { id, to: email, publicUrl, invite: invitation && invite });
  return shown(
    "Check your e-mail",
    html`<p>
        If an account with the address ${email} exists, a sign-in link was sent to it. The link can be used once within
        ten minutes.
      </p>
      <p>No e-mail? Check your spam folder and the spelling of the address.</p>`,
  );
}

/** The page of a link. It does not look up the link, so it does not reveal whether it is valid. */
const showLink = (fields: URLSearchParams): PageForPeople =>
  shown(
    "Sign in to docgraph",
    html`<form method="post" action="/sign-in/link">
      ${carried(fields, ["secret", "invite"])}
      <p><button>Sign in</button></p>
    </form>`,
  );

async function takeLink({ contexts, origins, signIn }: Gateway, exchange: Exchange, fields: URLSearchParams) {
  const { request, response } = exchange;
  origins.requireMeant(request);
  const environment = signIn();
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
  redirect(response, location, [cookie]);
  return null;
}

export function invitationPage(gateway: Gateway): HttpRoute {
  const findSignedIn = signedInFinder(gateway);
  const whoOf = async (exchange: Exchange) => {
    const context = await gateway.contexts.ofPage(exchange);
    return { context, email: (await findSignedIn(context))?.viewer.email };
  };

  /** Shows invitations; without a session, redirects to the sign-in page, which redirects back. */
  async function show(exchange: Exchange) {
    const { context, email } = await whoOf(exchange);
    const { publicUrl } = context;
    if (email === undefined) {
      const back = new URLSearchParams({ returnTo: `${publicUrl}/invitations` });
      redirect(exchange.response, `${publicUrl}/sign-in?${back.toString()}`, []);
      return null;
    }
    const invitations = await findShownInvitations(context);
    if (invitations.length === 0) return shown("No invitations", html`<p>No open invitations to ${email} exist.</p>`);
    return shown(
      "Your invitations",
      html`<p>Invitations to ${email}. An organization learns who you are only when you accept.</p>
        ${invitations.map(formOf)}`,
    );
  }

  /** Accepts and redirects to the organization, or declines and shows the other invitations. */
  async function take(exchange: Exchange, fields: URLSearchParams) {
    gateway.origins.requireMeant(exchange.request);
    const { context, email } = await whoOf(exchange);
    if (email === undefined) throw new DomainError("UNAUTHENTICATED", "Sign in first.");
    requireScope(context.viewer, "account");
    const [id, answer] = [fields.get("invitation") ?? "", fields.get("answer")];
    if (answer === "accept") {
      const { organizationId } = await acceptInvitation(context, id);
      redirect(exchange.response, context.links.app(`orgs/${organizationId}`, organizationId), []);
    } else if (answer === "decline") {
      await declineInvitation(context, id);
      redirect(exchange.response, `${context.publicUrl}/invitations`, []);
    } else throw invalidInput("answer", "must be `accept` or `decline`.");
    return null;
  }

  return formPage(gateway, { path: "/invitations", show, take, failed: "The invitation could not be answered" });
}

const formOf = ({ id, title, inviter }: ShownInvitation) =>
  html`<form method="post" action="/invitations">
    <input type="hidden" name="invitation" value="${id}" />
    <p>
      ${title}${inviter === null ? "" : `, by ${inviter}`}
      <button name="answer" value="accept">Accept</button>
      <button name="answer" value="decline">Decline</button>
    </p>
  </form>`;
