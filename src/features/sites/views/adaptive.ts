// The page of adaptive content of a site: the claims of visitors, and what its conditions make of sample claims.
import { claimNames, type AdaptiveSchema } from "#src/features/sites/model/adaptive-schema.ts";
import { pathOfSite, type SiteAnswer, siteAdminPage } from "#src/features/sites/views/site-frame.ts";
import { optionsOf, tableOf } from "#src/features/users/views/app-lists.ts";
import { html, type Html } from "#src/http/html.ts";
import { filled, formOf, problemOf } from "#src/pages/forms.ts";
import type { Asked, Shown } from "#src/pages/page.ts";

interface Check {
  readonly condition: string;
  readonly outcome: "SHOWN" | "HIDDEN" | "FAILED";
  readonly error: string | null;
  readonly siteSection: { readonly id: string; readonly title: string } | null;
  readonly siteSpace: { readonly id: string; readonly title: string } | null;
}

interface AdaptiveSite {
  readonly adaptiveContent: { readonly enabled: boolean };
  readonly adaptiveSchema: { readonly jsonSchema: AdaptiveSchema } | null;
  readonly conditionChecks: readonly Check[];
}

export type AdaptiveAnswer = SiteAnswer<AdaptiveSite>;

export const adaptiveView = (answer: AdaptiveAnswer, asked: Asked): Shown =>
  siteAdminPage(answer, asked, () => ({
    tab: "Adaptive content",
    main: html`<p class="lead">Sections and spaces with a condition are shown to the visitors for whom it is true.</p>
      ${switchOf(answer, asked)} ${checksOf(answer, asked)} ${schemaOf(answer, asked)}`,
  }));

function switchOf({ site: { adaptiveContent, adaptiveSchema } }: AdaptiveAnswer, asked: Asked): Html {
  const { enabled } = adaptiveContent;
  if (!adaptiveSchema && !enabled) return problemOf(asked, "switch");
  return html`${problemOf(asked, "switch")}
  ${formOf(
    "switch",
    html`<p>
        ${enabled ? "Adaptive content is on." : "Adaptive content is off: conditions find no claims of visitors."}
      </p>
      <input type="hidden" name="enabled" value="${enabled ? "" : "on"}" />
      <button>${enabled ? "Turn it off" : "Turn it on"}</button>`,
    { style: "row quiet" },
  )}`;
}

/** A visitor has a claim, has it as false, or does not have it. */
const values = [
  ["", "not in the token"],
  ["true", "true"],
  ["false", "false"],
] as const;

function checksOf({ site }: AdaptiveAnswer, asked: Asked): Html {
  const { conditionChecks, adaptiveSchema, organization } = site;
  const names = claimNames(adaptiveSchema?.jsonSchema ?? null) ?? [];
  const structure = `${pathOfSite(organization?.id ?? "", site.id)}/structure`;
  return html`<h2 id="check">What a visitor sees</h2>
    ${
      names.length === 0
        ? html`<p class="soft">Declare claims below to try conditions with them.</p>`
        : html`<form class="stacked quiet" action="${asked.root}#check">
            <div class="claim-fields">${names.map((name) => claimField(name, asked))}</div>
            <button>Check</button>
          </form>`
    }
    ${
      conditionChecks.length === 0
        ? html`<p>
            No section and no space has a condition. You set them in the
            <a href="${structure}">structure</a>.
          </p>`
        : tableOf(
            "Conditions",
            ["Part", "Condition", "For this visitor"],
            conditionChecks.map((check) => checkRow(check, structure)),
          )
    }`;
}

const claimField = (name: string, { search }: Asked): Html =>
  html`<label>
    ${name}
    <select name="claim.${name}">
      ${optionsOf(values, search.get(`claim.${name}`) ?? "")}
    </select>
  </label>`;

const outcomes = { SHOWN: "Shown", HIDDEN: "Hidden", FAILED: "Hidden: it fails" } as const;

function checkRow({ condition, outcome, error, siteSection, siteSpace }: Check, structure: string): Html {
  const part = siteSection ?? siteSpace;
  return html`<tr>
    <td class="wide">
      ${part ? html`<a href="${structure}#${part.id}">${part.title}</a>` : ""}
      <span class="soft">${siteSection ? "Section" : "Space"}</span>
    </td>
    <td class="wide"><code>${condition}</code></td>
    <td class="tight">
      <span class="badge ${outcome === "SHOWN" ? "live" : ""}">${outcomes[outcome]}</span>
      ${error === null ? "" : html`<span class="soft error">${error}</span>`}
    </td>
  </tr>`;
}

const example: object = {
  type: "object",
  properties: {
    customer: { type: "boolean", title: "Customer" },
    unsigned: {
      type: "object",
      properties: { beta: { type: "boolean", title: "Wants to see what is new" } },
      additionalProperties: false,
    },
  },
  additionalProperties: false,
};

function schemaOf({ site: { adaptiveSchema } }: AdaptiveAnswer, asked: Asked): Html {
  const known = JSON.stringify(adaptiveSchema?.jsonSchema ?? example, null, 2);
  return html`<h2 id="schema">Claims of visitors</h2>
    <p class="soft">
      A JSON schema (draft 07) of an object with boolean properties. Tokens that your application signs contain these
      claims; those below <code>unsigned</code> a visitor may choose.
      ${adaptiveSchema ? "" : "This is an example: change it into yours."}
    </p>
    ${problemOf(asked, "schema")}
    ${formOf(
      "schema",
      html`<label>
          Schema
          <textarea name="schema" spellcheck="false" rows="16">${filled(asked, "schema", "schema", known)}</textarea>
        </label>
        <button formaction="#schema">Save</button>`,
      { style: "stacked" },
    )}`;
}
