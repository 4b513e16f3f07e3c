// Finds the links of a Markdown text in one pass over its prose: every stored text is scanned, and a full parser takes
// minutes for adversarial texts.
import { percentDecoded } from "#src/base/url-text.ts";
import { BacktickRuns } from "#src/features/content/model/expressions.ts";
import { proseIn } from "#src/documents/prose.ts";
import { sectionsOf } from "#src/documents/convert.ts";
import { namesToTry } from "#src/documents/sections/anchors.ts";

/** A kind of index over texts; its version must be raised when the result of its function changes. */
export interface KindOf {
  readonly name: string;
  readonly version: number;
}

export const linksOf: KindOf = { name: "links", version: 1 };
export const anchorsOf: KindOf = { name: "anchors", version: 4 };

/** The anchors of the headings of a text, in order. */
export async function anchorsIn(markdown: string): Promise<string[]> {
  const { sections } = await sectionsOf(markdown);
  return sections.flatMap(({ anchor }) => anchor ?? []);
}

/** The index entries of the names in a text: an anchor, or another name and the anchor that it leads to. */
export async function anchorEntries(markdown: string): Promise<string[]> {
  const { sections, places } = await sectionsOf(markdown);
  const entries = sections.flatMap(({ anchor, aliases }) =>
    anchor === null ? [] : [anchor, ...aliases.map((alias) => `${alias} ${anchor}`)],
  );
  return [...entries, ...places];
}

/** The anchors of a text by all their names. */
export class TextAnchors {
  readonly #anchors: ReadonlyMap<string, string>;

  constructor(entries: readonly string[]) {
    this.#anchors = new Map(
      entries.toReversed().map((entry) => {
        const [name = "", anchor = name] = entry.split(" ");
        return [name.toLowerCase(), anchor];
      }),
    );
  }

  /** The anchor that the fragment of an address leads to; null if nothing has this name. */
  find(fragment: string): string | null {
    for (const name of namesToTry(percentDecoded(fragment) ?? fragment)) {
      const found = this.#anchors.get(name);
      if (found !== undefined) return found;
    }
    return null;
  }
}

/** How a text refers to its target: by a link, an image, or by embedding it. */
export type LinkRelation = "reference" | "embed" | "image";

export interface TextLink {
  readonly relation: LinkRelation;
  /** The URL without Markdown escapes; `reusable:` and the id for an included reusable content. */
  readonly address: string;
}

/** A range of a text, in UTF-16 code units. */
interface Span {
  readonly start: number;
  readonly end: number;
}

/** A link with the position of its URL in the text. */
export interface PlacedLink extends TextLink, Span {
  /** For `[text](address)`: the range of the whole link, and of its text. */
  readonly whole?: Span & { readonly text: Span };
}

/** Maximum number of stored links of a text. */
const linkLimit = 5_000;

// All parts of the pattern start differently and are bounded, so no text causes backtracking.
const variable = String.raw`\{\{[ \t]{0,9}[\p{L}_][\p{L}\p{N}_-]{0,99}[ \t]{0,9}\}\}`;
const angled = String.raw`<(?<angled>[^<>\n]{0,2000})>`;
const plain = String.raw`(?<plain>(?:${variable}|\{(?!\{)|[^\s()\\<{]|\\[^\n]|\([^\s()]{0,1000}\)){1,2000})`;
const title = String.raw`(?:\s{1,9}(?:"[^"]{0,1000}"|'[^']{0,1000}'|\([^()]{0,1000}\)))?`;
const attribute = String.raw`[^<>]{0,1000}?\s(?:src|href)\s{0,9}=\s{0,9}(?:"(?<double>[^"<>]{0,2000})"|'(?<single>[^'<>]{0,2000})')`;
const tokens = new RegExp(
  [
    String.raw`\\[^\n]`,
    "`+",
    String.raw`\{\{[ \t]{0,9}reusable:(?<reusable>\w{1,100})[ \t]{0,9}\}\}`,
    String.raw`(?<open>!?\[)`,
    String.raw`(?<inline>\]\(\s{0,9}(?:${angled}|${plain})${title}\s{0,9}\))`,
    String.raw`(?<close>\])`,
    String.raw`<(?<auto>(?:https?|mailto):[^\s<>]{1,2000})>`,
    String.raw`<(?<tag>img|a)(?=\s)${attribute}`,
    String.raw`(?<bare>(?<![\p{L}\p{N}])https?:\/\/[^\s<>()[\]"'${"`"}]{1,2000})`,
  ].join("|"),
  "gud",
);

