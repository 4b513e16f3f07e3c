// Git objects of a content: SHA-1 hashes of blobs and trees, and the paths of pages and files in a repository.
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

/** The same for a stream of `size` bytes. */
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

/** The hash of a folder as a tree, as `git mktree` computes it; that of the empty tree for no entries. */
export function gitTree(entries: readonly GitEntry[]): string {
  const keyed = entries.map(({ name, oid, isFolder }) => ({
    key: Buffer.from(isFolder ? `${name}/` : name), // Git's own order
    row: Buffer.concat([Buffer.from(`${isFolder ? "40000" : "100644"} ${name}\0`), Buffer.from(oid, "hex")]),
  }));
  const sorted = keyed.toSorted((one, other) => Buffer.compare(one.key, other.key));
  return hashOf("tree", Buffer.concat(sorted.map(({ row }) => row)));
}

/** The folder of files that are not pages. Slugs start with a letter or digit, so it never collides with a page. */
const ownFolder = ".docgraph";

export const filePath = (fileId: string, name: string): string => `${ownFolder}/files/${fileId}/${name}`;

export const reusablePath = (id: string): string => `${ownFolder}/reusable/${id}.md`;

/** The folder of subpages. If the slug ends like a file name, the folder gets an extra suffix. */
const folderOf = (slug: string): string => (/\.md(\.d)*$/.test(slug) ? `${slug}.d` : slug);

export interface GitPages {
  readonly entries: readonly GitEntry[];
  /** By `pageId`: a document is a file, any other page is the folder of its subpages. */
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

/** The hash of a whole content: pages at the top level, files and reusable contents in a separate folder. */
export function gitContent(
  pages: readonly GitEntry[],
  { files, reusable }: { files: readonly GitEntry[]; reusable: readonly GitEntry[] },
): string {
  const folder = (name: string, entries: readonly GitEntry[]): GitEntry[] =>
    entries.length > 0 ? [{ name, oid: gitTree(entries), isFolder: true }] : [];
  const own = folder(ownFolder, [...folder("files", files), ...folder("reusable", reusable)]);
  return gitTree([...pages, ...own]);
}
