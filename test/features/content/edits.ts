// Editing content in tests: the documents, and a content as a tree of plain values.
import { newId } from "#src/base/ids.ts";
import type { HttpClient } from "#test/support/client.ts";

export const editDocument = /* GraphQL */ `
  mutation ($input: EditContentInput!) {
    editContent(input: $input) {
      revision {
        id
      }
    }
  }
`;

export const restoreDocument = /* GraphQL */ `
  mutation ($input: RestoreRevisionInput!) {
    restoreRevision(input: $input) {
      revision {
        id
      }
    }
  }
`;

export type Edit = Record<string, Record<string, unknown>>;

/** The input of a new page with an id from here, and that id. */
export function newPage(title: string, of: Record<string, unknown> = {}): { pageId: string; edit: Edit } {
  const pageId = newId("Page");
  return { pageId, edit: { createPage: { pageId, title, ...of } } };
}

/** The input of a mutation with `contentOf` in place of the space or change request id. */
export function inContent({ spaceId, changeRequestId, ...others }: Record<string, unknown>): Record<string, unknown> {
  return { contentOf: { spaceId, changeRequestId }, ...others };
}

/** Edits that must succeed; returns the revision. */
export async function editAs(
  as: HttpClient,
  target: Record<string, unknown>,
  ...edits: readonly Edit[]
): Promise<string> {
  const input = { ...inContent(target), edits };
  const { editContent } = await as.query<{ editContent: { revision: { id: string } } }>(editDocument, { input });
  return editContent.revision.id;
}

export interface Tree {
  readonly pageId: string;
  readonly title: string;
  readonly slug: string;
  readonly path: string;
  readonly markdown: string | null;
  readonly pages: readonly Tree[];
}

const fields = "pageId title slug path markdown";
const levels = (depth: number): string => `pages { ${fields} ${depth > 1 ? levels(depth - 1) : ""} }`;

/** The pages of a revision, up to six levels deep. */
export async function readPages(as: HttpClient, revisionId: string): Promise<readonly Tree[]> {
  const { node } = await as.query<{ node: { pages: Tree[] } | null }>(
    `query ($id: ID!) { node(id: $id) { ... on Revision { ${levels(6)} } } }`,
    { id: revisionId },
  );
  if (!node) throw new Error(`Revision ${revisionId} does not exist.`);
  return node.pages;
}

/** A tree as indented lines of slugs. */
export function outline(pages: readonly Tree[], indent = ""): string[] {
  return pages.flatMap(({ slug, pages: below }) => [`${indent}${slug}`, ...outline(below ?? [], `${indent}  `)]);
}

/** The layout of a page that sets none, in /v1. */
export const wholeLayout = {
  width: "default",
  coverSize: "hero",
  cover: true,
  title: true,
  description: true,
  tableOfContents: true,
  outline: true,
  pagination: true,
  metadata: true,
};
