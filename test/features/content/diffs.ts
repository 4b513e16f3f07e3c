// Diffs in tests: the document that reads a whole diff, and short forms to compare and read.
import type { Client } from "#test/support/app.ts";

export interface Hunk {
  readonly beforeStart: number;
  readonly beforeLines: number;
  readonly afterStart: number;
  readonly afterLines: number;
  readonly lines: readonly { kind: "CONTEXT" | "ADDED" | "REMOVED"; text: string }[];
}

interface TextChange {
  readonly linesAdded: number;
  readonly linesRemoved: number;
  readonly hunks: readonly Hunk[] | null;
}

interface PageState {
  readonly pageId: string;
  readonly parentId: string | null;
  readonly title: string;
  readonly slug: string;
  readonly path: string;
  readonly markdown: string | null;
}

interface PageChange {
  readonly pageId: string;
  readonly kinds: readonly ("CREATED" | "EDITED" | "MOVED" | "DELETED")[];
  readonly move: "PARENT" | "ORDER" | null;
  readonly before: PageState | null;
  readonly after: PageState | null;
  readonly indexBefore: number | null;
  readonly indexAfter: number | null;
  readonly fields: readonly { field: string; before: unknown; after: unknown }[];
  readonly text: TextChange | null;
}

interface Files {
  readonly totalCount: number;
  readonly nodes: readonly { readonly id: string; readonly name: string }[];
}

export interface Changes {
  readonly revisionBeforeId: string | null;
  readonly revisionAfterId: string;
  readonly stats: Record<"created" | "edited" | "moved" | "deleted" | "linesAdded" | "linesRemoved", number>;
  readonly pages: { readonly totalCount: number; readonly nodes: readonly PageChange[] };
  readonly createdFiles: Files;
  readonly deletedFiles: Files;
  readonly variables: readonly { name: string; before: string | null; after: string | null }[];
  readonly reusableContents: readonly {
    reusableContentId: string;
    before: { readonly title: string; readonly markdown: string } | null;
    after: { readonly title: string; readonly markdown: string } | null;
    text: TextChange | null;
  }[];
}

const text = `text { linesAdded linesRemoved
  hunks(contextLines: $contextLines) { beforeStart beforeLines afterStart afterLines lines { kind text } } }`;
const page = "pageId parentId title slug path markdown";

/** The selection of a diff; uses the variable `$contextLines: Int = 3`. */
export const changesSelection = `revisionBeforeId revisionAfterId
  stats { created edited moved deleted linesAdded linesRemoved }
  pages(first: 1000) { totalCount nodes { pageId kinds move before { ${page} } after { ${page} }
    indexBefore indexAfter fields { field before after } ${text} } }
  createdFiles { totalCount nodes { id: fileId name } } deletedFiles { totalCount nodes { id: fileId name } }
  variables { name before after }
  reusableContents { reusableContentId before { title markdown } after { title markdown } ${text} }`;

export const revisionChangesDocument = `query ($id: ID!, $since: ID, $contextLines: Int = 3) {
  node(id: $id) { ... on Revision { changes(sinceRevisionId: $since) { ${changesSelection} } } } }`;

/** The changes of a revision against its first parent or against `since`; null if the viewer may not see it. */
export async function readChanges(
  as: Client,
  id: string,
  variables: { since?: string; contextLines?: number } = {},
): Promise<Changes | null> {
  const { node } = await as.query<{ node: { changes: Changes | null } | null }>(revisionChangesDocument, {
    id,
    ...variables,
  });
  if (!node) throw new Error(`Revision ${id} does not exist.`);
  return node.changes;
}

/**
 * The changed pages, one per line: kind of change, changed fields, and the path, or both paths if they differ.
 */
export function summary({ pages }: Pick<Changes, "pages">): string[] {
  return pages.nodes.map(({ kinds, move, fields, text: words, before, after }) => {
    const parts = [...fields.map(({ field }) => field), ...(words && before && after ? ["text"] : [])];
    const paths = [...new Set([before?.path, after?.path])].filter((path) => path !== undefined);
    const what = kinds.map((kind) => (kind === "MOVED" ? `moved (${move?.toLowerCase()})` : kind.toLowerCase()));
    return `${what.join(", ")}: ${paths.join(" -> ")}${parts.length > 0 ? ` [${parts.join()}]` : ""}`;
  });
}

const marks = { CONTEXT: " ", REMOVED: "-", ADDED: "+" };

/** The hunks as a unified diff. */
export function unified(hunks: readonly Hunk[]): string {
  return hunks
    .map(({ beforeStart, beforeLines, afterStart, afterLines, lines }) => {
      const head = `@@ -${beforeStart},${beforeLines} +${afterStart},${afterLines} @@\n`;
      return head + lines.map(({ kind, text: line }) => marks[kind] + line).join("");
    })
    .join("");
}
