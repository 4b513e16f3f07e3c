// The pages of generated references: one shape for all of them, from tables in the code.
import type { Handler } from "#src/http/exchange.ts";
import { html, type Html } from "#src/http/html.ts";
import type { Reference, ReferenceTable } from "#src/reference/reference.ts";
import type { Findable } from "#src/server/pages/docs/search-index.ts";
import { inline, prose, type ServePage } from "#src/server/pages/site.ts";

/** The rows of all references, for searching. */
export type ReferenceRows = () => Promise<Findable[]>;

/** A page of a reference. Its rows are made when it is first asked for. */
export function referencePage(serve: ServePage, reference: Reference): Handler {
  let body: Promise<Html> | undefined;
  return serve(async () => {
    body ??= bodyOf(reference);
    body.catch(() => (body = undefined)); // the next request tries again
    return { title: reference.title, body: await body };
  });
}

async function bodyOf({ title, introduction, tables: read }: Reference): Promise<Html> {
  const tables = await read();
  const titled = tables.filter((table) => table.title !== undefined);
  return html`<main id="main">
    <p class="trail"><a href="/reference">Reference</a></p>
    <h1>${title}</h1>
    <div class="introduction">${prose(introduction)}</div>
    ${titled.length > 1 ? html`<p class="jumps">${titled.map(({ id, title: name = "" }) => html`<a href="#${id}">${name}</a> `)}</p>` : ""}
    ${tables.map(sectionOf)}
  </main>`;
}

const sectionOf = ({ id, title, introduction, columns, rows }: ReferenceTable): Html =>
  html`${title === undefined ? "" : html`<h2 id="${id}">${title}</h2>`}
    ${introduction === undefined ? "" : html`<div class="introduction">${prose(introduction)}</div>`}
    <table class="${columns.length > 6 ? "codes short" : "codes"}">
      <thead>
        <tr>
          ${columns.map((column) => html`<th scope="col">${column}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          ({ id: anchor, cells: [name = "", ...cells] }) =>
            html`<tr id="${anchor}">
              <th scope="row"><a href="#${anchor}">${inline(name)}</a></th>
              ${cells.map((cell, index) => html`<td data-column="${columns[index + 1] ?? ""}">${inline(cell)}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>`;

/** Reads the rows of references as entries of the index of the documentation. */
export const rowsOf =
  (references: readonly Reference[]): ReferenceRows =>
  async () => {
    const pages = references.map(async ({ path, title: page, tables }) =>
      (await tables()).flatMap(({ rows }) =>
        rows.map(({ id, cells: [name = "", ...cells] }) => {
          const [title = "", ...text] = [name, ...cells].map((cell) => cell.replaceAll("`", ""));
          return { href: `${path}#${id}`, page, title, text: text.join(" "), isRow: true };
        }),
      ),
    );
    return (await Promise.all(pages)).flat();
  };

/** What the list of references shows of each. */
export interface ListedReference extends Pick<Reference, "title" | "about"> {
  readonly path: string;
}

/** The page at /reference, which lists all references. */
export const referenceList = (serve: ServePage, references: readonly ListedReference[]): Handler =>
  serve(async () => ({
    title: "Reference",
    body: html`<main id="main">
      <h1>Reference</h1>
      <p>Every page is generated from the code of this gateway. <a href="/docs">The documentation</a> explains it.</p>
      <ul class="places">
        ${references.map(
          ({ path, title, about }) => html`<li><a href="${path}">${title}</a><span>${inline(about)}</span></li>`,
        )}
      </ul>
    </main>`,
  }));