const definition =
  /^(?:[ \t]|>[ \t]?){0,20}\[(?!\^)[^\]\n]{1,999}\]:[ \t]{0,9}(?:<(?<angled>[^<>\n]{1,2000})>|(?<plain>[^\s<]\S{0,1999}))/dgm;

/** All links of a text with their positions, in order. Takes linear time. */
export function linksIn(markdown: string): PlacedLink[] {
  const links: PlacedLink[] = [];
  for (const { start, end } of proseIn(markdown)) {
    const prose = markdown.slice(start, end);
    for (const link of [...linksInProse(prose), ...definitionsIn(prose)]) links.push(movedBy(start, link));
  }
  return links.toSorted((one, other) => one.start - other.start);
}

function movedBy(by: number, { whole, ...link }: PlacedLink): PlacedLink {
  const moved = ({ start, end }: Span): Span => ({ start: start + by, end: end + by });
  return { ...link, ...moved(link), ...(whole && { whole: { ...moved(whole), text: moved(whole.text) } }) };
}

export function distinctLinksIn(markdown: string): TextLink[] {
  const links = new Map<string, TextLink>();
  for (const { relation, address } of linksIn(markdown)) {
    if (links.size >= linkLimit) break;
    links.set(`${relation} ${address}`, { relation, address });
  }
  return [...links.values()];
}

function* linksInProse(prose: string): Generator<PlacedLink> {
  if (!/[[<]|:\/\/|\{\{/.test(prose)) return;
  const runs = new BacktickRuns(prose);
  const opened: Span[] = [];
  for (tokens.lastIndex = 0; ;) {
    const found = tokens.exec(prose);
    if (!found) return;
    const [token] = found;
    const { open, inline, close } = found.groups ?? {};
    if (token.startsWith("`")) tokens.lastIndex = runs.endOfSpan(found.index, token.length);
    if (open !== undefined) opened.push({ start: found.index, end: tokens.lastIndex });
    const before = inline !== undefined || close !== undefined ? opened.pop() : undefined;
    if (inline !== undefined && before === undefined) continue; // without an opening bracket
    const isImage = before !== undefined && prose[before.start] === "!";
    for (const link of linkOf(found, isImage ? "image" : "reference")) {
      const text = before && { start: before.end, end: found.index };
      yield text ? { ...link, whole: { start: before.start, end: tokens.lastIndex, text } } : link;
    }
  }
}

function* linkOf({ groups = {}, indices }: RegExpExecArray, relation: LinkRelation): Generator<PlacedLink> {
  const name = ["angled", "plain", "auto", "double", "single", "bare", "reusable"].find((one) => groups[one]);
  const [start, end] = (name !== undefined && indices?.groups?.[name]) || [0, 0];
  const text = name === undefined ? "" : (groups[name] ?? "");
  if (name === "reusable") yield { relation: "embed", address: `reusable:${text}`, start, end };
  else if (name === "bare") yield bareLink(text, start);
  else if (text !== "")
    yield { relation: groups["tag"] === "img" ? "image" : relation, address: unescaped(text), start, end };
}

/** A URL in prose ends before the punctuation of its sentence. */
function bareLink(text: string, start: number): PlacedLink {
  const address = text.replace(/[.,;:!?*_~]{1,9}$/, "");
  return { relation: "reference", address: unescaped(address), start, end: start + address.length };
}

function* definitionsIn(prose: string): Generator<PlacedLink> {
  if (!prose.includes("]:")) return;
  for (const { groups = {}, indices } of prose.matchAll(definition)) {
    const name = groups["angled"] === undefined ? "plain" : "angled";
    const [start, end] = indices?.groups?.[name] ?? [0, 0];
    yield { relation: "reference", address: unescaped(groups[name] ?? ""), start, end };
  }
}

const unescaped = (text: string): string => text.replaceAll(/\\([!-/:-@[-`{-~])/g, "$1").replaceAll("&amp;", "&");
