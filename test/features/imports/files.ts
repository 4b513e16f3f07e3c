// Imports in tests: files as plain values, and plans as text.
import { strToU8, type Zippable, zipSync } from "fflate";
import { ImportFiles } from "#src/features/imports/model/files.ts";
import { markdownReader } from "#src/features/imports/model/markdown-reader.ts";
import { newPages, pageIdsFor } from "#src/features/imports/model/new-pages.ts";
import { type ImportPlan, planImport, type PlannedPage } from "#src/features/imports/model/plan.ts";

export type Files = Readonly<Record<string, string | Buffer>>;

export const filesOf = (contents: Files): ImportFiles => ImportFiles.of(Object.entries(contents));

/**
 * The plan for files: one line per page (`slug "Title" type fields`), texts by slug with readable ids, and
 * warnings.
 */
export async function planOf(contents: Files, reader = markdownReader) {
  const files = filesOf(contents);
  const plan = await planImport({ files }, reader);
  const warnings = files.warnings.first.map(({ path, line, message }) =>
    [`${path}${line === null ? "" : `:${line}`}`, message].join(" "),
  );
  return { plan, pages: outline(plan.pages), texts: textsOf(plan), warnings };
}

function outline(pages: readonly PlannedPage[], indent = ""): string[] {
  return pages.flatMap(({ slug, title, type, fields, pages: below }) => [
    [`${indent}${slug}`, JSON.stringify(title), ...(type === "document" ? [] : [type]), ...shown(fields)].join(" "),
    ...outline(below, `${indent}  `),
  ]);
}

const shown = (fields: object) => (Object.keys(fields).length > 0 ? [JSON.stringify(fields)] : []);

/** The texts by slug; page ids are shown as slugs, file ids as paths. */
function textsOf({ pages, files }: ImportPlan): Record<string, string> {
  const made = newPages(pages, {
    pageIds: pageIdsFor(pages, []),
    fileIds: new Map(files.map(({ path }) => [path, path])),
  });
  const all = made.flatMap(function withBelow(page): typeof made {
    return [page, ...(page.pages ?? []).flatMap(withBelow)];
  });
  const slugs = new Map(all.map(({ pageId = "", slug = "" }) => [pageId, slug]));
  const readable = (text: string) => text.replaceAll(/pag_\w{26}/g, (id) => slugs.get(id) ?? id);
  return Object.fromEntries(all.map(({ slug = "", text = "" }) => [slug, readable(text)]));
}

/** An archive of files. */
export function zip(files: Files, options: Parameters<typeof zipSync>[1] = {}): Buffer {
  const bytes = Object.entries(files).map(([path, content]) => [
    path,
    typeof content === "string" ? strToU8(content) : new Uint8Array(content),
  ]);
  return Buffer.from(zipSync(Object.fromEntries(bytes) as Zippable, options)); // the types of the entries
}

/** An archive of files for an upload. */
export const zipFile = (files: Files = { "page.md": "# Page\n" }): File =>
  new File([new Uint8Array(zip(files, { level: 0 }))], "docs.zip");
