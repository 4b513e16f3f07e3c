// Finds the files and pages that links of an import lead to: by path, by the addresses of its website, and by name.
import { inFigures } from "#src/base/limits.ts";
import { percentDecoded } from "#src/base/url-text.ts";
import {
  folderOf,
  type ImportFiles,
  isHtml,
  isMarkdown,
  markdownEndings,
  nameOf,
  stemOf,
} from "#src/features/imports/model/files.ts";
import { join, looseKey, routeKey, withoutId, withoutNumber } from "#src/features/imports/model/paths.ts";

/** The target of a link within the import; `path` is null if the file does not exist. */
export interface Resolved {
  readonly path: string | null;
  /** Starts with `#`; empty without an anchor. */
  readonly anchor: string;
  /** Set if the link is written differently from the path. */
  readonly note?: string;
  /** Whether other files have the same name. */
  readonly isUncertain?: boolean;
}

/** A page, and its addresses other than its path. */
export interface Routed {
  readonly path: string;
  readonly routes: readonly string[];
}

/** What the form of a repository says about links. */
export interface LinkRules {
  /** The folder that `/` refers to, before the root of the import. */
  readonly root: string;
  /** Folders whose files are at the root of the website. */
  readonly statics: readonly string[];
}

/** Names of folders whose files are at the root of a website. */
const staticNames = new Set(["static", "public", "assets", "source"]);

/** A path from the root of a repository or website into the folder of its documentation. */
const documentationFolder = /^\/(?:docs?|documentation|content|pages|src|book|wiki|manual)(\/.+)$/i;

/** A name that more files have does not say which is meant. */
const mostNamesakes = 100;

export class LinkResolver {
  readonly #files: ImportFiles;
  readonly #bases: readonly string[];
  readonly #stems = new Map<string, string>();
  readonly #routes = new Map<string, string>();
  /** Paths by their lower case, null where several have it; and by the keys of their names. */
  readonly #loose = new Map<string, string | null>();
  readonly #names = new Map<string, Set<string>>();

  constructor(files: ImportFiles, { root, statics }: LinkRules, pages: readonly Routed[]) {
    this.#files = files;
    const found = new Set<string>();
    for (const path of files.paths) {
      if (isMarkdown(path) || isHtml(path)) this.#addStem(path);
      const key = path.toLowerCase();
      this.#loose.set(key, this.#loose.has(key) ? null : path);
      this.#addName(nameOf(path), path);
      for (let folder = folderOf(path); folder !== "" && !found.has(folder); folder = folderOf(folder))
        if (folder.split("/").length <= 4 && staticNames.has(nameOf(folder))) found.add(folder);
    }
    const byDepth = [...found].toSorted((one, other) => one.split("/").length - other.split("/").length);
    this.#bases = [...new Set([root, ...statics, "", ...byDepth])];
    for (const page of pages) this.#addPage(page, root);
  }

