// The page of the look of a site: its title, colour, font, logo, links and footer, with the contrast that readers get.
import { contrastIn, readableColors } from "#src/features/sites/model/colors.ts";
import { customizationLimits, fontFamilies } from "#src/features/sites/model/customization.ts";
import { type SiteAnswer, siteAdminPage } from "#src/features/sites/views/site-frame.ts";
import { optionsOf } from "#src/features/users/views/app-lists.ts";
import { html, type Html } from "#src/http/html.ts";
import { filled, formOf, problemOf } from "#src/pages/forms.ts";
import type { Asked, Shown } from "#src/pages/page.ts";

interface Look {
  readonly title: string;
  readonly primaryColor: { readonly chosen: string; readonly light: string; readonly dark: string } | null;
  readonly logo: { readonly light: string | null; readonly dark: string | null } | null;
  readonly font: string;
  readonly fontFamily: string;
  readonly headerLinks: readonly { readonly title: string; readonly url: string }[];
  readonly footer: string | null;
}

export type LookAnswer = SiteAnswer<{ readonly customization: Look }>;

/** The colour that the field shows while the site has none: that of links on light pages. */
const usualColor = "#0b6b5c";

const fonts = [
  ["SYSTEM", "The font of the reader's system"],
  ["HUMANIST", "Humanist: a sans serif like handwriting"],
  ["GEOMETRIC", "Geometric: a sans serif of circles and lines"],
  ["SERIF", "Serif"],
  ["MONOSPACE", "Monospace"],
] as const;

export const lookView = (answer: LookAnswer, asked: Asked): Shown =>
  siteAdminPage(answer, asked, () => ({
    tab: "Look",
    main: html`${samplesOf(answer)} ${problemOf(asked, "look")}
    ${formOf("look", fieldsOf(answer.site, asked), { style: "stacked" })}`,
    theme: themeOf(answer.site.customization),
  }));

const colorsOf = ({ primaryColor }: Look) => primaryColor ?? readableColors(usualColor);

/** The styles of the samples. Colours and fonts come from the model, which has checked them. */
function themeOf(look: Look): string {
  const { light, dark } = colorsOf(look);
  const family = Object.values(fontFamilies).find((known) => known === look.fontFamily) ?? fontFamilies.system;
  return [
    `.site-sample{font-family:${family}}`,
    `.site-sample.light .link{color:${light}}`,
    `.site-sample.dark .link{color:${dark}}`,
  ].join("");
}

/** How a page begins in both colour schemes, and the contrast of its links. */
const samplesOf = ({ site: { customization } }: LookAnswer): Html =>
  html`<div class="site-samples">${sampleOf("light", customization)} ${sampleOf("dark", customization)}</div>
    ${contrastOf(customization)}`;

const sampleOf = (scheme: "light" | "dark", look: Look): Html =>
  html`<div class="site-sample ${scheme}">
    <p class="sample-head">
      <strong>${look.title}</strong> ${look.headerLinks.slice(0, 3).map(({ title }) => html`<span>${title}</span>`)}
    </p>
    <p>Text with <span class="link">a link</span> on a ${scheme} page.</p>
    ${look.footer === null ? "" : html`<p class="sample-foot">${look.footer}</p>`}
  </div>`;

/** Whether the chosen colour is shown as it is: a link needs a contrast of 4.5 with the page. */
function contrastOf({ primaryColor }: Look): Html {
  if (!primaryColor) return html`<p class="soft">The site has the usual colour.</p>`;
  const { chosen } = primaryColor;
  const line = (scheme: "light" | "dark") => {
    const used = primaryColor[scheme];
    const contrast = (color: string) => contrastIn(scheme, color).toFixed(1);
    return html`<li>
      On ${scheme} pages:
      ${
        used === chosen
          ? html`<code>${chosen}</code>, contrast ${contrast(chosen)}.`
          : html`<code>${used}</code>, contrast ${contrast(used)}. That of <code>${chosen}</code> would be
              ${contrast(chosen)}, which is less than 4.5.`
      }
    </li>`;
  };
  return html`<ul class="soft">
    ${line("light")} ${line("dark")}
  </ul>`;
}

function fieldsOf({ title, customization: look }: LookAnswer["site"], asked: Asked): Html {
  const value = (name: string, known: string | null) => filled(asked, "look", name, known ?? "");
  return html`<input type="hidden" name="siteTitle" value="${title}" />
    <label>
      Title in the header
      <input name="title" maxlength="${customizationLimits.title}" value="${value("title", look.title)}" />
    </label>
    ${colorField(look, asked)}
    <label>
      Font
      <select name="font">
        ${optionsOf(fonts, value("font", look.font))}
      </select>
    </label>
    <label>
      Address of the logo
      <input name="logoLight" type="url" value="${value("logoLight", look.logo?.light ?? null)}" />
    </label>
    <label>
      Address of the logo on dark pages, if it is another one
      <input name="logoDark" type="url" value="${value("logoDark", look.logo?.dark ?? null)}" />
    </label>
    ${linkFields(look, asked)}
    <label>
      Text at the end of each page
      <textarea name="footer" class="short" maxlength="${customizationLimits.footer}">
${value("footer", look.footer)}</textarea>
    </label>
    <button>Save</button>`;
}

/** A field for colours always has one: the box says whether it counts. */
function colorField({ primaryColor }: Look, asked: Asked): Html {
  const known = primaryColor?.chosen ?? usualColor;
  const isSent = asked.problem?.form === "look";
  const hasColor = isSent ? asked.problem?.fields.has("hasColor") : primaryColor !== null;
  return html`<fieldset class="row-fields">
    <legend>Colour of links and buttons</legend>
    <label class="check">
      <input type="checkbox" name="hasColor" ${hasColor ? html`checked` : ""} />
      A colour of our own
    </label>
    <input type="hidden" name="shownColor" value="${known}" />
    <input
      type="color"
      name="primaryColor"
      aria-label="Colour"
      value="${filled(asked, "look", "primaryColor", known)}"
    />
  </fieldset>`;
}

/** The links that exist, and empty fields for two more. */
function linkFields({ headerLinks }: Look, asked: Asked): Html {
  const sent = asked.problem?.form === "look" ? asked.problem.fields : null;
  const shown = sent ? sent.getAll("linkTitle").length : headerLinks.length + 2;
  const rows = Array.from({ length: Math.min(shown, customizationLimits.links) }, (_, index) => {
    const value = (name: string, known: string | undefined) => sent?.getAll(name)[index] ?? known ?? "";
    return html`<div class="row-fields">
      <input
        name="linkTitle"
        aria-label="Text of link ${index + 1}"
        placeholder="Text"
        maxlength="${customizationLimits.linkTitle}"
        value="${value("linkTitle", headerLinks[index]?.title)}"
      />
      <input
        name="linkUrl"
        type="url"
        aria-label="Address of link ${index + 1}"
        placeholder="https://"
        value="${value("linkUrl", headerLinks[index]?.url)}"
      />
    </div>`;
  });
  return html`<fieldset class="link-fields">
    <legend>Links in the header</legend>
    ${rows}
    <p class="hint">An empty line removes its link. You can add two at a time, at most ten.</p>
  </fieldset>`;
}
