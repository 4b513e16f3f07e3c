// The page of the structure of a site, with the forms that add spaces, sections and groups to it.
import { sitePage } from "#src/features/sites/views/site-frame.ts";
import { choice } from "#src/features/sites/views/structure/entry-forms.ts";
import { orderText } from "#src/features/sites/views/structure/order.ts";
import { rowsOf } from "#src/features/sites/views/structure/rows.ts";
import {
  optionsIn,
  type Options,
  placeableSpaces,
  type StructureAnswer,
  type Tree,
  treeOf,
} from "#src/features/sites/views/structure/tree.ts";
import { html, type Html } from "#src/http/html.ts";
import { filled, formOf, problemOf } from "#src/pages/forms.ts";
import type { Asked, Shown } from "#src/pages/page.ts";

export function structureView(answer: StructureAnswer, asked: Asked): Shown {
  const { site } = answer;
  const tree = treeOf(site);
  const isAdmin = site.permissions.admin;
  const isEmpty = tree.lines.length === 0;
  return sitePage(answer, asked, {
    tab: "Structure",
    isSorted: isAdmin && tree.isWhole && !isEmpty,
    main: html`${isAdmin ? orderForm(answer, tree, asked) : ""}
    ${isEmpty ? html`<p>This site shows no spaces yet.</p>` : rowsOf(answer, tree, asked)}
    ${isAdmin ? html`${isEmpty ? "" : hintOf(asked)} ${conditionsOf(answer)} ${additionsOf(answer, tree, asked)}` : ""}`,
  });
}

/** The buttons of all entries belong to this form; a script sends it after a drag. */
const orderForm = ({ site: { structureVersion } }: StructureAnswer, tree: Tree, asked: Asked): Html =>
  tree.isWhole
    ? html`${problemOf(asked, "order")}
        <form method="post" id="order" hidden>
          <input type="hidden" name="form" value="order" />
          <input type="hidden" name="version" value="${structureVersion}" />
          <input type="hidden" name="order" value="${orderText(tree.lines)}" />
        </form>`
    : html`<p class="banner">
        This page shows the first 250 entries of each kind. The mutation <code>sortSiteStructure</code> sorts all of
        them.
      </p>`;

const hintOf = ({ root }: Asked): Html =>
  html`<p class="soft">
    Move entries by their buttons, or drag them.
    <a href="${root.replace(/structure$/, "adaptive")}#check">Try conditions with sample claims</a>
  </p>`;

/** Ready-made conditions that the fields suggest. */
const conditionsOf = ({ site: { templateConditions } }: StructureAnswer): Html =>
  html`<datalist id="conditions">
    ${templateConditions.map(
      ({ condition, description }) => html`<option value="${condition}">${description}</option>`,
    )}
  </datalist>`;

function additionsOf({ site }: StructureAnswer, { entries }: Tree, asked: Asked): Html {
  const [choices, sections] = [placeableSpaces(site), optionsIn(site.sections.nodes)];
  const hasMore = site.organization?.spaces.pageInfo.hasNextPage ?? false;
  return html`<h2 id="add">Add to the site</h2>
    ${hasMore || asked.search.has("find") ? findField(asked) : ""}
    ${
      choices.length === 0
        ? html`<p class="soft">You may publish spaces on which you have the role Review. No such space was found.</p>`
        : html`<div class="site-additions">
            ${spaceAddition(choices, sections, asked)} ${sectionAddition(choices, entries.length === 0, asked)}
            ${sections.length === 0 ? "" : groupAddition(sections, asked)}
          </div>`
    }`;
}

const findField = (asked: Asked): Html =>
  html`<form class="row" action="${asked.root}#add">
    <label>
      Find a space
      <input type="search" name="find" value="${asked.search.get("find") ?? ""}" maxlength="50" />
    </label>
    <button>Find</button>
  </form>`;

const spaceAddition = (spaces: Options, sections: Options, asked: Asked): Html =>
  html`<section>
    <h3>A space</h3>
    ${problemOf(asked, "space")}
    ${formOf(
      "space",
      html`${choice("Space", "spaceId", spaces, filled(asked, "space", "spaceId"))}
        ${sections.length === 0 ? "" : choice("In the section", "sectionId", sections, filled(asked, "space", "sectionId"))}
        <button formaction="#add">Add space</button>`,
      { style: "stacked" },
    )}
  </section>`;

/** The first section takes the spaces at the root with it. */
const sectionAddition = (spaces: Options, isFirst: boolean, asked: Asked): Html =>
  html`<section>
    <h3>A section</h3>
    ${isFirst ? html`<p class="soft">Sections are tabs of the site. The spaces above move into a first one.</p>` : ""}
    ${problemOf(asked, "section")}
    ${formOf(
      "section",
      html`<label>
          Title
          <input name="title" required minlength="2" maxlength="128" value="${filled(asked, "section", "title")}" />
        </label>
        ${choice("Its first space", "spaceId", spaces, filled(asked, "section", "spaceId"))}
        <button formaction="#add">Add section</button>`,
      { style: "stacked" },
    )}
  </section>`;

const groupAddition = (sections: Options, asked: Asked): Html =>
  html`<section>
    <h3>A group of sections</h3>
    ${problemOf(asked, "group")}
    ${formOf(
      "group",
      html`<label>
          Title
          <input name="title" required maxlength="100" value="${filled(asked, "group", "title")}" />
        </label>
        <fieldset>
          <legend>Sections in it</legend>
          ${sections.map(
            ([id, title]) =>
              html`<label class="check"><input type="checkbox" name="sectionId" value="${id}" /> ${title}</label>`,
          )}
        </fieldset>
        <button formaction="#add">Add group</button>`,
      { style: "stacked" },
    )}
  </section>`;
