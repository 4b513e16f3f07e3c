// The pages to sign in with a link by e-mail. An invitation counts as an account. The link page has a button, because
// mail scanners open every link.
import { sessionCookie } from "#src/access/sessions.ts";
import { gatewayProviderId, oidcStart } from "#src/base/open-id.ts";
import { allowedReturn, type SignInEnvironment } from "#src/access/sign-in.ts";
import { DomainError } from "#src/base/errors.ts";
import type { Context } from "#src/domain/context.ts";
import type { Gateway } from "#src/features/feature.ts";
import { carried, formPage, shown, type SignedIn, signedInFinder } from "#src/features/invitations/http/form-page.ts";
import { findShownInvitations, isInvited } from "#src/features/invitations/reads.ts";
import { useInviteLink } from "#src/features/invite-links/commands.ts";
import { findInvitation } from "#src/features/invite-links/reads.ts";
import { makeSignInLink, signInEmail, useSignInLink } from "#src/features/sessions/commands/sign-in-links.ts";
import type { Exchange } from "#src/http/exchange.ts";
import { html, type Html } from "#src/http/html.ts";
import type { HttpRoute } from "#src/http/route.ts";
import { redirect } from "#src/http/send.ts";
import type { Notice } from "#src/pages/notice.ts";

export function signInPages(gateway: Gateway): HttpRoute[] {
  const failed = "Sign-in failed";
  const findSignedIn = signedInFinder(gateway);
  return [
    formPage(gateway, {
      path: "/sign-in",
      async show(exchange, fields) {
        if (fields.has("invite")) return showForm(gateway, fields);
        const signedIn = await findSignedIn(await gateway.contexts.ofPage(exchange));
        return signedIn ? leadOn(gateway, exchange, signedIn, fields) : showForm(gateway, fields);
      },
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

/** Leads a signed-in user on to `returnTo`; who lacks access to an organization may have to sign in there first. */
function leadOn({ signIn }: Gateway, { response }: Exchange, signedIn: SignedIn, fields: URLSearchParams) {
  const environment = signIn();
  const returnTo = fields.get("returnTo");
  const to = returnTo === null ? null : allowedReturn(environment, returnTo);
  if (to === null || signedIn.closedMemberships.length > 0) return showSignedIn(signedIn, to ?? environment.home);
  redirect(response, to, []);
  return null;
}

const showSignedIn = ({ viewer, closedMemberships }: SignedIn, to: string): Notice =>
  shown(
    "You are signed in",
    html`<p>You are signed in as ${viewer.email}.</p>
      <p class="actions"><a class="button" href="${to}">Continue</a></p>
      ${closedMemberships.map(
        ({ title, logins }) =>
          html`<p>
            ${title} requires you to sign in with its identity provider:
            ${logins.map(({ label, startURL }) => html`<a href="${startURL}">${label}</a> `)}
          </p>`,
      )}
      <form method="post" action="/auth/sign-out" class="quiet"><button>Sign out</button></form>`,
  );

const showForm = (gateway: Gateway, fields: URLSearchParams): Notice =>
  shown(
    "Sign in",
    html`${bySingleSignOn(gateway, fields)}
      <form method="post" action="/sign-in" class="stacked">
        ${carried(fields, ["returnTo", "invite"])}
        <label>Your e-mail address <input type="email" name="email" autocomplete="email" required /></label>
        <button>Send me a link</button>
      </form>
      <p class="soft">
        You receive a link by e-mail that signs you in. Some organizations have their own sign-in page with another
        address.
      </p>`,
  );

/** The link to the OpenID provider of the gateway. */
function bySingleSignOn({ openIdProvider, publicUrl }: Gateway, fields: URLSearchParams): Html | "" {
  if (!openIdProvider) return "";
  const returnTo = fields.get("returnTo");
  const query = returnTo === null ? "" : `?${new URLSearchParams({ returnTo }).toString()}`;
  const address = `${oidcStart(publicUrl(), gatewayProviderId)}${query}`;
  return html`<p class="actions"><a class="button" href="${address}">Sign in with ${openIdProvider.label}</a></p>`;
}

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
      ${emails.areLogged ? whereLogged : ""}
      <p>No e-mail? Check your spam folder and the spelling of the address.</p>`,
  );
}

const whereLogged = html`<p>
  <b>No e-mail is sent by this gateway</b>, because <code>SMTP_URL</code> is not set: in development the link is in the
  log, where docgraph was started. <code>npm run -s login -- &lt;email&gt;</code> prints one, too.
</p>`;

/** The page of a link. It does not look up the link, so it does not reveal whether it is valid. */
const showLink = (fields: URLSearchParams): Notice =>
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
  const context = await contexts.ofSession(exchange, taken.secret);
  const location = invite === null ? await placeFor(context, environment, taken.returnTo) : await join(context, invite);
  redirect(response, location, [cookie]);
  return null;
}

/** Joins by an invite link. Returns the address of the organization. */
async function join(context: Context, key: string): Promise<string> {
  const { organizationId } = await useInviteLink(context, key);
  return context.links.app(`orgs/${organizationId}`, organizationId);
}

/** Where a sign-in leads: if the reader came from nowhere, to their open invitations, or else to the application. */
async function placeFor(context: Context, { home }: SignInEnvironment, returnTo: string | null): Promise<string> {
  if (returnTo !== null && returnTo !== home) return returnTo;
  return (await findShownInvitations(context)).length === 0 ? home : `${context.publicUrl}/invitations`;
}