  /** Null for links out of the import or within a page. */
  resolve(url: string, from: string): Resolved | null {
    const inside = url.replace(/^pathname:\/\//i, "").replace(/^(?:@site|~@|@|~)\//, "/");
    if (inside === "" || inside.startsWith("#") || inside.startsWith("//") || /^[a-z][a-z0-9+.-]*:/i.test(inside))
      return null;
    const [, address = "", anchor = ""] = /^([^?#]*)(?:\?[^#]*)?(#.+)?/s.exec(inside) ?? [];
    const decoded = (percentDecoded(address) ?? address).normalize("NFC");
    const path = decoded.replace(/(?<=\.(?:mdx?|markdown|html?))\/$/i, "");
    const found = this.#byAddress(path, from) ?? this.#belowRoot(path, from) ?? this.#byName(path, from);
    return { anchor, ...(found ?? { path: null }) };
  }

  #byAddress(path: string, from: string): Omit<Resolved, "anchor"> | null {
    return this.#byPath(path, from) ?? this.#like(path, from) ?? this.#byRoute(path, from);
  }

  /** The file at a path that begins with the folder that was imported. */
  #belowRoot(path: string, from: string): Omit<Resolved, "anchor"> | null {
    const [, inside] = documentationFolder.exec(path) ?? [];
    return inside === undefined ? null : this.#byAddress(inside, from);
  }

  /** The page or file that a wiki calls by a name. */
  resolveName(url: string, from: string): Resolved {
    const [, name = "", anchor = ""] = /^([^#]*)(#.*)?$/s.exec(url) ?? [];
    if (name === "") return { path: from, anchor };
    const found =
      this.#byPath(name, from) ?? this.#byName(name, from) ?? this.#byRoute(name, from) ?? this.#like(name, from);
    return { anchor, ...(found ?? { path: null }) };
  }

  #addStem(path: string): void {
    const stem = path.slice(0, path.length - nameOf(path).length) + stemOf(path);
    const known = this.#stems.get(stem);
    const rank = (of: string) => markdownEndings.indexOf(of.slice(of.lastIndexOf(".") + 1).toLowerCase()) >>> 0;
    if (known === undefined || rank(path) < rank(known)) this.#stems.set(stem, path);
  }

  #addName(name: string, path: string): void {
    const stem = isMarkdown(name) || isHtml(name) ? stemOf(name) : name;
    for (const key of new Set([looseKey(stem), looseKey(withoutId(stem)), looseKey(name)])) {
      const known = this.#names.get(key);
      if (known) known.add(path);
      else this.#names.set(key, new Set([path]));
    }
  }

  #addPage({ path, routes }: Routed, root: string): void {
    const add = (route: string) => {
      const key = routeKey(route);
      if (!this.#routes.has(key)) this.#routes.set(key, path);
    };
    const start = root === "" ? "" : `${root}/`;
    const addInside = (route: string) => {
      add(route);
      if (start !== "" && route.startsWith(start)) add(route.slice(start.length));
    };
    const plain = path
      .replace(/\.[^./]*$/, "")
      .split("/")
      .map(withoutNumber)
      .join("/");
    for (const route of routes) {
      if (/^https?:/i.test(route)) continue;
      if (route.startsWith("/")) add(route);
      else addInside(`${folderOf(plain)}/${route}`.replace(/^\//, ""));
      add(start + route);
      this.#addName(route.replace(/^.*\//, ""), path);
    }
    addInside(plain);
  }

  /** Absolute paths begin at a root of the website. */
  #candidates(path: string, from: string): string[] {
    const bases = path.startsWith("/") ? this.#bases : [folderOf(from)];
    return bases.flatMap((base) => join(base, path) ?? []);
  }

  #byPath(path: string, from: string): { path: string } | null {
    for (const candidate of this.#candidates(path, from)) {
      const found = this.#fileAt(candidate);
      if (found !== undefined) return { path: found };
    }
    return null;
  }

  /** The file, the page of a folder, or the page of `page.html`, `page.md` or `page`. */
  #fileAt(path: string): string | undefined {
    if (this.#files.has(path)) return path;
    const stem = path.replace(/\.(?:x?html?|mdx?|markdown)$/i, "");
    const page = this.#stems.get(path) ?? this.#stems.get(stem);
    if (page !== undefined) return page;
    return this.#files.indexOf(/(?:^|\/)index$/i.test(stem) ? folderOf(stem) : path);
  }

  /** The page at an address of the website, which may be that of a folder, or begin with a language. */
  #byRoute(path: string, from: string): { path: string } | null {
    const ending = /\.(?!html?$|mdx?$)[a-z]\w{0,4}$/i;
    if (ending.test(path) && !this.#routes.has(routeKey(path))) return null;
    const plain = path.replace(/\.(?:mdx?|markdown)$/i, "");
    const folder = folderOf(from).split("/").map(withoutNumber).join("/");
    const isFile = plain !== path || /(?:^|\/)index$/i.test(plain);
    const places = plain.startsWith("/")
      ? [plain, plain.replace(/^\/[a-z]{2}(?:-[a-z]{2})?(?=\/)/i, "")]
      : [join(folder, plain), isFile ? null : join(`${folder}/${withoutNumber(stemOf(from))}`, plain)];
    for (const place of places) {
      const found = place === null ? undefined : this.#routes.get(routeKey(place));
      if (found !== undefined) return { path: found };
    }
    if (plain.startsWith("/") || isFile) return null;
    const beside = join(`${folderOf(from)}/${stemOf(from)}`, plain);
    const found = beside === null || beside === "" ? undefined : this.#fileAt(beside);
    return found === undefined ? null : { path: found };
  }

  /** The only file whose path differs in letter case alone, or has slashes for backslashes. */
  #like(path: string, from: string): Omit<Resolved, "anchor"> | null {
    const plain = path.replaceAll("\\", "/");
    for (const candidate of this.#candidates(plain, from)) {
      const stem = candidate.replace(/\.(?:x?html?|mdx?|markdown)$/i, "").toLowerCase();
      const keys = [candidate.toLowerCase(), ...markdownEndings.map((ending) => `${stem}.${ending}`)];
      for (const key of keys) {
        const found = this.#loose.get(key);
        if (found) return { path: found, note: "differs from its file in letter case" };
      }
      const exact = plain === path ? undefined : this.#fileAt(candidate);
      if (exact !== undefined) return { path: exact };
    }
    return null;
  }

  /** The file of a name, wherever it is; of several, the one in the same folder or nearest to the root. */
  #byName(name: string, from: string): Omit<Resolved, "anchor"> | null {
    if (name.startsWith("../") || name === "" || name.endsWith("/")) return null;
    const end = looseKey(name.replace(/^\.?\//, ""));
    const key = looseKey(nameOf(name));
    const named = this.#names.get(key) ?? this.#names.get(looseKey(stemIfPage(nameOf(name)))) ?? new Set();
    if (named.size > mostNamesakes) return null;
    const all = [...named].filter((path) => endsWith(path, end));
    const [nearest, ...others] = all.toSorted(
      (one, other) =>
        distance(one, from) - distance(other, from) || one.length - other.length || (one < other ? -1 : 1),
    );
    if (nearest === undefined) return null;
    const found = `was found by its name at ${nearest}`;
    if (others.length === 0) return { path: nearest, note: found };
    return { path: nearest, note: `${found}, and ${inFigures(others.length)} other files have it`, isUncertain: true };
  }
}

const stemIfPage = (name: string): string => (isMarkdown(name) || isHtml(name) ? stemOf(name) : name);

/** Whether a path ends with the folders of a name. */
function endsWith(path: string, name: string): boolean {
  if (!name.includes("/")) return true;
  const ends = [looseKey(path), looseKey(path.replace(/\.[^./]*$/, ""))];
  return ends.some(
    (end) => end === name || end.endsWith(`/${name.replace(/\.(?:mdx?|markdown)$/, "")}`) || end.endsWith(`/${name}`),
  );
}

const distance = (path: string, from: string): number =>
  folderOf(path) === folderOf(from) ? 0 : path.split("/").length;
