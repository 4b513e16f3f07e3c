// MDX as Markdown: modules and comments are left out, known components become blocks, and the texts in others stay.
import { componentBlock, styleOf } from "#src/documents/html/block-names.ts";
import { type DialectRule, type Edit, quoted } from "#src/features/imports/model/dialects/edits.ts";
import { type JsxTag, tagsIn } from "#src/features/imports/model/dialects/jsx.ts";
import { LiteralReader } from "#src/features/imports/model/repositories/plain-data.ts";
import { shorten } from "#src/features/imports/model/warnings.ts";

/** An `import` as modules have it: a Markdown file with one outside of code is written in MDX. */
const importLine = /^import\s+(?:[\w$*{][^"'\n]{0,300}\sfrom\s+)?["'][^"'\n]{1,300}["'];?[ \t]*\r?$/gm;

export function isMdx(path: string, text: string, isCode: (at: number) => boolean): boolean {
  if (/\.mdx$/i.test(path)) return true;
  return [...text.matchAll(importLine)].some(({ index }) => !isCode(index));
}

const mdxSign = /^(?:import|export)\s|<[A-Z/>]|<[a-z][^<>]*(?:=\{|className)|\{\/\*|\{\s*["'] ["']\s*\}/m;

export const mdx: DialectRule = {
  sign: mdxSign,
  edits(text, isCode) {
    const modules = modulesIn(text, isCode);
    const constants = new Map(modules.flatMap(({ start, end }) => assetsOf(text.slice(start, end))));
    const isFree = ({ start }: { start: number }) =>
      !isCode(start) && !modules.some((module) => module.start <= start && start < module.end);
    const tags = tagsIn(text, constants).filter(isFree);
    return [...modules, ...commentsIn(text).filter(isFree), ...new Tags(text).edits(tags)];
  },
};

const moduleStart = /^(?:import|export)\s/gm;
const longestModule = 20_000;

/** The blocks of `import` and `export`: each ends with its line, once all its brackets are closed. */
function modulesIn(text: string, isCode: (at: number) => boolean): Edit[] {
  const modules: Edit[] = [];
  let end = 0;
  for (const { index } of text.matchAll(moduleStart)) {
    if (index < end || isCode(index)) continue;
    end = endOfModule(text, index);
    const line = shorten(text.slice(index, end).trim().split("\n", 1)[0] ?? "");
    modules.push({ start: index, end, text: "", warning: `The code \`${line}\` is left out.` });
  }
  return modules;
}

function endOfModule(text: string, from: number): number {
  let depth = 0;
  let quote = "";
  const last = Math.min(text.length, from + longestModule);
  for (let at = from; at < last; at++) {
    const character = text[at] ?? "";
    if (quote !== "") {
      if (character === "\\") at++;
      else if (character === quote || (character === "\n" && quote !== "`")) quote = "";
    } else if (character === '"' || character === "'" || character === "`") quote = character;
    else if ("{[(".includes(character)) depth++;
    else if ("}])".includes(character)) depth--;
    else if (character === "\n" && depth <= 0 && !/[=,>]\s*$/.test(text.slice(Math.max(from, at - 3), at))) {
      // the empty lines around a module are one
      const blank = /^(?:[ \t]*\r?\n)*/.exec(text.slice(at + 1, at + 200))?.[0].length ?? 0;
      return from === 0 || text[from - 2] === "\n" ? at + 1 + blank : at + 1;
    }
  }
  return last;
}

const asset =
  /^import\s+([\w$]+)\s+from\s+["']([^"']+\.(?:png|jpe?g|gif|svg|webp|avif|ico|mp4|webm|pdf|csv|json|txt))["']/;

const assetsOf = (module: string): [name: string, address: string][] => {
  const [, name, address] = asset.exec(module) ?? [];
  return name === undefined || address === undefined ? [] : [[name, address]];
};

const comment = /\{\/\*(?!\s*#)[^]*?\*\/\}[ \t]*\n?|\{\s*["'] ["']\s*\}/g;

const commentsIn = (text: string): Edit[] =>
  Array.from(text.matchAll(comment), ({ 0: found, index }) => ({
    start: index,
    end: index + found.length,
    text: found.startsWith("{/*") ? "" : " ",
  }));

/** An open component: how its end is written, and the labels of tabs in it. */
type Open = { readonly name: string; readonly end: string | null; readonly labels: readonly string[]; tabs: number };

/** Admonitions whose style is an attribute. */
const admonition = /^(?:Admonition|Callout|Alert|Aside|Hint|Banner|Notice)$/;
const tab = /^(?:TabItem|Tab|Tabs\.Tab|Tabs\.Item|TabPanel)$/;
const image = /^(?:Image|Img|Picture|ThemedImage|Zoom|ZoomImage|ImageZoom)$/;

class Tags {
  readonly #text: string;
  readonly #open: Open[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  edits(tags: readonly JsxTag[]): Edit[] {
    return tags.flatMap((tag) => {
      const made = tag.side === "end" ? this.#close(tag) : this.#start(tag);
      return made === null ? [] : [{ ...this.#spanOf(tag, made.text), ...made }];
    });
  }

  /** The indentation before a tag goes with it: four blanks would make it code. */
  #spanOf({ start, end }: JsxTag, written: string): { start: number; end: number } {
    const lineStart = this.#text.lastIndexOf("\n", start - 1) + 1;
    const isFirst = this.#text.slice(lineStart, start).trim() === "";
    const isWhole = isFirst && /^[ \t]*\r?\n/.test(this.#text.slice(end, end + 50));
    const lineEnd = isWhole && written === "" ? this.#text.indexOf("\n", end) + 1 : end;
    return { start: isFirst ? lineStart : start, end: lineEnd };
  }

  #close({ name }: JsxTag): Omit<Edit, "start" | "end"> | null {
    const at = this.#open.findLastIndex((open) => open.name === name);
    const end = at === -1 ? "" : this.#open[at]?.end;
    if (at !== -1) this.#open.splice(at);
    return end == null ? null : { text: end };
  }

  /** Null to leave the tag as it is. */
  #start(tag: JsxTag): Omit<Edit, "start" | "end"> | null {
    const made = this.#made(tag);
    if (tag.side === "start")
      this.#open.push({ name: tag.name, end: made ? (made.end ?? "") : null, labels: labelsOf(tag), tabs: 0 });
    return made && { text: made.text, warning: made.warning ?? null };
  }

  #made(tag: JsxTag): { text: string; end?: string; warning?: string } | null {
    const { name, side, attributes } = tag;
    if (name === "") return { text: "" };
    if (/^[a-z]/.test(name)) return { text: plainTag(tag), end: `</${name}>` };
    const title = quoted(attributes.get("title") ?? attributes.get("label") ?? attributes.get("name") ?? "");
    const style = admonition.test(name)
      ? styleOf(attributes.get("type") ?? attributes.get("variant") ?? attributes.get("intent") ?? "info")
      : null;
    if (admonition.test(name) && (name !== "Callout" || attributes.has("type")) && side === "start") {
      const shown = title === "" ? "" : ` title="${title}"`;
      return { text: `{% hint style="${style ?? "info"}"${shown} %}`, end: "{% endhint %}" };
    }
    if (tab.test(name) && side === "start") return { text: this.#tab(tag, title), end: "{% endtab %}" };
    if (name === "Tabs" && side === "start") return { text: "{% tabs %}", end: "{% endtabs %}" };
    if (componentBlock(name)) return null;
    return kept(tag, title);
  }

  /** A tab with the label of its own, or of the list of its tabs. */
  #tab({ attributes }: JsxTag, title: string): string {
    const around = this.#open.findLast(({ name }) => name === "Tabs");
    const number = around ? around.tabs++ : 0;
    const found = title || around?.labels[number] || attributes.get("value") || `Tab ${number + 1}`;
    return `{% tab title="${quoted(found)}" %}`;
  }
}

/** The labels of tabs in an attribute of the tabs around them. */
function labelsOf({ name, code }: JsxTag): string[] {
  const source = name === "Tabs" ? (code.get("items") ?? code.get("values")) : undefined;
  const items = source === undefined ? null : new LiteralReader(source).value();
  if (!Array.isArray(items)) return [];
  return items.flatMap((item: unknown) => {
    const label: unknown =
      typeof item === "object" && item !== null ? (Reflect.get(item, "label") ?? Reflect.get(item, "value")) : item;
    return typeof label === "string" ? [label] : [];
  });
}

/** A tag of HTML with the attributes that are texts. */
function plainTag({ name, side, attributes }: JsxTag): string {
  const written = Array.from(
    attributes,
    ([key, value]) => ` ${key === "className" ? "class" : key}="${value.replaceAll('"', "&quot;")}"`,
  );
  return `<${name}${written.join("")}${side === "both" ? " /" : ""}>`;
}

const encoded = (address: string): string =>
  `<${address.replaceAll(/[<>\s]/g, (character) => encodeURIComponent(character))}>`;

/** What stays of an unknown component: its image, its link, or the text in it. */
function kept(tag: JsxTag, title: string): { text: string; end?: string; warning?: string } {
  const { name, side, attributes } = tag;
  const source = attributes.get("src") ?? sourceIn(tag.code.get("sources") ?? "");
  if (image.test(name) && source !== undefined)
    return { text: `![${quoted(attributes.get("alt") ?? title)}](${encoded(source)})` };
  const address = attributes.get("href") ?? attributes.get("to") ?? attributes.get("url") ?? source;
  if (address !== undefined && side === "start")
    return { text: `<a href="${address.replaceAll('"', "&quot;")}">`, end: "</a>" };
  if (address !== undefined) return { text: `[${title || name}](${encoded(address)})` };
  const rest = side === "both" ? title : "";
  const stays = side === "both" ? "" : "; the text in it stays";
  return { text: rest, warning: `The component <${shorten(name)}> is left out${stays}.` };
}

/** The first address in a list of sources, such as those for light and dark pages. */
const sourceIn = (code: string): string | undefined => /["']([^"'\s]+\.\w{2,5})["']/.exec(code.slice(0, 2000))?.[1];
