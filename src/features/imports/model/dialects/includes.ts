// Files that texts include: `{{#include}}` of mdBook, `<<<` and `<!--@include-->` of VitePress, `--8<--` of MkDocs,
// `{% include %}` of GitBook, `readfile` and `include` of Hugo and Quarto, and Markdown that MDX imports.
import { folderOf, type ImportFile, type ImportFiles, isMarkdown, nameOf } from "#src/features/imports/model/files.ts";
import { slugOf } from "#src/base/text/slugs.ts";
import { join } from "#src/features/imports/model/paths.ts";
import { shorten } from "#src/features/imports/model/warnings.ts";

/** A text with the files it includes, and the line of each of its lines in the file. */
export interface ExpandedText {
  readonly text: string;
  readonly lineOf: (line: number) => number;
}

/** What a directive includes: a file, or some of its lines. */
interface Include {
  readonly path: string;
  /** Lines from 1, the name of a region or anchor, or empty. */
  readonly part: string;
  /** The language of the fence to put it in; null to include it as Markdown. */
  readonly fence: string | null;
}

interface Directive {
  readonly pattern: RegExp;
  /** Null if it is an example. */
  read(match: RegExpExecArray): Include | null;
  /** Whether the line has a meaning of its own if no file is found by the path or the name. */
  readonly isByName?: true;
  /** Folders that the path may begin at, after the one of the text. */
  readonly bases: readonly string[];
}

const languageOf = (path: string): string => /\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? "";

