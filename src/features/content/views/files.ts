// The files of a content: pictures and others, with their sizes, and how a text names them; forms that add, replace and
// remove them.
import type { SpaceAnswer } from "#src/features/content/views/answer.ts";
import { placeOf } from "#src/features/content/views/place.ts";
import { spacePage } from "#src/features/content/views/space-frame.ts";
import { timeOf } from "#src/features/users/views/app-frame.ts";
import { confirmed, tableOf } from "#src/features/users/views/app-lists.ts";
import { html, type Html } from "#src/http/html.ts";
import { formOf, problemOf } from "#src/pages/forms.ts";
import type { Asked, Shown } from "#src/pages/page.ts";

interface FileLine {
  readonly fileId: string;
  readonly name: string;
  readonly size: number;
  readonly contentType: string;
  readonly createdAt: string;
  readonly downloadURL: string;
}

interface Files {
  readonly files: {
    readonly nodes: readonly FileLine[];
    readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
  };
}

export function filesView(answer: SpaceAnswer<Files>, asked: Asked): Shown {
  const place = placeOf(answer);
  if (!place) return null;
  const { nodes, pageInfo } = place.content.files;
  const headings = ["Name, and how a text names it", "Size", "Added", ...(place.isEditable ? ["Action"] : [])];
  return spacePage(answer, place, {
    title: "Files",
    part: "files",
    isLive: true,
    main: html`<h1>Files</h1>
      ${problemOf(asked, "remove")} ${problemOf(asked, "replace")} ${place.isEditable ? uploadForm(asked) : ""}
      ${
        nodes.length === 0
          ? html`<p class="soft">No files yet.</p>`
          : tableOf(
              "Files",
              headings,
              nodes.map((file) => rowOf(file, place.isEditable)),
            )
      }
      ${
        pageInfo.hasNextPage
          ? html`<p>
              <a rel="next" href="${asked.root}?after=${encodeURIComponent(pageInfo.endCursor ?? "")}">More files</a>
            </p>`
          : ""
      }`,
  });
}

const uploadForm = (asked: Asked): Html =>
  html`${problemOf(asked, "upload")}
  ${formOf(
    "upload",
    html`<label>Add files <input type="file" name="file" multiple required /></label> <button>Upload</button>`,
    { style: "row", hasFiles: true },
  )}`;

const rowOf = ({ fileId, name, size, contentType, createdAt, downloadURL }: FileLine, isEditable: boolean): Html =>
  html`<tr>
    <th scope="row" class="wide">
      <a href="${downloadURL}">${name}</a>
      <code class="soft">${contentType.startsWith("image/") ? "!" : ""}[${name}](file:${fileId})</code>
    </th>
    <td class="tight">${sizeOf(size)}</td>
    <td class="tight">${timeOf(createdAt)}</td>
    ${isEditable ? html`<td>${replaceForm(fileId, name)} ${removeForm(fileId, name)}</td>` : ""}
  </tr>`;

/** Pages that use the file show the new bytes, whatever their name. */
const replaceForm = (fileId: string, name: string): Html =>
  html`<details class="confirm">
    <summary>Replace</summary>
    ${formOf(
      "replace",
      html`<input type="hidden" name="fileId" value="${fileId}" />
        <label>The new ${name} <input type="file" name="file" required /></label> <button>Replace</button>`,
      { hasFiles: true },
    )}
  </details>`;

const removeForm = (fileId: string, name: string): Html =>
  confirmed(
    "Remove",
    formOf("remove", html`<input type="hidden" name="fileId" value="${fileId}" /><button>Remove ${name}</button>`, {
      style: "danger",
    }),
  );

const sizeOf = (bytes: number): string =>
  bytes < 100_000 ? `${Math.max(1, Math.round(bytes / 1000))} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
