// The changes of a change request, page by page.
import type { Changes, ChangeRequest, PageChange, TextChange } from "#src/features/change-requests/views/answer.ts";
import { counted } from "#src/features/users/views/app-lists.ts";
import { commentForm } from "#src/features/change-requests/views/comment-forms.ts";
import { TextDiffs } from "#src/features/content/views/text-diff.ts";
import { html, type Html } from "#src/http/html.ts";
import type { Asked } from "#src/pages/page.ts";

export function changesView(request: ChangeRequest, asked: Asked): Html {
  const { changes } = request;
  const around = { request, asked, diffs: new TextDiffs() };
  const parts = [
    ...changes.pages.nodes.map((change) => pageView(change, around)),
    ...changes.reusableContents.map((change) => reusableView(change, around.diffs)),
    ...variablesView(changes, around.diffs),
    ...filesView(changes),
  ];
  return html`<section aria-labelledby="changes">
    <h2 id="changes">Changes</h2>
    ${
      parts.length === 0
        ? html`<p class="soft empty">
            Nothing is changed
            yet.${
              mayEdit(request)
                ? html` <a href="${asked.root}/pages">Choose a page to edit</a>, or write another one.`
                : ""
            }
          </p>`
        : parts
    }
    ${moreOf(changes, asked)}
  </section>`;
}

const kindNames = { CREATED: "New", DELETED: "Deleted", EDITED: "Edited", MOVED: "Moved" } as const;

/** Whether its content can still be edited by the viewer. */
const mayEdit = ({ permissions, status }: ChangeRequest): boolean =>
  permissions.edit && (status === "DRAFT" || status === "OPEN");

/** Links to the page as it will look, and to its text. */
const linksOf = (pageId: string, request: ChangeRequest, { root }: Asked): Html =>
  html`<p class="change-links">
    <a href="${root}/pages/${pageId}">As it will look</a>
    ${mayEdit(request) ? html`<a href="${root}/pages/${pageId}/edit">Edit</a>` : ""}
    <a href="${root}/pages/${pageId}/comments">Comments in the text</a>
  </p>`;

interface Around {
  readonly request: ChangeRequest;
  readonly asked: Asked;
  readonly diffs: TextDiffs;
}

function pageView(change: PageChange, { request, asked, diffs }: Around): Html {
  const { pageId, kinds, before, after, fields, text } = change;
  const { title = "Page", path = "" } = after ?? before ?? {};
  return html`<article class="change" id="change-${pageId}">
    <details open>
      <summary>
        <h3>${title}</h3>
        ${kinds.map((kind) => html`<span class="badge ${kind.toLowerCase()}">${kindNames[kind]}</span>`)}
        <span class="soft">/${path}</span> ${sizeOf(text)}
      </summary>
      <div class="change-body">
        ${movedView(change)}
        ${fields.length > 0 ? html`<dl class="fields">${fields.map((each) => fieldView(each, diffs))}</dl>` : ""}
        ${text ? textView(text, diffs) : ""} ${after ? linksOf(pageId, request, asked) : ""}
        ${
          request.permissions.comment && after
            ? html`<details class="speak" ${isOpen(asked, pageId)}>
                <summary>Comment on this page</summary>
                ${commentForm(asked, { pageId })}
              </details>`
            : ""
        }
      </div>
    </details>
  </article>`;
}

const isOpen = ({ problem }: Asked, pageId: string): Html | string =>
  problem?.form === "comment" && problem.fields.get("page") === pageId ? html`open` : "";

const sizeOf = (text: TextChange | null): Html =>
  text
    ? html`<span class="size">
        <ins><span class="hidden">Lines added: </span>+${text.linesAdded}</ins>
        <del><span class="hidden">Lines removed: </span>−${text.linesRemoved}</del>
      </span>`
    : html``;

function movedView({ move, before, after }: PageChange): Html {
  if (move === "ORDER") return html`<p class="soft">Moved among the pages beside it.</p>`;
  if (move !== "PARENT") return html``;
  const nameOf = (page: PageChange["before"]) => page?.parent?.title ?? "the top level";
  return html`<p class="soft">Moved from ${nameOf(before)} to ${nameOf(after)}.</p>`;
}

const textView = ({ hunks, linesAdded, linesRemoved }: TextChange, diffs: TextDiffs): Html =>
  hunks
    ? diffs.lines(hunks)
    : html`<p class="soft">
        ${counted(linesAdded, "line")} added and ${counted(linesRemoved, "line")} removed: too many to show.
      </p>`;

const valueOf = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));

interface Sides {
  readonly field: string;
  readonly before: unknown;
  readonly after: unknown;
}

function fieldView({ field, before, after }: Sides, diffs: TextDiffs): Html {
  const [was = "", is = ""] = [before, after].map((value) => (value == null ? "" : valueOf(value)));
  const sides = html`${was ? html`<del>${was}</del>` : ""} ${is ? html`<ins>${is}</ins>` : ""}`;
  return html`<dt>${field}</dt>
    <dd>${diffs.words(was, is) ?? sides}</dd>`;
}

const reusableView = ({ before, after, text }: Changes["reusableContents"][number], diffs: TextDiffs): Html =>
  html`<article class="change">
    <details open>
      <summary>
        <h3>${after?.title ?? before?.title ?? "Reusable content"}</h3>
        <span class="badge">${!before ? "New" : after ? "Edited" : "Deleted"}</span>
        <span class="soft">reusable content</span> ${sizeOf(text)}
      </summary>
      <div class="change-body">${text ? textView(text, diffs) : ""}</div>
    </details>
  </article>`;

const variablesView = ({ variables }: Changes, diffs: TextDiffs): Html[] =>
  variables.length === 0
    ? []
    : [
        html`<article class="change">
          <h3>Variables</h3>
          <dl class="fields">
            ${variables.map(({ name, before, after }) => fieldView({ field: name, before, after }, diffs))}
          </dl>
        </article>`,
      ];

/** A replaced file is both created and deleted, with the same id. */
function filesView({ createdFiles: { nodes: created }, deletedFiles: { nodes: deleted } }: Changes): Html[] {
  if (created.length + deleted.length === 0) return [];
  const replaced = new Set(
    created.map(({ fileId }) => fileId).filter((id) => deleted.some(({ fileId }) => fileId === id)),
  );
  return [
    html`<article class="change">
      <h3>Files</h3>
      <ul>
        ${created.map(({ fileId, name }) =>
          replaced.has(fileId)
            ? html`<li>${name} <span class="soft">replaced</span></li>`
            : html`<li><ins>${name}</ins></li>`,
        )}
        ${deleted.flatMap(({ fileId, name }) => (replaced.has(fileId) ? [] : [html`<li><del>${name}</del></li>`]))}
      </ul>
    </article>`,
  ];
}

function moreOf({ pages: { totalCount, nodes, pageInfo } }: Changes, { search, root }: Asked): Html {
  if (!pageInfo.hasNextPage && !search.has("pages")) return html``;
  const next = pageInfo.hasNextPage && pageInfo.endCursor;
  return html`<p class="soft">
    ${nodes.length} of ${totalCount} changed pages.
    ${next ? html`<a href="${root}?${new URLSearchParams({ pages: next }).toString()}#changes">The next ones</a>` : ""}
    ${search.has("pages") ? html`<a href="${root}#changes">The first ones</a>` : ""}
  </p>`;
}
