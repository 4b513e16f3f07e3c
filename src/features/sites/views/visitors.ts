// The page of the visitors of a site: its audience, the secret link, and the keys and the sign-in address of visitors.
import { type SiteAnswer, siteAdminPage } from "#src/features/sites/views/site-frame.ts";
import { visibilities } from "#src/features/sites/views/visibilities.ts";
import { timeOf } from "#src/features/users/views/app-frame.ts";
import { confirmed, optionsOf, tableOf } from "#src/features/users/views/app-lists.ts";
import { html, type Html } from "#src/http/html.ts";
import { filled, formOf, problemOf } from "#src/pages/forms.ts";
import type { Asked, Shown } from "#src/pages/page.ts";

interface SigningKey {
  readonly id: string;
  readonly createdAt: string;
  readonly expiresAt: string | null;
}

interface VisitorsSite {
  readonly shareLink: { readonly url: string } | null;
  readonly visitorAuth: {
    readonly signingKeys: readonly SigningKey[];
    readonly jwksUrl: string | null;
    readonly signInUrl: string | null;
  } | null;
}

export type VisitorsAnswer = SiteAnswer<VisitorsSite>;

export const visitorsView = (answer: VisitorsAnswer, asked: Asked): Shown =>
  siteAdminPage(answer, asked, () => ({
    tab: "Visitors",
    main: html`${audienceOf(answer, asked)} ${linkOf(answer, asked)} ${keysOf(answer, asked)}
    ${addressesOf(answer, asked)}`,
  }));

const audienceOf = ({ site: { visibility } }: VisitorsAnswer, asked: Asked): Html =>
  html`<h2>Who reads the site</h2>
    ${problemOf(asked, "visibility")}
    ${formOf(
      "visibility",
      html`<label>
          Audience once it is published
          <select name="visibility">
            ${optionsOf(visibilities, filled(asked, "visibility", "visibility", visibility))}
          </select>
        </label>
        <p class="hint">
          Members of the organization always read it. A site that gets a secret link has a new one each time.
        </p>
        <button>Save</button>`,
      { style: "stacked" },
    )}`;

function linkOf({ site: { shareLink, published } }: VisitorsAnswer, asked: Asked): Html {
  if (!shareLink) return problemOf(asked, "newLink");
  return html`<h2 id="link">Secret link</h2>
    ${problemOf(asked, "newLink")}
    <p><span class="address">${shareLink.url}</span></p>
    <p class="soft">
      ${published ? "Everybody who has it reads the site." : "It opens the site as soon as you publish it."}
    </p>
    ${confirmed(
      "Replace the link…",
      formOf(
        "newLink",
        html`<p>The link above stops working at once.</p>
          <button>Replace it</button>`,
        { style: "danger" },
      ),
    )}`;
}

/** How long tokens of former keys stay valid, in seconds. */
const overlaps = [
  ["86400", "A day, in which your application changes to the new key"],
  ["604800", "A week"],
  ["0", "Not at all: end them now"],
] as const;

function keysOf({ site: { visitorAuth } }: VisitorsAnswer, asked: Asked): Html {
  const keys = visitorAuth?.signingKeys ?? [];
  return html`<h2 id="keys">Keys of visitors</h2>
    <p class="soft">
      Your application signs a token for each visitor (JWT, HS256) with a key. Its claims decide which conditions are
      true for them.
    </p>
    ${problemOf(asked, "newKey")} ${asked.secret === undefined ? "" : newKey(asked.secret)}
    ${keys.length === 0 ? html`<p>No keys yet.</p>` : tableOf("Keys", ["Key", "Created", "Valid until", "Action"], keys.map(keyRow))}
    ${problemOf(asked, "endKey")}
    ${formOf(
      "newKey",
      html`${
          keys.length === 0
            ? html`<input type="hidden" name="overlap" value="0" />`
            : html`<label>
                How long the former keys stay valid
                <select name="overlap">
                  ${optionsOf(overlaps, filled(asked, "newKey", "overlap", "86400"))}
                </select>
              </label>`
        } <button formaction="#keys">${keys.length === 0 ? "Make a key" : "Make a new key"}</button>`,
      { style: "stacked" },
    )}`;
}

const newKey = (key: string): Html =>
  html`<div class="secret" role="status">
    <p><strong>Copy the new key now.</strong> It is not shown again.</p>
    <code>${key}</code>
  </div>`;

const keyRow = ({ id, createdAt, expiresAt }: SigningKey): Html =>
  html`<tr>
    <td class="wide"><code>${id}</code></td>
    <td class="tight">${timeOf(createdAt)}</td>
    <td class="tight">${expiresAt === null ? html`<span class="badge">Current key</span>` : timeOf(expiresAt)}</td>
    <td>
      ${confirmed(
        "End it…",
        formOf(
          "endKey",
          html`<input type="hidden" name="id" value="${id}" />
            <p>Tokens signed with it stop working at once.</p>
            <button formaction="#keys">End this key</button>`,
          { style: "danger" },
        ),
      )}
    </td>
  </tr>`;

const addressesOf = ({ site: { visitorAuth } }: VisitorsAnswer, asked: Asked): Html =>
  html`<h2 id="addresses">Your application</h2>
    ${addressForm(asked, {
      form: "signIn",
      label: "Sign-in address",
      hint: "Visitors without a valid token get there, and come back with one. Empty: they read how to get in.",
      url: visitorAuth?.signInUrl ?? "",
    })}
    ${addressForm(asked, {
      form: "jwks",
      label: "Address of public keys (JWKS)",
      hint: "For tokens with RS256 or ES256 that your identity provider signs, in place of the keys above.",
      url: visitorAuth?.jwksUrl ?? "",
    })}`;

interface AddressForm {
  readonly form: string;
  readonly label: string;
  readonly hint: string;
  readonly url: string;
}

const addressForm = (asked: Asked, { form, label, hint, url }: AddressForm): Html =>
  html`${problemOf(asked, form)}
  ${formOf(
    form,
    html`<label>
        ${label}
        <input name="url" type="url" placeholder="https://" value="${filled(asked, form, "url", url)}" />
      </label>
      <p class="hint">${hint}</p>
      <button formaction="#addresses">Save</button>`,
    { style: "stacked quiet" },
  )}`;
