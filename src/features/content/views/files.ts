// The files of a content: pictures and others, with their sizes, and how a text names them.
import type { SpaceAnswer } from "#src/features/content/views/answer.ts";
import { placeOf } from "#src/features/content/views/place.ts";
import { spacePage } from "#src/features/content/views/space-frame.ts";
import { timeOf } from "#src/features/users/views/app-frame.ts";
import { html, type Html } from "#src/http/html.ts";
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

export function filesView(answer: SpaceAnswer<Files>, { root }: Asked): Shown {
  const place = placeOf(answer);
  if (!place) return null;
  const { nodes, pageInfo } = place.content.files;
  return spacePage(answer, place, {
    title: "Files",
    part: "files",
    main: html`<h1>Files</h1>
      ${
        nodes.length === 0
          ? html`<p class="soft">This space has no files.</p>`
          : html`<div class="file-table" tabindex="0" role="region" aria-label="Files">
              <table>
                <thead>
                  <tr>
                    <th scope="col">Name</th>
                    <th scope="col">Size</th>
                    <th scope="col">Added</th>
                    <th scope="col">In a text</th>
                  </tr>
                </thead>
                <tbody>
                  ${nodes.map(rowOf)}
                </tbody>
              </table>
            </div>`
      }
      ${
        pageInfo.hasNextPage
          ? html`<p>
              <a rel="next" href="${root}?after=${encodeURIComponent(pageInfo.endCursor ?? "")}">More files</a>
            </p>`
          : ""
      }`,
  });
}

const rowOf = ({ fileId, name, size, contentType, createdAt, downloadURL }: FileLine): Html =>
  html`<tr>
    <th scope="row"><a href="${downloadURL}">${name}</a></th>
    <td>${sizeOf(size)}</td>
    <td>${timeOf(createdAt)}</td>
    <td><code>${contentType.startsWith("image/") ? "!" : ""}[${name}](file:${fileId})</code></td>
  </tr>`;

const sizeOf = (bytes: number): string =>
  bytes < 100_000 ? `${Math.max(1, Math.round(bytes / 1000))} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
