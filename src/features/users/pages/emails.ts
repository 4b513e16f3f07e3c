// The page on which the signed-in user says which e-mails they want.
import { type NoticeKind, noticeKinds } from "#src/features/users/commands/notices.ts";
import { accountPage } from "#src/features/users/views/account-frame.ts";
import { type AppFrame, appFrame } from "#src/features/users/views/app-frame.ts";
import { html, type Html } from "#src/http/html.ts";
import { formOf, problemOf } from "#src/pages/forms.ts";
import { type Asked, defineForm, definePage, type Page } from "#src/pages/page.ts";

interface Answer extends AppFrame {
  /** In the form of the schema, such as `MENTION`. */
  readonly mutedEmails: readonly string[];
}

const kinds = Object.entries(noticeKinds) as [NoticeKind, string][]; // Object.entries loses the names

export const emailsPage: Page = definePage<Answer>({
  path: "/app/me/emails",
  query: `query MyEmails { mutedEmails ...AppFrame } ${appFrame}`,
  variables: () => ({}),
  view: (answer, asked) => accountPage(answer, { tab: "E-mails", main: mainOf(answer, asked) }),
  forms: {
    emails: defineForm({
      mutation: `mutation ChooseEmails($input: UpdateViewerInput!) { updateViewer(input: $input) { viewer { id } } }`,
      variables: (fields) => ({
        input: { mutedEmails: kinds.flatMap(([kind]) => (fields.has(kind) ? [] : [kind.toUpperCase()])) },
      }),
      then: (_answer, { root }) => root,
    }),
  },
});

const mainOf = ({ mutedEmails }: Answer, asked: Asked): Html =>
  html`<h2>E-mails</h2>
    <p class="soft">E-mails to sign in are always sent. These are up to you:</p>
    ${problemOf(asked, "emails")}
    ${formOf(
      "emails",
      html`${kinds.map(
          ([kind, text]) =>
            html`<label class="check">
              <input type="checkbox" name="${kind}" ${mutedEmails.includes(kind.toUpperCase()) ? "" : html`checked`} />
              ${text}
            </label>`,
        )}<button>Save</button>`,
      { style: "stacked" },
    )}`;
