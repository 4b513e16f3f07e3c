// The page of an invite link: a signed-in user joins with a button, everybody else with their e-mail address.
import { requireScope } from "#src/access/viewer.ts";
import { DomainError } from "#src/base/errors.ts";
import type { Gateway } from "#src/features/feature.ts";
import { formPage, shown, type SignedIn, signedInFinder } from "#src/features/invitations/http/form-page.ts";
import { useInviteLink } from "#src/features/invite-links/commands.ts";
import { findInvitation } from "#src/features/invite-links/reads.ts";
import type { Exchange } from "#src/http/exchange.ts";
import { html } from "#src/http/html.ts";
import type { HttpRoute } from "#src/http/route.ts";
import { redirect } from "#src/http/send.ts";
import type { Notice } from "#src/pages/notice.ts";

const start = "/app/invites/";

/** `/app/invites/<key>`; nothing where APP_URL names another application, to which the links lead then. */
export function inviteLinkPages(gateway: Gateway): HttpRoute[] {
  const findSignedIn = signedInFinder(gateway);
  const keyIn = ({ path }: Exchange) => path.slice(start.length);

  async function show(exchange: Exchange): Promise<Notice> {
    const context = await gateway.contexts.ofPage(exchange);
    const key = keyIn(exchange);
    const invitation = await findInvitation(context, key);
    if (!invitation) return invalid;
    const byEmail = `${context.publicUrl}/sign-in?${new URLSearchParams({ invite: key }).toString()}`;
    return offer(invitation.title, byEmail, await findSignedIn(context));
  }

  /** Joins and redirects to the organization. */
  async function take(exchange: Exchange): Promise<null> {
    gateway.origins.requireMeant(exchange.request);
    const context = await gateway.contexts.ofPage(exchange);
    if (!(await findSignedIn(context))) throw new DomainError("UNAUTHENTICATED", "Sign in first.");
    requireScope(context.viewer, "account");
    const { organizationId } = await useInviteLink(context, keyIn(exchange));
    redirect(exchange.response, context.links.app(`orgs/${organizationId}`, organizationId), []);
    return null;
  }

  const page = formPage(gateway, {
    path: start,
    pattern: /^\/app\/invites\/[\w.-]+$/,
    loggedPath: () => start.slice(0, -1),
    show,
    take,
    failed: "You could not join",
  });
  return gateway.appUrl === undefined ? [page] : [];
}

const offer = (title: string, byEmail: string, signedIn: SignedIn | null): Notice =>
  shown(
    `Join ${title}`,
    signedIn
      ? html`<p>You are invited to join <b>${title}</b> on docgraph.</p>
          <form method="post">
            <p><button>Join as ${signedIn.viewer.email}</button></p>
          </form>
          <p><a href="${byEmail}">Join with another e-mail address</a></p>`
      : html`<p>You are invited to join <b>${title}</b> on docgraph. You receive a link by e-mail that signs you in.</p>
          <p class="actions"><a class="button" href="${byEmail}">Join with your e-mail address</a></p>`,
  );

const invalid: Notice = {
  status: 404,
  title: "This invite link does not work",
  body: html`<p>It may have expired, or its organization has turned it off. Ask the sender for a new one.</p>
    <p class="actions"><a class="button" href="/sign-in">Sign in</a></p>`,
};
