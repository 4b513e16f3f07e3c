// The tags of blocks in one line of a text: GitBook's `{% hint %}`, `:::` of Docusaurus and VitePress, and components
// such as `<Note>`. Each expression takes time linear in the line for each tag.
import {
  type BlockKind,
  componentBlock,
  containerBlock,
  type HintStyle,
  liquidBlock,
} from "#src/documents/html/block-names.ts";

export type Attributes = Readonly<Record<string, string>>;

/** A tag as it was written: its name pairs the start of a block with its end. */
export interface Tag {
  readonly side: "start" | "end" | "both";
  readonly name: string;
  readonly kind: BlockKind;
  readonly style?: HintStyle | undefined;
  readonly attributes: Attributes;
}

const attribute = /([\w-]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|\{["']?([^{}"']*)["']?\}|([^\s"'<>{}%]+)))?/g;

/** The attributes of a tag, as HTML writes them or with values in braces. */
function attributesIn(text: string): Attributes {
  const found = Array.from(text.slice(0, 5_000).matchAll(attribute), ([, name = "", ...values]) => {
    const value = values.find((one) => one !== undefined) ?? "";
    return [name, value.replaceAll("&quot;", '"').replaceAll("&#x20;", " ").replaceAll("&amp;", "&")] as const;
  });
  return Object.fromEntries(found);
}

const liquid = /\{%-?\s*(end)?(@?[\w-]+(?:\/[\w-]+)?)(.*?)-?%\}/g;

function liquidTag([, end, name = "", rest = ""]: RegExpMatchArray): Tag {
  if (end !== undefined) return { side: "end", name: `%${name}`, ...liquidBlock(name), attributes: {} };
  const attributes = attributesIn(rest);
  const isEmbed = name.startsWith("@") && attributes["url"] !== undefined;
  return { side: "start", name: `%${name}`, kind: isEmbed ? "embed" : liquidBlock(name).kind, attributes };
}

const component = /<(\/?)([A-Z][A-Za-z]{1,30})((?:\s[^<>]{0,2000})?)>/g;

function componentTag([, slash, name = "", rest = ""]: RegExpMatchArray): Tag | null {
  const found = componentBlock(name);
  if (!found) return null;
  const side = slash === "/" ? "end" : rest.endsWith("/") ? "both" : "start";
  return { side, name: `<${name}`, ...found, attributes: attributesIn(rest) };
}

/** The tags of a line that begins with one, and the texts between them; null for any other line. */
export function tagsIn(line: string): (Tag | string)[] | null {
  if (line.startsWith("{%")) return split(line, liquid, liquidTag);
  return /^<\/?[A-Z]/.test(line) ? split(line, component, componentTag) : null;
}

function split(line: string, pattern: RegExp, tagOf: (match: RegExpMatchArray) => Tag | null): (Tag | string)[] | null {
  const parts: (Tag | string)[] = [];
  let done = 0;
  for (const match of line.matchAll(pattern)) {
    const tag = tagOf(match);
    if (!tag || (done === 0 && match.index > 0)) continue;
    parts.push(line.slice(done, match.index), tag);
    done = match.index + match[0].length;
  }
  if (done === 0) return null;
  return [...parts, line.slice(done)].filter((part) => typeof part !== "string" || part.trim() !== "");
}

const fence = /^(:{3,})[ \t]*(?:\{?\.?([A-Za-z][\w-]*)\}?)?[ \t]*(.*)$/;

/** A line of `:::` with its number of colons; the name is empty at the end of a block. */
export function containerTag(line: string): { readonly colons: number; readonly tag: Tag | null } | null {
  const [, colons = "", name, rest = ""] = fence.exec(line) ?? [];
  if (colons === "" || (name === undefined && rest.trim() !== "")) return null;
  if (name === undefined) return { colons: colons.length, tag: null };
  const [, inBrackets] = /^\[(.*?)\]/.exec(rest) ?? [];
  const title = (inBrackets ?? rest.replaceAll(/\{[^{}]*\}|:+$/g, "")).trim();
  const attributes = { ...attributesIn(rest), ...(title !== "" && { title }) };
  const tag: Tag = { side: "start", name: `:${name}`, ...containerBlock(name), attributes };
  return { colons: colons.length, tag };
}
