// The files of an import by path: checked and counted when added, and read one at a time.
import { DomainError, invalidInput } from "#src/base/errors.ts";
import { checkMarkdown } from "#src/features/content/model/checks.ts";

/** Limits of an import; sizes are in bytes. */
export const importLimits = {
  files: 50_000,
  /** Of a file that a page links to. */
  fileSize: 25_000_000,
  totalSize: 1024 * 1024 * 1024,
  pathLength: 1000,
  /** Of all texts together. */
  textSize: 64 * 1024 * 1024,
} as const;

export interface ImportFile {
  /** Relative to the root of the import. */
  readonly path: string;
  /** In bytes, as declared by the source: {@link ImportFile.read} returns exactly that many, or throws. */
  readonly size: number;
  readonly read: () => Promise<Buffer>;
}

/** A warning about a file; `line` counts from 1. */
export type ImportWarning = { readonly path: string; readonly line: number | null; readonly message: string };

/** Collects warnings. Stores only the first ones, because a text may be full of broken links. */
export class ImportWarnings {
  readonly first: ImportWarning[] = [];
  count = 0;

  add(path: string, line: number | null, message: string): void {
    this.count++;
    if (this.first.length < 1000) this.first.push({ path, line, message });
  }
}

/** Files and folders of tools, which are neither imported nor counted. */
const leftovers = new Set([".git", "node_modules", "__MACOSX", ".DS_Store", "Thumbs.db"]);

export const isLeftover = (path: string): boolean => path.split("/").some((name) => leftovers.has(name));

export const isMarkdown = (path: string): boolean => /\.(?:md|markdown)$/i.test(path);

export const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

/** The parent folder; empty for the root. */
export const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf("/")));

export const stemOf = (path: string): string => nameOf(path).replace(/\.[^.]*$/, "");

/** Files by path in NFC: file systems may use another Unicode normalization than links. */
export class ImportFiles {
  readonly #files = new Map<string, ImportFile>();
  readonly #indexes = new Map<string, string>();
  readonly #folders = new Set<string>([""]);
  #size = 0;
  readonly warnings: ImportWarnings;

  constructor(warnings: ImportWarnings = new ImportWarnings()) {
    this.warnings = warnings;
  }

  /** Files in memory. Throws like {@link ImportFiles.add}. */
  static of(contents: Iterable<readonly [path: string, content: string | Buffer]>): ImportFiles {
    const files = new ImportFiles();
    for (const [path, content] of contents)
      files.addContent(path, typeof content === "string" ? Buffer.from(content) : content);
    return files;
  }

  /** Adds a file in memory. Throws like {@link ImportFiles.add}. */
  addContent(path: string, content: Buffer): void {
    this.add({ path, size: content.length, read: async () => content });
  }

  /** Ignores files of tools. INVALID_INPUT with the name of the file for an invalid or duplicate path; TOO_LARGE. */
  add(file: ImportFile): void {
    const path = checkPath(file.path);
    if (isLeftover(path)) return;
    if (this.#files.has(path) || this.#folders.has(path))
      throw invalidInput(path, "must not occur twice in the import.");
    for (let folder = folderOf(path); folder !== ""; folder = folderOf(folder)) {
      if (this.#files.has(folder)) throw invalidInput(folder, "must not be both a file and a folder.");
      this.#folders.add(folder);
    }
    if (this.#files.size >= importLimits.files)
      throw new DomainError("TOO_LARGE", `An import may have at most ${importLimits.files} files.`);
    this.#size += file.size;
    if (this.#size > importLimits.totalSize)
      throw new DomainError("TOO_LARGE", `An import may have at most ${importLimits.totalSize} bytes.`);
    this.#files.set(path, { ...file, path });
    if (isIndex(path) && !isReadme(this.#indexes.get(folderOf(path)) ?? "")) this.#indexes.set(folderOf(path), path);
  }

  get(path: string): ImportFile | undefined {
    return this.#files.get(path);
  }

  has(path: string): boolean {
    return this.#files.has(path);
  }

  /** The Markdown file that is the page of a folder: its README.md or, without one, its index.md. */
  indexOf(folder: string): string | undefined {
    return this.#indexes.get(folder);
  }

  get count(): number {
    return this.#files.size;
  }

  /** Total bytes of all unpacked files. */
  get size(): number {
    return this.#size;
  }

  get paths(): IterableIterator<string> {
    return this.#files.keys();
  }
}

const isReadme = (path: string): boolean => /^readme$/i.test(stemOf(path));

const isIndex = (path: string): boolean => isMarkdown(path) && /^(?:readme|index)$/i.test(stemOf(path));

/** The path in NFC. INVALID_INPUT if it is outside the root, too long, or has control characters. */
export function checkPath(text: string): string {
  const path = text.normalize("NFC");
  const shown = path.length > 100 ? `${path.slice(0, 100)}…` : path;
  if (path.length > importLimits.pathLength)
    throw invalidInput(shown, `must have at most ${importLimits.pathLength} characters.`);
  // oxlint-disable-next-line no-control-regex -- the check is for them
  if (!path.isWellFormed() || /[\u0000-\u001f\u007f\\]/.test(path))
    throw invalidInput(JSON.stringify(shown), "must not contain backslashes and control characters.");
  if (path.split("/").some((name) => name === "" || name === "." || name === ".."))
    throw invalidInput(shown, "must be a relative path inside the import.");
  return path;
}

/** The text of a file, without a byte order mark. INVALID_INPUT with the name of the file if it is not valid. */
export async function readText(file: ImportFile): Promise<string> {
  if (file.size > importLimits.textSize)
    throw invalidInput(file.path, `must have at most ${importLimits.textSize} bytes.`);
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(await file.read());
  } catch (error) {
    throw error instanceof TypeError ? invalidInput(file.path, "must be text in UTF-8.") : error;
  }
  return checkMarkdown(file.path, text);
}
