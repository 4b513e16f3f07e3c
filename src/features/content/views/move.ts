// The form that moves a page: after another one or inside it, wherever that is in the tree.
import type { TreePage } from "#src/features/content/views/page-tree.ts";
import type { Place } from "#src/features/content/views/place.ts";
import { html, type Html } from "#src/http/html.ts";
import { formOf, problemOf } from "#src/pages/forms.ts";
import type { Asked } from "#src/pages/page.ts";

export function moveForm({ content }: Place<unknown>, pageId: string, asked: Asked): Html {
  const targets = targetsFor(content.allPages, pageId);
  const [first] = content.allPages;
  if (targets.length === 0 || !first) return html``;
  const optionsFor = (name: "after" | "in", pages: readonly Target[]) =>
    pages.map(
      ({ page, parentId }) =>
        html`<option value="${name === "in" ? `in ${page.pageId}` : `after ${page.pageId} ${parentId}`.trim()}">
          ${"– ".repeat(page.level - 1)}${page.title}
        </option>`,
    );
  return html`<details class="removal" ${asked.problem?.form === "move" ? html`open` : ""}>
    <summary>Move this page</summary>
    ${problemOf(asked, "move")}
    ${formOf(
      "move",
      html`<label
          >To
          <select name="place">
            ${first.pageId === pageId ? "" : html`<option value="before ${first.pageId}">The beginning</option>`}
            <optgroup label="After">${optionsFor("after", targets)}</optgroup>
            <optgroup label="Inside">
              ${optionsFor(
                "in",
                targets.filter(({ page: { type } }) => type === "DOCUMENT" || type === "GROUP"),
              )}
            </optgroup>
          </select></label
        >
        <button class="quiet">Move</button>`,
      { style: "stacked" },
    )}
  </details>`;
}

interface Target {
  readonly page: TreePage;
  /** Empty at the top level. */
  readonly parentId: string;
}

/** All pages but the moved one and those below it. */
function targetsFor(pages: readonly TreePage[], movedId: string): Target[] {
  const path: TreePage[] = [];
  const targets: Target[] = [];
  for (const page of pages) {
    path.length = Math.min(path.length, page.level - 1);
    path.push(page);
    if (path.some(({ pageId }) => pageId === movedId)) continue;
    targets.push({ page, parentId: path.at(-2)?.pageId ?? "" });
  }
  return targets;
}

/** The edit of a choice of the form. */
export function moveTo(pageId: string | undefined, place: string) {
  const [how, id = "", parentId = ""] = place.split(" ");
  if (how === "in") return { movePage: { pageId, parentId: id } };
  const beside = how === "before" ? { beforePageId: id } : { afterPageId: id };
  return { movePage: { pageId, parentId: parentId || null, place: beside } };
}
