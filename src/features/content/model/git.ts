// Contents as Git has them: the hashes of blobs and trees (SHA-1), and where pages and files are in a repository.
import { createHash } from "node:crypto";
import { hasText, type PageRow } from "#src/features/content/model/page.ts";

export interface GitObject {
  readonly oid: string;
  readonly path: string;
}

const hashOf = (kind: "blob" | "tree", bytes: Buffer): string =>
  createHash("sha1").update(`${kind} ${bytes.length}\0`).update(bytes).digest("hex");

export const gitBlob = (bytes: Buffer | string): string =>
  hashOf("blob", typeof bytes === "string" ? Buffer.from(bytes) : bytes);

/** The same of bytes that come piece by piece, and are so many. */
export async function gitBlobOf(bytes: AsyncIterable<Uint8Array>, size: number): Promise<string> {
  const hash = createHash("sha1").update(`blob ${size}\0`);
  for await (const piece of bytes) hash.update(piece);
  return hash.digest("hex");
}

export interface GitEntry {
  readonly name: string;
  readonly oid: string;
  readonly isFolder: boolean;
}

/** The hash of a folder as a tree, as `git mktree` gives it; that of the empty tree for no entries. */
export function gitTree(entries: readonly GitEntry[]): string {
  const keyed = entries.map(({ name, oid, isFolder }) => ({
    key: Buffer.from(isFolder ? `${name}/` : name), // Git's own order
    row: Buffer.concat([Buffer.from(`${isFolder ? "40000" : "100644"} ${name}\0`), Buffer.from(oid, "hex")]),
  }));
  const sorted = keyed.toSorted((one, other) => Buffer.compare(one.key, other.key));
  return hashOf("tree", Buffer.concat(sorted.map(({ row }) => row)));
}

/** Where files that are no pages are: slugs begin with a letter or digit, so no page is here. */
const ownFolder = ".docgraph";

export const filePath = (fileId: string, name: string): string => `${ownFolder}/files/${fileId}/${name}`;

export const reusablePath = (id: string): string => `${ownFolder}/reusable/${id}.md`;

/** The folder of the pages below one. A slug may end like the name of a file, so such a folder gets one end more. */
const folderOf = (slug: string): string => (/\.md(\.d)*$/.test(slug) ? `${slug}.d` : slug);

export interface GitPages {
  readonly entries: readonly GitEntry[];
  /** By the `pageId`: a document is a file, any other page the folder of what is below it, if there is anything. */
  readonly byId: ReadonlyMap<string, GitObject>;
}

/** A tree of pages as folders of Markdown files; `oidOf` gives the hash of the text of a document. */
export function gitPages(pages: readonly PageRow[], oidOf: (documentHash: string | null) => string): GitPages {
  const byId = new Map<string, GitObject>();
  const entriesOf = (level: readonly PageRow[], around: string): GitEntry[] =>
    level.flatMap((page) => {
      const name = folderOf(page.slug);
      const below = entriesOf(page.pages, `${around}${name}/`);
      const folder = below.length > 0 ? [{ name, oid: gitTree(below), isFolder: true }] : [];
      const fileOf = () => ({ name: `${page.slug}.md`, oid: oidOf(page.documentHash), isFolder: false });
      const entries = hasText(page.type) ? [fileOf(), ...folder] : folder;
      const [own] = entries;
      if (own) byId.set(page.pageId, { oid: own.oid, path: `${around}${own.name}` });
      return entries;
    });
  return { entries: entriesOf(pages, ""), byId };
}

export const gitFiles = (files: readonly { fileId: string; name: string; oid: string }[]): GitEntry[] =>
  files.map(({ fileId, name, oid }) => ({
    name: fileId,
    oid: gitTree([{ name, oid, isFolder: false }]),
    isFolder: true,
  }));

/** The hash of a whole content: its pages at the top, its files and shared texts in a folder beside them. */
export function gitContent(
  pages: readonly GitEntry[],
  { files, reusable }: { files: readonly GitEntry[]; reusable: readonly GitEntry[] },
): string {
  const folder = (name: string, entries: readonly GitEntry[]): GitEntry[] =>
    entries.length > 0 ? [{ name, oid: gitTree(entries), isFolder: true }] : [];
  const own = folder(ownFolder, [...folder("files", files), ...folder("reusable", reusable)]);
  return gitTree([...pages, ...own]);
}
