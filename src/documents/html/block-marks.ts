// Replaces the block syntax of other dialects in a text by marks: comments that a parser of Markdown keeps in place,
// whatever is around them. Code stays unchanged. `marked-blocks.ts` makes blocks of the marks in the syntax tree.
import { styleOf } from "#src/documents/html/block-names.ts";
import { containerTag, type Tag, tagsIn } from "#src/documents/html/block-tags.ts";
import { endsWithParent } from "#src/documents/html/block-names.ts";
import { proseIn } from "#src/documents/prose.ts";

export interface MarkedText {
  readonly text: string;
  readonly tags: readonly Tag[];
  /** The number of the tag that a mark is for; null for any other text. */
  readonly numberIn: (comment: string) => number | null;
  /** A text with the marks in it replaced by what they were written as. */
  readonly unmarked: (text: string) => string;
}

/** Texts without these characters have nothing to mark. */
const mayHaveBlocks = /\{%|:::|^[ \t>]*(?:!!!|\?\?\?|===)|<\/?[A-Z]/m;

const frontMatter = /^---[ \t]*\n(?:[\w-]+:.*\n|[ \t]+\S.*\n|- .*\n|#.*\n|[ \t]*\n){1,200}?---[ \t]*(?:\n|$)/;

/** Marks the blocks of a text, and removes its front matter. Takes linear time. */
export function markBlocks(markdown: string): MarkedText {
  const text = markdown.replaceAll(/\r\n?/g, "\n").replaceAll("\0", "\ufffd").replace(frontMatter, "");
  const marker = new Marker(freeMark(text));
  const lines = mayHaveBlocks.test(text) ? marker.mark(text) : [text];
  const { tags, sources } = marker;
  const mark = new RegExp(`${marker.start}(\\d+)-->`, "g");
  return {
    text: lines.join("\n"),
    tags: paired(tags),
    numberIn: (comment) => {
      const [whole, number] = comment.matchAll(mark).next().value ?? [];
      return whole !== undefined && whole === comment.trim() ? Number(number) : null;
    },
    unmarked: (inner) => inner.replaceAll(mark, (_whole, number: string) => sources[Number(number)] ?? ""),
  };
}

/** The start of a comment that the text does not contain, so that no author writes a mark. */
function freeMark(text: string): string {
  for (let number = 0; ; number++) if (!text.includes(`<!--b${number}:`)) return `<!--b${number}:`;
}

/** The depth of admonitions within admonitions. */
const deepest = 10;

const prefixOfLine = /^[ \t]*(?:>[ \t]?[ \t]*)*/;

class Marker {
  readonly start: string;
  readonly tags: Tag[] = [];
  readonly sources: string[] = [];
  /** The open `:::`, with their numbers of colons. */
  readonly #containers: { readonly name: string; readonly colons: number }[] = [];
  #lines: string[] = [];

  constructor(start: string) {
    this.start = start;
  }

  mark(text: string, depth = 0): string[] {
    const outside = this.#lines;
    this.#lines = [];
    const lines = text.split("\n");
    const prose = proseLines(text, lines);
    for (let at = 0; at < lines.length; at++) {
      const line = lines[at] ?? "";
      if (prose.has(at)) at += this.#markLine(line, lines, at, depth);
      else this.#lines.push(line);
    }
    const marked = this.#lines;
    this.#lines = outside;
    return marked;
  }

  /** Returns the number of lines after this one that belong to it. */
  #markLine(line: string, lines: readonly string[], at: number, depth: number): number {
    const prefix = prefixOfLine.exec(line)?.[0] ?? "";
    const own = line.slice(prefix.length).trimEnd();
    if (/^(?:!!!|\?\?\?|===)/.test(own)) return this.#markIndented({ prefix, own, line }, lines.slice(at + 1), depth);
    const { text, more } = own.startsWith("<") ? wholeTag(own, lines.slice(at + 1, at + 20)) : { text: own, more: 0 };
    const parts = own.startsWith(":::") ? this.#container(own) : tagsIn(text);
    if (!parts) {
      this.#lines.push(line);
      return 0;
    }
    for (const part of parts) {
      if (typeof part === "string") this.#lines.push(prefix + part.trim());
      else this.#put(prefix, part, text);
    }
    return more;
  }

  #put(prefix: string, tag: Tag, source: string): void {
    // A blank line ends HTML, which would continue with the mark.
    if ((this.#lines.at(-1) ?? "").slice(prefix.length).startsWith("<")) this.#lines.push(prefix.trimEnd());
    this.#lines.push(`${prefix}${this.start}${this.tags.length}-->`);
    this.tags.push(tag);
    this.sources.push(source);
  }

  #container(line: string): Tag[] | null {
    const found = containerTag(line);
    if (!found) return null;
    const { colons, tag } = found;
    if (tag) {
      this.#containers.push({ name: tag.name, colons });
      return [tag];
    }
    const open = this.#containers.findLastIndex((one) => one.colons <= colons);
    const [closed] = open < 0 ? [] : this.#containers.splice(open);
    return closed ? [{ side: "end", name: closed.name, kind: "part", attributes: {} }] : [];
  }

  /** Marks a block of MkDocs, whose content is indented: `!!! note "Title"`, `??? note`, `=== "Tab"`. */
  #markIndented({ prefix, own, line }: Record<"prefix" | "own" | "line", string>, after: string[], depth: number) {
    const tag = indentedTag(own);
    if (!tag || depth >= deepest) {
      this.#lines.push(line);
      return 0;
    }
    const content = indentedLines(prefix, after);
    this.#put(prefix, { ...tag, side: "start" }, own);
    this.#lines.push(...this.mark(content.map((one) => prefix + one).join("\n"), depth + 1));
    this.#put(prefix, { ...tag, side: "end" }, "");
    return content.length;
  }
}

