// Importing archives in tests: the document, and a content with readable ids.
import { inContent, outline, readPages, type Tree } from "#test/features/content/edits.ts";
import { pngFile } from "#test/features/content/uploads.ts";
import { type Files, zipFile } from "#test/features/imports/files.ts";
import type { Client } from "#test/support/app.ts";

export const importDocument = /* GraphQL */ `
  mutation ($input: ImportContentInput!) {
    importContent(input: $input) {
      revision {
        id
      }
      pageCount
      fileCount
      linkCount
      warnings {
        path
        line
        message
        kind
      }
      warningCount
    }
  }
`;

export interface Imported {
  readonly revision: { readonly id: string };
  readonly pageCount: number;
  readonly fileCount: number;
  readonly linkCount: number;
  readonly warnings: readonly {
    readonly path: string;
    readonly line: number | null;
    readonly message: string;
    readonly kind: string;
  }[];
  readonly warningCount: number;
}

/** The number of warnings of each kind, by kind. */
export async function warningCountsOf(as: Client, files: Files, more: Record<string, unknown>) {
  const input = { ...inContent(more), from: { archive: zipFile(files) } };
  const asked =
    "mutation ($input: ImportContentInput!) { importContent(input: $input) { warningCounts { kind count } } }";
  type Counts = { importContent: { warningCounts: { kind: string; count: number }[] } };
  const { importContent } = await as.query<Counts>(asked, { input });
  return Object.fromEntries(importContent.warningCounts.map(({ kind, count }) => [kind, count]));
}

/** Imports that must succeed. */
export async function importAs(as: Client, files: Files, more: Record<string, unknown>): Promise<Imported> {
  const input = { ...inContent(more), from: { archive: zipFile(files) } };
  return (await as.query<{ importContent: Imported }>(importDocument, { input })).importContent;
}

/** A picture with this width. */
export const png = async (width: number) => Buffer.from(await pngFile("", { width, height: 1 }).arrayBuffer());

const flat = (pages: readonly Tree[]): Tree[] => pages.flatMap((page) => [page, ...flat(page.pages ?? [])]);

/** Readable names of pages (their paths) and files by id. */
export async function contentOf(as: Client, revisionId: string) {
  const pages = await readPages(as, revisionId);
  const { node } = await as.query<{ node: { files: { nodes: { id: string; name: string; size: number }[] } } }>(
    `{ node(id: "${revisionId}") { ... on Revision { files { nodes { id: fileId name size } } } } }`,
  );
  const ids = new Map(flat(pages).map(({ path, pageId }) => [path, pageId]));
  const names = new Map([
    ...flat(pages).map(({ path, pageId }) => [pageId, path] as const),
    ...node.files.nodes.map(({ id, name }) => [id, name] as const),
  ]);
  const readable = (text: string | null) =>
    text?.replaceAll(/(?:pag|fil)_\w{26}/g, (id) => names.get(id) ?? id) ?? null;
  const texts = Object.fromEntries(flat(pages).map(({ path, markdown }) => [path, readable(markdown)]));
  return { outline: outline(pages), texts, files: node.files.nodes, ids };
}
