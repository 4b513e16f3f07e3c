// The page of the invitations to the address of whoever is signed in, where they accept or decline them.
import { DomainError, invalidInput } from "#src/base/errors.ts";
import { requireScope } from "#src/access/viewer.ts";
import { acceptInvitation, declineInvitation } from "#src/features/invitations/commands.ts";
import { findShownInvitations, type ShownInvitation } from "#src/features/invitations/reads.ts";
import { type Exchange, type Handler, sendOn } from "#src/http/exchange.ts";
import { answered, type Given, shown, signedInAs } from "#src/server/auth/sign-in-pages.ts";
import { requireMeant } from "#src/http/origins.ts";
import { html } from "#src/http/html.ts";

/** The handler of `/invitations`. */
export const createInvitationPage = (given: Given): Handler =>
  answered(given, { show: showInvitations, take: answerInvitation, failed: "This invitation cannot be answered" });

/** Leads to the sign-in, and from there back. */
async function showInvitations({ contexts, signIn }: Given, exchange: Exchange) {
  const context = await contexts.ofPage(exchange);
  const name = await signedInAs(context);
  if (name === null) {
    const { publicUrl } = signIn();
    const back = new URLSearchParams({ returnTo: `${publicUrl}/invitations` });
    sendOn(exchange.response, `${publicUrl}/sign-in?${back.toString()}`, []);
    return null;
  }
  const invitations = await findShownInvitations(context);
  if (invitations.length === 0) return shown("No invitations", html`<p>There is no invitation to ${name}.</p>`);
  return shown(
    "Your invitations",
    html`<p>To ${name}. An organization learns who you are when you accept.</p>
      ${invitations.map(formOf)}`,
  );
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

/** Accepts, and goes on to the organization; or declines, and shows what is left. */
async function answerInvitation({ contexts, origins, signIn }: Given, exchange: Exchange, fields: URLSearchParams) {
  requireMeant(exchange.request, origins);
  const context = await contexts.ofPage(exchange);
  if ((await signedInAs(context)) === null) throw new DomainError("UNAUTHENTICATED", "Sign in first.");
  requireScope(context.viewer, "account");
  const [id, answer] = [fields.get("invitation") ?? "", fields.get("answer")];
  if (answer === "accept") {
    const { organizationId } = await acceptInvitation(context, id);
    sendOn(exchange.response, context.links.app(`orgs/${organizationId}`, organizationId), []);
  } else if (answer === "decline") {
    await declineInvitation(context, id);
    sendOn(exchange.response, `${signIn().publicUrl}/invitations`, []);
  } else throw invalidInput("answer", "must be accept or decline.");
  return null;
}
