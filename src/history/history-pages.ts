// The pages of a history: each file is a page, with the title and position of SUMMARY.md. Does not use the database.
import { newId } from "#src/base/ids.ts";
import { Contents } from "#src/history/contents.ts";
import { cutLine } from "#src/base/text/cut.ts";
import type { Files, History } from "#src/history/history-file.ts";
import type { Draft } from "#src/features/content/model/draft.ts";
import { freeSlug, slugOf } from "#src/base/text/slugs.ts";

/** The file that lists the others as nested links. It is a hidden page itself. */
const summaryPath = "SUMMARY.md";

const titleLimit = 200;

/** The id and slug of the page of a file, the same in every revision. */
interface Identity {
  readonly pageId: string;
  /** Unique among all files, so that a page can move anywhere without a conflict. */
  readonly slug: string;
}

export class HistoryPages {
  readonly contents = new Contents();
  readonly #blobs: History["blobs"];
  readonly #identities = new Map<string, Identity>();
  readonly #slugs = new Set<string>();

  constructor({ blobs }: Pick<History, "blobs">) {
    this.#blobs = blobs;
  }

  /** Changes files in the pages of a tree hash; returns the new hash. New pages come last below their parent. */
  change(treeHash: string | null, files: Files, now: Date): string | null {
    return this.contents.editPages(treeHash, now, (draft) => {
      for (const [path, blob] of Object.entries(files)) {
        const { pageId } = this.#identity(path);
        if (blob === null) this.#delete(draft, treeHash, pageId);
        else if (draft.has(pageId)) draft.update(pageId, { text: this.#text(blob) });
      }
      for (const entry of this.#listed(treeHash, files)) {
        const blob = files[entry.path];
        if (blob != null && !draft.has(this.#identity(entry.path).pageId)) this.#create(draft, entry, this.#text(blob));
      }
    });
  }

  #identity(path: string): Identity {
    const known = this.#identities.get(path);
    if (known) return known;
    const slug = freeSlug(slugOf(nameOf(path)), (taken) => this.#slugs.has(taken));
    const identity = { pageId: newId("Page"), slug };
    this.#identities.set(path, identity);
    this.#slugs.add(slug);
    return identity;
  }

  #text(blob: string): string {
    return this.#blobs[blob] ?? "";
  }

  /** Pages below the deleted page have files of their own: they move to the top level. */
  #delete(draft: Draft, treeHash: string | null, pageId: string): void {
    const page = this.contents.tree(treeHash).byId.get(pageId);
    for (const below of page?.pages ?? [])
      if (draft.has(below.pageId)) draft.move(below.pageId, { parentId: null, position: {} });
    draft.delete(pageId);
  }

  /** The changed files in the order of the table of contents, then those that it does not list. */
  #listed(treeHash: string | null, files: Files): Entry[] {
    const before = this.contents.tree(treeHash).byId.get(this.#identity(summaryPath).pageId);
    const summary = files[summaryPath] === undefined ? before?.documentHash : null;
    const entries = entriesOf(summary == null ? this.#text(files[summaryPath] ?? "") : this.contents.text(summary));
    const left = Object.keys(files).filter((path) => !entries.has(path));
    return [...entries.values(), ...left.toSorted().map((path) => ({ path, title: null, parent: null }))];
  }

  #create(draft: Draft, { path, title, parent }: Entry, text: string): void {
    const heading = /^#{1,6}[ \t]+(.+?)[ \t]*#*$/m.exec(text)?.[1];
    const plain = (title ?? heading ?? "").replaceAll("`", "");
    const parentId = parent === null ? null : this.#identity(parent).pageId;
    const place = { parentId: parentId !== null && draft.has(parentId) ? parentId : null, position: {} };
    const titled = { type: "document", title: cutLine(plain, titleLimit) || cutLine(path, titleLimit) } as const;
    const fields = path === summaryPath ? { hidden: true } : {};
    draft.create({ ...this.#identity(path), ...titled, fields, text }, place);
  }
}

const nameOf = (path: string): string => path.replace(/\.md$/i, "");

/** A file in the table of contents, and its parent there. */
interface Entry {
  readonly path: string;
  readonly title: string | null;
  readonly parent: string | null;
}

/** The files that a table of contents links to, each once: lines like `- [Title](path.md)`, nested by indentation. */
function entriesOf(summary: string): Map<string, Entry> {
  const entries = new Map<string, Entry>();
  const around: { indent: number; path: string }[] = [];
  for (const [, indentation = "", title = "", path = ""] of summary.matchAll(link)) {
    if (entries.has(path)) continue;
    const indent = indentation.length;
    while ((around.at(-1)?.indent ?? -1) >= indent) around.pop();
    entries.set(path, { path, title, parent: around.at(-1)?.path ?? null });
    around.push({ indent, path });
  }
  return entries;
}

const link = /^([ \t]*)(?:[-*+][ \t]+)?\[(.+)\]\((?:\.\/)?([^)\s]+\.md)\)[ \t]*$/gm;
