// The page of the invitations to the address of the user who is signed in, where they accept or decline them.
import { requireScope } from "#src/access/viewer.ts";
import { DomainError, invalidInput } from "#src/base/errors.ts";
import type { Gateway } from "#src/features/feature.ts";
import { acceptInvitation, declineInvitation } from "#src/features/invitations/commands.ts";
import { formPage, shown, signedInFinder } from "#src/features/invitations/http/sign-in.ts";
import { findShownInvitations, type ShownInvitation } from "#src/features/invitations/reads.ts";
import type { Exchange } from "#src/http/exchange.ts";
import { html } from "#src/http/html.ts";
import type { HttpRoute } from "#src/http/route.ts";
import { redirect } from "#src/http/send.ts";

/** The route of this page. */
export function invitationPage(gateway: Gateway): HttpRoute {
  const findSignedIn = signedInFinder(gateway);
  const whoOf = async (exchange: Exchange) => {
    const context = await gateway.contexts.ofPage(exchange);
    return { context, email: (await findSignedIn(context))?.viewer.email };
  };

  /** Leads to the sign-in, and from there back. */
  async function show(exchange: Exchange) {
    const { context, email } = await whoOf(exchange);
    const { publicUrl } = context;
    if (email === undefined) {
      const back = new URLSearchParams({ returnTo: `${publicUrl}/invitations` });
      redirect(exchange.response, `${publicUrl}/sign-in?${back.toString()}`, []);
      return null;
    }
    const invitations = await findShownInvitations(context);
    if (invitations.length === 0) return shown("No invitations", html`<p>There is no invitation to ${email}.</p>`);
    return shown(
      "Your invitations",
      html`<p>To ${email}. An organization learns who you are when you accept.</p>
        ${invitations.map(formOf)}`,
    );
  }

  /** Accepts, and goes on to the organization; or declines, and shows the other invitations. */
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
    } else throw invalidInput("answer", "must be accept or decline.");
    return null;
  }

  return formPage(gateway, { path: "/invitations", show, take, failed: "This invitation cannot be answered" });
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
