// The frame of the pages of the signed-in user: their tabs, and the form that signs out.
import { appPage, type AppFrame } from "#src/features/users/views/app-frame.ts";
import { tabsOf } from "#src/features/users/views/app-lists.ts";
import { html, type Html } from "#src/http/html.ts";
import type { ShownPage } from "#src/pages/page.ts";

const tabs = [
  ["Profile", "/app/me"],
  ["E-mails", "/app/me/emails"],
  ["Sessions", "/app/me/sessions"],
  ["API tokens", "/app/me/tokens"],
] as const;

/** A page of the account, under the tab with this name. */
export const accountPage = (
  answer: AppFrame,
  { tab, main }: { readonly tab: (typeof tabs)[number][0]; readonly main: Html },
): ShownPage =>
  appPage(answer, {
    title: tab,
    main: html`<div class="app-head">
        <h1>${answer.viewer.displayName}</h1>
        <form method="post" action="/auth/sign-out" class="quiet"><button>Sign out</button></form>
      </div>
      ${tabsOf("Account pages", tab, tabs)} ${main}`,
  });
