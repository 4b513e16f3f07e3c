// The first page of a content, or another one: a form with its title, and templates where there is nothing yet.
import type { SpaceAnswer } from "#src/features/content/views/answer.ts";
import { importForms, type LatestImport, progressOf } from "#src/features/content/views/import.ts";
import { nameOf, type Place, placeOf } from "#src/features/content/views/place.ts";
import { spacePage } from "#src/features/content/views/space-frame.ts";
import { html, type Html } from "#src/http/html.ts";
import { filled, formOf, problemOf } from "#src/pages/forms.ts";
import type { Asked, Shown } from "#src/pages/page.ts";

interface TemplatesAnswer {
  readonly templates: readonly {
    readonly name: string;
    readonly title: string;
    readonly description: string;
  }[];
}

type Answer = SpaceAnswer &
  TemplatesAnswer & { readonly space: { readonly imports: { readonly nodes: readonly LatestImport[] } } };

/** The page of a space: its first page, or what to do in an empty one. */
export function spaceView(answer: Answer, asked: Asked): Shown {
  const place = placeOf(answer);
  if (!place) return null;
  const first = place.content.allPages.find(({ type }) => type === "DOCUMENT" || type === "COMPUTED");
  if (first && asked.problem === undefined)
    return { kind: "moved", status: 307, to: `${place.root}/pages/${first.pageId}` };
  return newPageView(answer, asked);
}

export function newPageView(answer: Answer, asked: Asked): Shown {
  const place = placeOf(answer);
  if (!place) return null;
  const isEmpty = place.content.allPages.length === 0;
  const mayBegin = answer.space.permissions.edit && !place.changeRequest;
  const title = isEmpty ? answer.space.title : "New page";
  return spacePage(answer, place, {
    title,
    part: "new page",
    isLive: true,
    main: html`<h1>${title}</h1>
      ${problemOf(asked, "cancelImport")} ${progressOf(answer.space.imports.nodes[0], place.root, place.isEditable)}
      ${isEmpty ? html`<p class="lead">This space has no pages yet.</p>` : ""}
      ${place.isEditable ? newPageForm(place, asked) : ""}
      ${place.isEditable && isEmpty ? templatesOf(answer, asked) : ""}
      ${place.isEditable ? importForms(asked, isEmpty) : ""} ${mayBegin ? beginForm(place, asked) : ""}
      ${
        place.isEditable || mayBegin
          ? ""
          : html`<p class="soft">Pages appear here when somebody with the role “edit” writes them.</p>`
      }`,
  });
}

function newPageForm(place: Place<unknown>, asked: Asked): Html {
  const where = place.changeRequest ? ` in ${nameOf(place.changeRequest)}` : "";
  const parents = place.content.allPages.filter(({ type }) => type === "DOCUMENT" || type === "GROUP");
  const chosen = filled(asked, "create", "parentId", asked.search.get("parent") ?? "");
  const choice = html`<label
    >Below
    <select name="parentId">
      <option value="">The top level</option>
      ${parents.map(
        ({ pageId, title, level }) =>
          html`<option value="${pageId}" ${pageId === chosen ? html`selected` : ""}>
            ${"– ".repeat(level - 1)}${title}
          </option>`,
      )}
    </select></label
  >`;
  return html`${problemOf(asked, "create")}
  ${formOf(
    "create",
    html`<label
        >Title <input name="title" value="${filled(asked, "create", "title")}" required maxlength="250"
      /></label>
      <label
        >Kind
        <select name="type">
          <option value="DOCUMENT">A page with a text</option>
          <option value="GROUP" ${filled(asked, "create", "type") === "GROUP" ? html`selected` : ""}>
            A group of pages
          </option>
        </select></label
      >
      ${parents.length > 0 ? choice : ""}
      <button>Create the page${where}</button>`,
    { style: "stacked" },
  )}`;
}

const templatesOf = ({ templates }: TemplatesAnswer, asked: Asked): Html =>
  html`<h2 id="templates">Or begin with a template</h2>
    ${problemOf(asked, "template")}
    <ul class="card-list">
      ${templates
        .filter(({ name }) => name !== "BLANK")
        .map(
          ({ name, title, description }) =>
            html`<li>
              <strong>${title}</strong>
              <p class="soft">${description}</p>
              ${formOf(
                "template",
                html`<input type="hidden" name="template" value="${name}" /><button>Use ${title}</button>`,
                { style: "quiet" },
              )}
            </li>`,
        )}
    </ul>`;

const beginForm = ({ isEditable }: Place<unknown>, asked: Asked): Html =>
  html`<h2>${isEditable ? "With a review" : "Propose pages"}</h2>
    <p>
      ${isEditable ? "" : "The main content of this space is locked. "}Write in a change request: others review it, and
      it is merged into the space.
    </p>
    ${problemOf(asked, "begin")}
    ${formOf("begin", html`<button>New change request</button>`, { style: isEditable ? "quiet" : "" })}`;
