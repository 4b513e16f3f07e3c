// The page of the invitations to a signed-in user: each is accepted or declined with a button.
import { requireScope } from "#src/access/viewer.ts";
import { DomainError, invalidInput } from "#src/base/errors.ts";
import type { Gateway } from "#src/features/feature.ts";
import { acceptInvitation, declineInvitation } from "#src/features/invitations/commands.ts";
import { formPage, shown, signedInFinder } from "#src/features/invitations/http/form-page.ts";
import { findShownInvitations, type ShownInvitation } from "#src/features/invitations/reads.ts";
import type { Exchange } from "#src/http/exchange.ts";
import { html } from "#src/http/html.ts";
import type { HttpRoute } from "#src/http/route.ts";
import { redirect } from "#src/http/send.ts";
import type { Notice } from "#src/pages/notice.ts";

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
    return invitations.length === 0 ? noneFor(email, gateway.signIn().home) : listOf(email, invitations);
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

const noneFor = (email: string, home: string): Notice =>
  shown(
    "No invitations",
    html`<p>No open invitations to ${email} exist.</p>
      <p class="actions"><a class="button" href="${home}">Open docgraph</a></p>`,
  );

const listOf = (email: string, invitations: readonly ShownInvitation[]): Notice =>
  shown(
    "Your invitations",
    html`<p>Invitations to ${email}. An organization learns who you are only when you accept.</p>
      <ul class="card-list">
        ${invitations.map(formOf)}
      </ul>`,
  );

const formOf = ({ id, title, inviter }: ShownInvitation) =>
  html`<li>
    <form method="post" action="/invitations">
      <input type="hidden" name="invitation" value="${id}" />
      <p>${inviter === null ? "You are invited" : html`${inviter} invites you`} to join <b>${title}</b> on docgraph.</p>
      <p class="buttons">
        <button name="answer" value="accept">Accept</button>
        <button name="answer" value="decline" class="quiet">Decline</button>
      </p>
    </form>
  </li>`;
