// The structure of a site as nested lists: each entry with its path, its marks, the buttons that move it, and, for
// those who may change the site, the forms that change it.
import { pathOfSpace } from "#src/features/content/views/place.ts";
import { groupForms, sectionForms, spaceForms } from "#src/features/sites/views/structure/entry-forms.ts";
import { type Direction, moved } from "#src/features/sites/views/structure/order.ts";
import {
  type GroupNode,
  optionsIn,
  type Options,
  placeableSpaces,
  type SectionNode,
  type SpaceRow,
  type StructureAnswer,
  type Tree,
} from "#src/features/sites/views/structure/tree.ts";
import { html, type Html } from "#src/http/html.ts";
import type { Asked } from "#src/pages/page.ts";

/** What all entries of a page share. */
interface Shared {
  readonly tree: Tree;
  readonly indexes: ReadonlyMap<string, number>;
  readonly isAdmin: boolean;
  readonly groups: Options;
  /** The spaces that the viewer may publish. */
  readonly spaces: Options;
  readonly asked: Asked;
}

/** The lists of a structure. */
export function rowsOf({ site }: StructureAnswer, tree: Tree, asked: Asked): Html {
  const shared: Shared = {
    tree,
    indexes: new Map(tree.lines.map(({ id }, index) => [id, index])),
    isAdmin: site.permissions.admin,
    groups: optionsIn(site.sectionGroups.nodes),
    spaces: placeableSpaces(site),
    asked,
  };
  const { root, entries } = tree;
  return entries.length === 0
    ? listOf(
        "space",
        root.map((one) => spaceRow(one, root.length, shared)),
      )
    : listOf(
        "group section",
        entries.map((one) => ("group" in one ? groupRow(one, shared) : sectionRow(one, shared))),
      );
}

/** A list that takes entries of these kinds when they are dropped there. */
const listOf = (takes: string, items: readonly Html[]): Html =>
  html`<ol class="site-tree ${items.length === 0 ? "bare" : ""}" data-takes="${takes}">
    ${items}
  </ol>`;

interface Entry {
  readonly id: string;
  readonly kind: "group" | "section" | "space";
  readonly title: string;
  readonly name: Html;
  readonly path?: string;
  readonly marks: readonly string[];
  readonly condition?: string | null;
  /** The forms that change it, for the entry's own part of the request. */
  readonly forms: (own: Asked) => Html;
  readonly below?: Html;
}

function entryOf(entry: Entry, shared: Shared): Html {
  const { id, kind, title, name, path, marks, condition, forms, below = html`` } = entry;
  const own = ownOf(shared.asked, id);
  return html`<li class="site-entry" id="${id}" data-kind="${kind}">
    <div class="entry-line">
      <div class="entry-name">
        ${name} ${path === undefined ? "" : html`<code>/${path}</code>`}
        ${marks.map((mark) => html`<span class="badge">${mark}</span>`)}
        ${condition ? html`<span class="condition">Only if <code>${condition}</code></span>` : ""}
      </div>
      ${shared.isAdmin ? html`<div class="entry-tools">${movesOf(id, title, shared)} ${changeLink(entry, own)}</div>` : ""}
    </div>
    ${shared.isAdmin && isOpen(id, own) ? html`<div class="entry-forms">${forms(own)}</div>` : ""} ${below}
  </li>`;
}

/** The address names the entry whose forms are open: those of all entries would be a large page. */
const isOpen = (id: string, { problem, search }: Asked): boolean =>
  problem?.fields.get("id") === id || search.get("change") === id;

const changeLink = ({ id, title }: Entry, own: Asked): Html =>
  isOpen(id, own)
    ? html`<a href="${own.root}#${id}" aria-label="Close the forms of ${title}">Close</a>`
    : html`<a href="${own.root}?change=${id}#${id}" aria-label="Change ${title}">Change</a>`;

/** The request as one entry sees it: what was wrong with a form concerns the entry that the form names. */
function ownOf(asked: Asked, id: string): Asked {
  if (!asked.problem || asked.problem.fields.get("id") === id) return asked;
  const { problem: _other, ...rest } = asked;
  return rest;
}

/** The browser keeps the fragment when the form leads on: the focus is on the same button again. */
function movesOf(id: string, title: string, { tree, indexes }: Shared): Html {
  if (!tree.isWhole) return html``;
  const button = (direction: Direction, sign: string) => {
    const isPossible = moved(tree.lines, indexes.get(id) ?? -1, direction) !== null;
    return html`<button
      form="order"
      name="move"
      value="${direction} ${id}"
      id="${direction}-${id}"
      formaction="#${direction}-${id}"
      aria-label="Move ${title} ${direction}"
      ${isPossible ? "" : html`disabled`}
    >
      ${sign}
    </button>`;
  };
  return html`${button("up", "↑")} ${button("down", "↓")}`;
}

const groupRow = ({ group, sections }: GroupNode, shared: Shared): Html =>
  entryOf(
    {
      id: group.id,
      kind: "group",
      title: group.title,
      name: html`<strong>${group.title}</strong>`,
      marks: ["Group"],
      forms: (own) => groupForms(group, own),
      below: listOf(
        "section",
        sections.map((one) => sectionRow(one, shared)),
      ),
    },
    shared,
  );

function sectionRow({ section, siteSpaces }: SectionNode, shared: Shared): Html {
  const { id, title, path, condition, isDefault } = section;
  return entryOf(
    {
      id,
      kind: "section",
      title,
      name: html`<strong>${title}</strong>`,
      path,
      marks: ["Section", ...(isDefault ? ["Shown first"] : [])],
      condition,
      forms: (own) => sectionForms(section, shared.groups, own),
      below: listOf(
        "space",
        siteSpaces.map((one) => spaceRow(one, siteSpaces.length, shared)),
      ),
    },
    shared,
  );
}

function spaceRow(row: SpaceRow, count: number, shared: Shared): Html {
  const { id, title, path, condition, isDefault, space } = row;
  return entryOf(
    {
      id,
      kind: "space",
      title,
      name: space ? html`<a href="${pathOfSpace(space.id)}">${title}</a>` : html`${title}`,
      path,
      marks: [...(isDefault && count > 1 ? ["Shown first"] : []), ...(space ? [] : ["Not visible to you"])],
      condition,
      forms: (own) => spaceForms(row, shared.spaces, own),
    },
    shared,
  );
}
