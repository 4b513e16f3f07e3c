// The forms that change one entry of the structure of a site: its title, path and condition, what is shown first, and
// its removal.
import type { GroupRow, Options, SectionRow, SpaceRow } from "#src/features/sites/views/structure/tree.ts";
import { confirmed, optionsOf } from "#src/features/users/views/app-lists.ts";
import { html, type Html } from "#src/http/html.ts";
import { filled, formOf, problemOf } from "#src/pages/forms.ts";
import type { Asked } from "#src/pages/page.ts";

interface EntryForm {
  readonly form: string;
  readonly id: string;
  readonly fields?: Html;
  readonly button: string;
  readonly style?: string;
}

/** A form of an entry; it leads back to the entry. */
const entryForm = ({ form, id, fields = html``, button, style = "quiet" }: EntryForm): Html =>
  formOf(
    form,
    html`<input type="hidden" name="id" value="${id}" /> ${fields} <button formaction="#${id}">${button}</button>`,
    { style },
  );

const field = (label: string, name: string, value: string, rest: Html): Html =>
  html`<label>
    ${label}
    <input name="${name}" value="${value}" ${rest} />
  </label>`;

const pathRule = html`required maxlength="100" autocapitalize="off" spellcheck="false"`;
const conditionRule = html`maxlength="1024" list="conditions" placeholder="Everybody sees it" autocomplete="off"
autocapitalize="off" spellcheck="false"`;

/** The name of an icon, which other frontends draw; pages of docgraph have no icons. */
const iconField = (value: string): Html =>
  field("Icon", "icon", value, html`maxlength="50" placeholder="rocket" autocapitalize="off" spellcheck="false"`);

/** The forms of a group. */
export function groupForms({ id, title, icon }: GroupRow, own: Asked): Html {
  const form = "editGroup";
  return html`${problemOf(own, form)}
  ${entryForm({
    form,
    id,
    fields: html`${field("Title", "title", filled(own, form, "title", title), html`required maxlength="100"`)}
    ${iconField(filled(own, form, "icon", icon ?? ""))}`,
    button: "Save",
    style: "stacked",
  })}
  ${problemOf(own, "removeGroup")}
  ${confirmed(
    "Delete the group…",
    entryForm({
      form: "removeGroup",
      id,
      fields: html`<p>Its sections stay in its place.</p>`,
      button: `Delete ${title}`,
      style: "danger",
    }),
  )}`;
}

/** The forms of a section. */
export const sectionForms = (section: SectionRow, groups: Options, own: Asked): Html =>
  html`${sectionFields(section, own)} ${sectionPlace(section, groups, own)} ${problemOf(own, "removeSection")}
  ${confirmed(
    "Delete the section…",
    entryForm({
      form: "removeSection",
      id: section.id,
      fields: html`<p>Its spaces move to the default section, under the condition of this one.</p>`,
      button: `Delete ${section.title}`,
      style: "danger",
    }),
  )}`;

function sectionFields({ id, title, path, icon, description, condition }: SectionRow, own: Asked): Html {
  const form = "editSection";
  const value = (name: string, known: string | null) => filled(own, form, name, known ?? "");
  return html`${problemOf(own, form)}
  ${entryForm({
    form,
    id,
    fields: html`${field("Title", "title", value("title", title), html`required minlength="2" maxlength="128"`)}
    ${field("Path", "path", value("path", path), pathRule)} ${iconField(value("icon", icon))}
    ${field("Description", "description", value("description", description), html`maxlength="256"`)}
    ${field("Condition", "condition", value("condition", condition), conditionRule)}`,
    button: "Save",
    style: "stacked",
  })}`;
}

/** Whether visitors see it first, and its group. */
function sectionPlace({ id, isDefault, siteSectionGroupId: groupId }: SectionRow, groups: Options, own: Asked): Html {
  const others = groups.filter(([value]) => value !== groupId);
  const group = html`<input type="hidden" name="group" value="${groupId ?? ""}" />`;
  return html`${["defaultSection", "intoGroup", "outOfGroup"].map((form) => problemOf(own, form))}
    <div class="actions-row">
      ${isDefault ? "" : entryForm({ form: "defaultSection", id, button: "Show this section first" })}
      ${groupId === null ? "" : entryForm({ form: "outOfGroup", id, fields: group, button: "Take out of the group" })}
      ${
        others.length === 0
          ? ""
          : entryForm({
              form: "intoGroup",
              id,
              fields: choice("Group", "group", others),
              button: "Move into the group",
              style: "row quiet",
            })
      }
    </div>`;
}

/** A field that chooses one of the options. */
export const choice = (label: string, name: string, options: Options, chosen = ""): Html =>
  html`<label>
    ${label}
    <select name="${name}">
      ${optionsOf(options, chosen)}
    </select>
  </label>`;

/** The forms of a site space. */
export function spaceForms(row: SpaceRow, spaces: Options, own: Asked): Html {
  const { id, title, path, condition, isDefault, siteSectionId } = row;
  const form = "editSpace";
  const value = (name: string, known: string | null) => filled(own, form, name, known ?? "");
  const first = siteSectionId === null ? "firstOnSite" : "firstInSection";
  const section = html`<input type="hidden" name="section" value="${siteSectionId ?? ""}" />`;
  return html`${problemOf(own, form)}
  ${entryForm({
    form,
    id,
    fields: html`${field("Title on the site", "title", value("title", title), html`required maxlength="128"`)}
    ${field("Path", "path", value("path", path), pathRule)}
    ${field("Condition", "condition", value("condition", condition), conditionRule)}`,
    button: "Save",
    style: "stacked",
  })}
  ${problemOf(own, first)}
  ${isDefault ? "" : entryForm({ form: first, id, fields: section, button: "Show this space first" })}
  ${otherSpace(row, spaces, own)} ${problemOf(own, "removeSpace")}
  ${confirmed(
    "Remove from the site…",
    entryForm({
      form: "removeSpace",
      id,
      fields: html`<p>The space itself stays as it is.</p>`,
      button: `Remove ${title}`,
      style: "danger",
    }),
  )}`;
}

/** Another space in its place, which gives it its title; the path stays. */
function otherSpace({ id, space }: SpaceRow, spaces: Options, own: Asked): Html {
  const others = spaces.filter(([value]) => value !== space?.id);
  if (others.length === 0) return problemOf(own, "otherSpace");
  return html`${problemOf(own, "otherSpace")}
  ${entryForm({
    form: "otherSpace",
    id,
    fields: choice("Another space at this path", "spaceId", others, filled(own, "otherSpace", "spaceId")),
    button: "Show it",
    style: "row quiet",
  })}`;
}