/** The lines that are prose. */
function proseLines(text: string, lines: readonly string[]): ReadonlySet<number> {
  const found = new Set<number>();
  let at = 0;
  let start = 0;
  for (const prose of proseIn(text)) {
    for (; at < lines.length && start <= prose.end; at++) {
      if (start >= prose.start) found.add(at);
      start += (lines[at] ?? "").length + 1;
    }
  }
  return found;
}

/** A tag of a component whose attributes continue on the next lines. */
function wholeTag(own: string, after: readonly string[]): { text: string; more: number } {
  if (own.includes(">") || !/^<[A-Z]/.test(own)) return { text: own, more: 0 };
  const last = after.findIndex((line) => line.includes(">") || line.trim() === "");
  const isWhole = last >= 0 && (after[last] ?? "").trimEnd().endsWith(">");
  if (!isWhole) return { text: own, more: 0 };
  return { text: [own, ...after.slice(0, last + 1)].map((line) => line.trim()).join(" "), more: last + 1 };
}

const admonition = /^(!!!|\?\?\?\+?)[ \t]+([A-Za-z][\w-]*)(?:[ \t]+[\w-]+)*[ \t]*(?:"([^"]*)")?$/;
const contentTab = /^===[!+]?[ \t]+"([^"]*)"$/;

function indentedTag(own: string): Omit<Tag, "side"> | null {
  const [, title] = contentTab.exec(own) ?? [];
  if (title !== undefined) return { name: "===", kind: "tab", attributes: { title } };
  const [, sign, name, given] = admonition.exec(own) ?? [];
  if (sign === undefined || name === undefined) return null;
  const style = styleOf(name) ?? "info";
  const attributes = { title: given ?? name.charAt(0).toUpperCase() + name.slice(1), style };
  if (sign === "!!!") return { name: sign, kind: "hint", style, attributes };
  return { name: sign, kind: "expandable", attributes: { ...attributes, ...(sign === "???+" && { open: "true" }) } };
}

/** The lines indented by four columns more than the prefix, without this indentation; blank ones between them. */
function indentedLines(prefix: string, after: readonly string[]): string[] {
  const content: string[] = [];
  let blanks = 0;
  for (const line of after) {
    const isBlank =
      line.slice(prefix.length).trim() === "" && prefix.startsWith(line.slice(0, prefix.length).trimEnd());
    const [indent] = line.startsWith(prefix) ? (/^(?: {4}|\t)/.exec(line.slice(prefix.length)) ?? []) : [];
    if (indent === undefined && !isBlank) break;
    blanks = isBlank ? blanks + 1 : 0;
    content.push(isBlank ? "" : line.slice(prefix.length + (indent ?? "").length));
  }
  return content.slice(0, content.length - blanks);
}

/** A start without its end becomes a block without content, and one that ends with its parent stays a start. */
function paired(tags: readonly Tag[]): Tag[] {
  const open: number[] = [];
  const ended = new Set<number>();
  for (const [index, { side, name }] of tags.entries()) {
    if (side === "start") open.push(index);
    if (side !== "end") continue;
    const at = open.findLastIndex((one) => tags[one]?.name === name);
    if (at < 0) continue;
    ended.add(open[at] ?? -1);
    open.length = at;
  }
  return tags.map((tag, index) =>
    tag.side === "start" && !ended.has(index) && !endsWithParent.has(tag.kind) ? { ...tag, side: "both" } : tag,
  );
}
