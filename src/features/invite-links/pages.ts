// The page of an invite link under `/app/`: for everybody who has its key; it shows nothing of the organization.
import { findInvitation } from "#src/features/invite-links/reads.ts";
import type { AppPage } from "#src/http/app-pages.ts";
import { html } from "#src/http/html.ts";

export const inviteLinkPages: readonly AppPage[] = [
  {
    path: "invites/:key",
    async find(context, { key = "" }) {
      if (!(await findInvitation(context, key))) return null;
      return {
        status: 200,
        title: "You are invited to an organization",
        body: html`<p>
            Who has this link may join:
            <a href="${context.publicUrl}/sign-in?invite=${key}">join with your e-mail address</a>. A program joins with
            an API token of its own, by this operation of <a href="${context.publicUrl}/graphql">GraphQL</a>:
          </p>
          <pre>mutation { useInviteLink(input: { key: "${key}" }) { __typename } }</pre>`,
      };
    },
  },
];
