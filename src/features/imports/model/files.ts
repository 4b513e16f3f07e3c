// The files of an import by path: checked and counted when added, and read one at a time.
import { DomainError } from "#src/base/errors.ts";
import { isTooLong } from "#src/features/content/model/checks.ts";
import { charsetOf, decodeText } from "#src/features/imports/model/encoding.ts";
import { ImportWarnings, shorten } from "#src/features/imports/model/warnings.ts";

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

/** Files and folders of tools, which are neither imported nor counted. */
const leftovers = new Set([".git", "node_modules", "__MACOSX", ".DS_Store", "Thumbs.db"]);

export const isLeftover = (path: string): boolean => path.split("/").some((name) => leftovers.has(name));

/** The endings that editors and tools give to Markdown, the most usual first. */
export const markdownEndings = [
  "md",
  "mdx",
  "markdown",
  "mdown",
  "mkd",
  "mkdn",
  "mdwn",
  "mdtxt",
  "mdtext",
  "mdoc",
  "qmd",
  "rmd",
];

const markdown = new RegExp(`\\.(?:${markdownEndings.join("|")})$`, "i");

export const isMarkdown = (path: string): boolean => markdown.test(path);

export const isHtml = (path: string): boolean => /\.x?html?$/i.test(path);

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
  /** Whether HTML files are pages: those of an export, not those that Markdown links to. */
  hasHtmlPages = false;

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

  /** Ignores files of tools, and omits those with an invalid or duplicate path with a warning. TOO_LARGE. */
  add(file: ImportFile): void {
    const path = cleanPath(file.path);
    if (typeof path !== "string") return this.omit(file.path, path.problem);
    if (isLeftover(path)) return;
    const folders = foldersOf(path);
    if (this.#files.has(path) || this.#folders.has(path)) return this.omit(path, "It occurs twice in the import.");
    const blocked = folders.find((folder) => this.#files.has(folder));
    if (blocked !== undefined) return this.omit(path, `${shorten(blocked)} is both a file and a folder.`);
    if (this.#files.size >= importLimits.files)
      throw new DomainError("TOO_LARGE", `An import may have at most ${importLimits.files} files.`);
    this.#size += file.size;
    if (this.#size > importLimits.totalSize)
      throw new DomainError("TOO_LARGE", `An import may have at most ${importLimits.totalSize} bytes.`);
    for (const folder of folders) this.#folders.add(folder);
    this.#files.set(path, { ...file, path });
    if (isIndex(path) && rank(path) < rank(this.#indexes.get(folderOf(path)))) this.#indexes.set(folderOf(path), path);
  }

  /** Warns that a file is left out. */
  omit(path: string, why: string): void {
    this.warnings.add(shorten(path), null, `${why} It is left out.`);
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

/** The names of the files that are the pages of their folders, the strongest first. */
const indexNames = ["readme", "index", "_index", "page"];

const isIndex = (path: string): boolean => isMarkdown(path) && rank(path) < indexNames.length;

/** The rank among {@link indexNames}; `page` counts only with the ending of a Next.js application. */
function rank(path: string | undefined): number {
  const found = path === undefined ? -1 : indexNames.indexOf(stemOf(path).toLowerCase());
  return found === -1 || (found === 3 && path?.endsWith("/page.mdx") !== true) ? indexNames.length : found;
}

function foldersOf(path: string): string[] {
  const folders: string[] = [];
  for (let folder = folderOf(path); folder !== ""; folder = folderOf(folder)) folders.push(folder);
  return folders;
}

/** The path in NFC with slashes, without empty and `.` names, or what is wrong with it. */
export function cleanPath(text: string): string | { readonly problem: string } {
  const path = text.normalize("NFC").replaceAll("\\", "/");
  if (path.length > importLimits.pathLength)
    return { problem: `Its path has more than ${importLimits.pathLength} characters.` };
  // oxlint-disable-next-line no-control-regex -- the check is for them
  if (!path.isWellFormed() || /[\u0000-\u001f\u007f]/.test(path))
    return { problem: "Its path contains control characters." };
  const names = path.split("/").filter((name) => name !== "" && name !== ".");
  if (names.includes("..") || names.length === 0) return { problem: "Its path is not inside the import." };
  return names.join("/");
}

/** The text of a file; null with a warning if it cannot be read or a page cannot have it. */
export async function readText(files: ImportFiles, file: ImportFile): Promise<string | null> {
  const omit = (why: string) => {
    files.omit(file.path, why);
    return null;
  };
  if (file.size > importLimits.textSize) return omit(`It has more than ${importLimits.textSize} bytes.`);
  let bytes: Buffer;
  try {
    bytes = await file.read();
  } catch (error) {
    return omit(`It cannot be read: ${reasonOf(error)}.`);
  }
  const decoded = decodeText(bytes, isHtml(file.path) ? charsetOf(bytes.toString("latin1", 0, 1024)) : null);
  if (!decoded) return omit("It is not a text.");
  const { text, guessed } = decoded;
  if (isTooLong(text)) return omit("It has more than 500000 characters.");
  if (guessed !== null)
    files.warnings.add(file.path, null, `It is not in UTF-8, and was read as ${guessed}.`, "converted");
  return text;
}

/** Why a file could not be read, without a period at the end. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) throw error;
  return error.message.replace(/\.$/, "");
}
