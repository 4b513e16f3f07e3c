// Writes pieces of Markdown; untrusted texts are escaped, so that nothing in them is read as Markdown.
import type { ExternalDocs } from "#src/features/openapi/model/spec-document.ts";

/** Control characters, some of which PostgreSQL cannot store. */
// oxlint-disable-next-line no-control-regex -- the expression searches for them
const unusable = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g;

/** A text that can be stored, with line feeds only; empty for other values. */
export function textOf(value: unknown): string {
  if (typeof value !== "string") return "";
  return value.toWellFormed().replaceAll(/\r\n?/g, "\n").replaceAll(unusable, "");
}

export const lineOf = (value: unknown): string => textOf(value).replaceAll(/\s+/g, " ").trim();

export function cut(text: string, limit: number): string {
  if (text.length <= limit) return text;
  return `${text
    .slice(0, limit - 1)
    .toWellFormed()
    .replace(/\ufffd$/, "")
    .trimEnd()}…`;
}

/** A text in one line, in which no character has a meaning in Markdown, HTML or expressions. */
export function plain(value: unknown, limit = 1_000): string {
  return cut(lineOf(value), limit)
    .replaceAll(/[\\`*_{}[\]<>#|~&!]/g, String.raw`\$&`)
    .replace(/^(?:[-+=]|\d{1,9}(?=[.)]))/, (start) => (/^\d/.test(start) ? start : `\\${start}`))
    .replace(/^(\d{1,9})([.)])/, String.raw`$1\$2`);
}

const longestRun = (text: string): number =>
  Array.from(text.matchAll(/`+/g), ([run]) => run.length).reduce((most, length) => Math.max(most, length), 0);

export function code(value: unknown, limit = 500): string {
  const text = cut(lineOf(value), limit);
  if (text === "") return "";
  const run = longestRun(text);
  const marks = "`".repeat(run === 0 ? 1 : run + 1);
  const space = text.startsWith("`") || text.endsWith("`") ? " " : "";
  return `${marks}${space}${text}${space}${marks}`;
}

export function codeBlock(language: string, text: string): string {
  const fence = "`".repeat(Math.max(3, longestRun(text) + 1));
  return `${fence}${language}\n${text}\n${fence}`;
}

/** A link with a text in Markdown; only the text if the address is null. */
export const link = (text: string, address: string | null): string =>
  address === null ? text : `[${text}](${address})`;

/** A link to an untrusted address; only the text unless it is http, https or mailto. */
export function webLink(text: unknown, address: unknown, base: string | null): string {
  const target = webAddress(address, base);
  const shown = plain(lineOf(text) || lineOf(address));
  return link(shown, target === null ? null : `<${target}>`);
}

export const moreOf = (
  { externalDocs }: { readonly externalDocs?: ExternalDocs | undefined },
  base: string | null,
): string => (externalDocs ? `More: ${webLink(externalDocs.description, externalDocs.url, base)}` : "");

/** An http, https or mailto address, escaped for Markdown; null for any other. Relative ones need a base. */
export function webAddress(value: unknown, base: string | null): string | null {
  const given = lineOf(value);
  if (given === "" || given.length > 2_000) return null;
  const isRelative = base !== null && !/^[a-z][a-z0-9+.-]*:|^#|^\\/i.test(given);
  const text = isRelative ? (URL.parse(given, base)?.href ?? "") : given;
  if (!/^(?:https?:\/\/|mailto:)[^\s\\]/i.test(text)) return null;
  return text.replaceAll(/[<>\s\\{}|`"]/g, (character) => encodeURIComponent(character));
}

export function item(head: string, blocks: readonly string[] = []): string {
  const inside = blocks.map((block) => `\n\n${indented(block)}`).join("");
  return `- ${head}${inside}`;
}

const indented = (block: string): string => block.replaceAll(/^(?=.)/gm, "  ");

export const list = (items: readonly string[]): string =>
  items.join(items.some((one) => one.includes("\n\n")) ? "\n\n" : "\n");

/** Collects the blocks of a page, up to the longest length of a page. */
export class PageText {
  readonly #blocks: string[] = [];
  #left = 400_000;
  #isFull = false;

  /** Adds blocks; empty ones are omitted. */
  add(...blocks: readonly string[]): this {
    for (const block of blocks) this.#add(block);
    return this;
  }

  #add(block: string): void {
    if (block === "" || this.#isFull) return;
    this.#isFull = block.length > this.#left;
    this.#left -= block.length + 2;
    this.#blocks.push(this.#isFull ? "*What follows is left out: the page would be too long.*" : block);
  }

  toString(): string {
    return this.#blocks.join("\n\n");
  }
}