/** Every pattern matches within one line, with its indentation in the first group. */
const directives: readonly Directive[] = [
  {
    pattern:
      /^([ \t]*)(?<!\\)\{\{#(?:include|rustdoc_include|playground|playpen)[ \t]+([^}\s]{1,300})[^}\n]{0,100}\}\}[ \t]*$/,
    read: ([, , target = ""]) => ({ ...splitAt(target, ":"), fence: null }),
    bases: [],
  },
  {
    pattern:
      /^([ \t]*)<<<[ \t]*([^\s{}[\]#]{1,300})(#[\w-]+)?(?:[ \t]*\{([^}\n]{0,100})\})?(?:[ \t]*\[[^\]\n]{0,100}\])?[ \t]*$/,
    read: ([, , path = "", region = "", settings = ""]) => ({
      path: path.replace(/^[@~]\//, "/"),
      part: region.slice(1),
      fence: /(?:^|\s)([a-z]\w*)/i.exec(settings)?.[1] ?? languageOf(path),
    }),
    bases: [""],
  },
  {
    pattern: /^([ \t]*)<!--[ \t]*@include:[ \t]*([^\s{}#]{1,300})(?:#([\w-]+))?(?:\{([\d,]*)\})?[ \t]*-->[ \t]*$/,
    read: ([, , path = "", region = "", lines = ""]) => ({
      path: path.replace(/^@\//, "/"),
      part: region || lines.replace(",", ":"),
      fence: null,
    }),
    bases: [""],
  },
  {
    pattern: /^([ \t]*)-{1,}8<-{1,}[ \t]+["']([^"'\n]{1,300})["'][ \t]*$/,
    read: ([, , target = ""]) => ({ ...splitAt(target, ":"), fence: null }),
    bases: ["", "docs", "snippets", "docs/snippets", "includes"],
  },
  {
    pattern: /^([ \t]*)\{!>?[ \t]*([^!\n]{1,300}?)[ \t]*!\}[ \t]*$/,
    read: ([, , path = ""]) => ({ path, part: "", fence: null }),
    bases: ["", "docs"],
  },
  {
    pattern:
      /^([ \t]*)\{%-?[ \t]*include(?:_relative|-markdown)?[ \t]+(?:["']([^"'\n]{1,300})["']|([\w./-]{1,300}\.(?:md|markdown)))[^%\n]{0,200}%\}[ \t]*$/,
    read: ([, , quoted, bare]) => ({ path: quoted ?? bare ?? "", part: "", fence: null }),
    bases: ["", "_includes", "docs", "includes"],
  },
  {
    pattern:
      /^([ \t]*)\{\{[<%][ \t]*(?:readfile|include)[ \t]+(?:file[ \t]*=[ \t]*)?["']?([^\s"'<>%{}]{1,300})["']?[^{}\n]{0,200}[%>]\}\}[ \t]*$/,
    read: ([, , path = ""]) => ({ path, part: "", fence: isMarkdown(path) ? null : languageOf(path) }),
    bases: ["", "content", "content/en"],
  },
  {
    pattern: /^([ \t]*)!\[\[([^\]|#^\n]{1,300})(?:#([^\]|#^\n]{1,200}))?(?:\|[^\]\n]{0,200})?\]\][ \t]*$/,
    read: ([, , name = "", heading = ""]) =>
      /\.(?!md$)\w{1,5}$/i.test(name)
        ? null
        : { path: name.trim(), part: heading && `# ${heading.trim()}`, fence: null },
    bases: [""],
    isByName: true,
  },
];

/** `path:3:10`, `path:anchor`, or `path`. */
function splitAt(target: string, separator: string): { path: string; part: string } {
  const at = target.indexOf(separator, 2);
  return at === -1 ? { path: target, part: "" } : { path: target.slice(0, at), part: target.slice(at + 1) };
}

const sign =
  /!\[\[|\{\{#|\{\{[<%][ \t]*(?:readfile|include)|<<<|@include:|8<-|\{!|\{%-?[ \t]*include|^import\s+[\w$]+\s+from\s+["'][^"'\n]+\.mdx?["']/m;

/** Maximum levels of includes in includes, and length of an expanded text in UTF-16 code units. */
const limits = { depth: 10, length: 1_000_000 };

export class Includes {
  readonly #files: ImportFiles;
  readonly #read: (file: ImportFile) => Promise<string | null>;
  readonly #roots: readonly string[];
  /** The paths of the files that some text includes. */
  readonly used = new Set<string>();

  /** `roots` are folders that paths may begin at. */
  constructor(files: ImportFiles, read: (file: ImportFile) => Promise<string | null>, roots: readonly string[]) {
    this.#files = files;
    this.#read = read;
    this.#roots = roots;
  }

  async expand(path: string, text: string): Promise<ExpandedText> {
    if (!sign.test(text)) return { text, lineOf: (line) => line };
    const { lines, origins } = await this.#lines(path, text, [path]);
    return { text: lines.join("\n"), lineOf: (line) => origins[line - 1] ?? line };
  }

  async #lines(path: string, text: string, around: readonly string[]): Promise<{ lines: string[]; origins: number[] }> {
    const lines: string[] = [];
    const origins: number[] = [];
    const components = importedIn(text);
    let fence = "";
    let length = text.length;
    for (const [index, line] of text.split("\n").entries()) {
      const mark = /^[ \t>]*(`{3,}|~{3,})/.exec(line)?.[1] ?? "";
      if (fence === "") fence = mark;
      else if (mark.startsWith(fence)) fence = "";
      const found = includeIn(line, fence !== "", components);
      const included =
        found && length < limits.length
          ? await this.#included(found, { path, line: index + 1, around, isCode: fence !== "" })
          : null;
      length += included?.length ?? 0;
      const own =
        included === null
          ? [line]
          : included.split("\n").map((one) => (one === "" ? one : (found?.indent ?? "") + one));
      lines.push(...own);
      origins.push(...own.map(() => index + 1));
    }
    return { lines, origins };
  }

  /** The included text; null with a warning if its file does not exist, or it includes itself. */
  async #included(
    { include, bases, isByName }: Found,
    of: { path: string; line: number; around: readonly string[]; isCode: boolean },
  ): Promise<string | null> {
    const { path, line, around, isCode } = of;
    const warn = (why: string) => {
      if (!isCode && !isByName)
        this.#files.warnings.add(path, line, `The included file ${shorten(include.path)} ${why}.`, "link");
      return null;
    };
    const places = [...(include.path.startsWith("/") ? [] : [folderOf(path)]), ...this.#roots, ...bases];
    const found = places
      .flatMap((base) => join(base, include.path) ?? [])
      .flatMap((one) => [one, `${one}.md`])
      .find((one) => this.#files.has(one) && (!isByName || isMarkdown(one)));
    const file = found === undefined ? undefined : this.#files.get(found);
    if (!file || !found) return warn("does not exist in the import");
    if (around.includes(found) || around.length > limits.depth) return warn("includes itself");
    const text = await this.#read(file);
    if (text === null) return warn("cannot be read");
    const part = include.part.startsWith("# ") ? sectionOf(text, include.part.slice(2)) : partOf(text, include.part);
    if (part === null) return null;
    this.used.add(found);
    if (include.fence !== null)
      return `${fenceFor(part)}${include.fence}\n${part.replace(/\n$/, "")}\n${fenceFor(part)}`;
    const plain = isMarkdown(found) && /^(?:#|$)/.test(include.part) ? part.replace(/^---\n[^]*?\n---\n/, "") : part;
    const { lines } =
      sign.test(plain) && isMarkdown(found)
        ? await this.#lines(found, plain, [...around, found])
        : { lines: plain.split("\n") };
    return lines.join("\n").replace(/\n+$/, "");
  }
}

type Found = Pick<Directive, "bases" | "isByName"> & { readonly include: Include; readonly indent: string };

function includeIn(line: string, isCode: boolean, components: ReadonlyMap<string, string>): Found | null {
  for (const directive of directives) {
    const match = directive.pattern.exec(line);
    const include = match ? directive.read(match) : null;
    const isExample = isCode && (include?.fence !== null || directive.isByName || line.includes("@include"));
    if (match && include && !isExample) return { include, indent: match[1] ?? "", ...directive };
  }
  const [, indent = "", name = ""] = /^([ \t]*)<([A-Z]\w*)(?:\s[^<>]{0,500})?\/>[ \t]*\r?$/.exec(line) ?? [];
  const path = isCode ? undefined : components.get(name);
  return path === undefined ? null : { include: { path, part: "", fence: null }, indent, bases: [] };
}

const componentImport = /^import\s+([\w$]+)\s+from\s+["']((?:[^"'\n]{1,300})\.mdx?)["']/gm;

/** Markdown that MDX imports as a component, by name. */
const importedIn = (text: string): ReadonlyMap<string, string> =>
  new Map(
    Array.from(text.matchAll(componentImport), ([, name = "", path = ""]) => [name, path.replace(/^@site\//, "/")]),
  );

/** The lines `3:10`, `:10`, `3`, or between the comments of a region or an anchor, without such comments. */
function partOf(text: string, part: string): string {
  const lines = text.split("\n");
  if (part === "") return text;
  if (/^[\d:,]+$/.test(part)) {
    const [from = "", to] = part.split(":");
    const start = Math.max(1, Number(from) || 1);
    return lines.slice(start - 1, to === undefined ? start : Number(to) || undefined).join("\n");
  }
  const isMark = (line: string, kind: RegExp) => kind.test(line) && line.includes(part);
  const start = lines.findIndex((line) => isMark(line, /#\s*region|ANCHOR:|--8<--\s*\[start:|\[start:/));
  const end = lines.findIndex((line, index) => index > start && isMark(line, /#\s*endregion|ANCHOR_END:|\[end:/));
  if (start === -1) return text;
  return lines
    .slice(start + 1, end === -1 ? undefined : end)
    .filter((line) => !/ANCHOR(?:_END)?:\s*\w|#\s*(?:end)?region/.test(line))
    .join("\n");
}

/** The text under a heading up to the next one of its level; null without it. */
function sectionOf(text: string, title: string): string | null {
  const lines = text.split("\n");
  const start = lines.findIndex(
    (line) => slugOf(line.replace(/^#{1,6}[ \t]/, ""), "") === slugOf(title, "") && line.startsWith("#"),
  );
  if (start === -1) return null;
  const level = /^#+/.exec(lines[start] ?? "")?.[0].length ?? 1;
  const end = lines.findIndex((line, at) => at > start && new RegExp(`^#{1,${level}}[ \\t]`).test(line));
  return lines.slice(start, end === -1 ? undefined : end).join("\n");
}

/** A fence longer than all in the text. */
const fenceFor = (text: string): string =>
  "`".repeat(Math.max(3, ...Array.from(text.matchAll(/`{3,}/g), ([run]) => run.length + 1)));

/** Whether a file that is included is only a part of others, by its name or its folder. */
export const isPartial = (path: string): boolean =>
  /^_(?!index\b|readme\b)/i.test(nameOf(path)) ||
  /(?:^|\/)(?:_?includes?|_?partials?|_?snippets?|_?fragments?|_layouts|_templates)\//i.test(path);
