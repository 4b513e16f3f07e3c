// The page of the addresses of a site: its hostname with the DNS record that verifies it, and its path elsewhere.
import { type SiteAnswer, siteAdminPage } from "#src/features/sites/views/site-frame.ts";
import { timeOf } from "#src/features/users/views/app-frame.ts";
import { confirmed } from "#src/features/users/views/app-lists.ts";
import { html, type Html } from "#src/http/html.ts";
import { filled, formOf, problemOf } from "#src/pages/forms.ts";
import type { Asked, Shown } from "#src/pages/page.ts";

interface Claim {
  readonly hostname: string;
  readonly state: "PENDING" | "VERIFIED" | "MISSING";
  readonly record: { readonly name: string; readonly type: string; readonly value: string };
  readonly checkedAt: string | null;
  readonly verifiedAt: string | null;
  readonly keptUntil: string | null;
}

interface AddressSite {
  readonly basename: string | null;
  readonly proxy: { readonly origin: string; readonly target: string } | null;
  readonly hostnameClaim: Claim | null;
}

export type AddressAnswer = SiteAnswer<AddressSite>;

export const addressView = (answer: AddressAnswer, asked: Asked): Shown =>
  siteAdminPage(answer, asked, () => ({
    tab: "Address",
    main: html`${currentOf(answer)} ${hostnameOf(answer, asked)} ${othersOf(answer, asked)}`,
  }));

const currentOf = ({ site: { urls } }: AddressAnswer): Html =>
  urls.published === null
    ? html``
    : html`<p>Visitors reach the site at <a class="address" href="${urls.published}">${urls.published}</a>.</p>`;

function hostnameOf({ site: { hostnameClaim: claim } }: AddressAnswer, asked: Asked): Html {
  return html`<h2 id="hostname">Hostname</h2>
    ${claim ? html`${claimOf(claim)} ${checkOf(claim, asked)}` : html`<p class="soft">A hostname of your own, such as docs.example.com.</p>`}
    ${problemOf(asked, "hostname")}
    ${formOf(
      "hostname",
      html`<label>
          ${claim ? "Another hostname" : "Hostname"}
          <input
            name="hostname"
            required
            maxlength="253"
            placeholder="docs.example.com"
            autocapitalize="off"
            spellcheck="false"
            value="${filled(asked, "hostname", "hostname")}"
          />
        </label>
        <button formaction="#hostname">${claim ? "Change the hostname" : "Claim the hostname"}</button>`,
      { style: claim ? "row quiet" : "row" },
    )}
    ${problemOf(asked, "release")} ${claim ? releasing(claim) : ""}`;
}

const states = { PENDING: "Waiting for the record", VERIFIED: "Verified", MISSING: "The record is missing" } as const;

const claimOf = (claim: Claim): Html =>
  html`<p>
      <strong>${claim.hostname}</strong>
      <span class="badge ${claim.state === "VERIFIED" ? "live" : ""}">${states[claim.state]}</span>
    </p>
    <p class="soft">${stateOf(claim)}</p>
    <dl class="record">
      <dt>Name</dt>
      <dd><span class="address">${claim.record.name}</span></dd>
      <dt>Type</dt>
      <dd>${claim.record.type}</dd>
      <dt>Value</dt>
      <dd><span class="address">${claim.record.value}</span></dd>
    </dl>`;

/** The form that checks the record now, and what it has found. */
const checkOf = (claim: Claim, asked: Asked): Html =>
  html`${problemOf(asked, "check")} ${asked.made ? foundOf(claim, asked.made as Found) : ""}
  ${formOf("check", html`<button formaction="#hostname">Check the record now</button>`, { style: "quiet" })}`;

interface Found {
  readonly foundValues: readonly string[];
}

function foundOf({ state, record }: Claim, { foundValues }: Found): Html {
  if (state === "VERIFIED" && foundValues.length > 0)
    return html`<p class="banner" role="status">The record was found: the hostname serves the site.</p>`;
  if (foundValues.length === 0)
    return html`<p class="problem" role="status">
      The DNS has no TXT record at ${record.name} yet. New records can take some hours until they are visible.
    </p>`;
  return html`<div class="problem" role="status">
    <p>The DNS has other TXT records at ${record.name}, and not the one above:</p>
    <ul>
      ${foundValues.slice(0, 10).map((value) => html`<li><code>${value.slice(0, 200)}</code></li>`)}
    </ul>
  </div>`;
}

/** What the last check has found, and what to do. */
function stateOf({ state, checkedAt, verifiedAt, keptUntil }: Claim): Html {
  const checked = checkedAt === null ? html`It was not checked yet.` : html`Last checked ${timeOf(checkedAt)}.`;
  if (state === "PENDING")
    return html`Add this record to the DNS of the domain, and lead the hostname to this server. The record is checked
    every five minutes at first; this page shows it when it is found. ${checked}`;
  if (state === "VERIFIED")
    return html`It serves the site${verifiedAt === null ? "" : html` since ${timeOf(verifiedAt)}`}. Keep the record: it
    is checked regularly. ${checked}`;
  return html`Add the record again: without it the site loses the
  hostname${keptUntil === null ? "" : html` at ${timeOf(keptUntil)}`}. ${checked}`;
}

const releasing = ({ hostname }: Claim): Html =>
  confirmed(
    "Give it up…",
    formOf(
      "release",
      html`<p>The site leaves ${hostname}, and other sites may claim it.</p>
        <button formaction="#hostname">Give up ${hostname}</button>`,
      { style: "danger" },
    ),
  );

const othersOf = ({ site: { basename, proxy } }: AddressAnswer, asked: Asked): Html =>
  html`<h2 id="names">Other addresses</h2>
    ${problemOf(asked, "names")}
    ${formOf(
      "names",
      html`<label>
          Name in addresses of the organization
          <input
            name="basename"
            required
            maxlength="100"
            value="${filled(asked, "names", "basename", basename ?? "")}"
          />
        </label>
        <label>
          Host and path of a proxy that serves the site
          <input
            name="proxy"
            maxlength="512"
            placeholder="example.com/docs"
            value="${filled(asked, "names", "proxy", proxy ? proxy.origin + proxy.target : "")}"
          />
        </label>
        <p class="hint">
          Links of the site lead to the proxy, which has to pass requests on to this server. Empty if it has no proxy.
        </p>
        <button formaction="#names">Save</button>`,
      { style: "stacked quiet" },
    )}`;
