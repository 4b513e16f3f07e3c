// Cleans the descriptions of a specification, which are untrusted Markdown; HTML in them becomes Markdown.
import type { Nodes, Parents, PhrasingContent, Root } from "mdast";
import { parseMarkdown, writeMarkdown } from "#src/documents/markdown.ts";
import { cut, plain, textOf, webAddress } from "#src/features/openapi/model/pages/markdown.ts";

/** The limit of parsed characters of all descriptions, which takes some seconds; the rest becomes plain text. */
const parseLimit = 1_000_000;

/** HTML, links, expressions, definitions, headings, fences and rules: all syntax except emphasis. */
const needsParser = /<[a-z/!?]|\]\(|\]:|\{\{|`{3}|~{3}|^[ \t>]*(?:#{1,6}(?:[ \t]|$)|=+[ \t]*$|-+[ \t]*$)/im;

interface ProseOptions {
  readonly parses: boolean;
  readonly base: string | null;
  /** Replaces HTML by Markdown; by default it stays as text. */
  readonly withoutHtml?: ((root: Root) => Root) | undefined;
}

export class Prose {
  readonly #known = new Map<string, string>();
  #left: number;
  readonly #base: string | null;
  readonly #withoutHtml: (root: Root) => Root;

  /**
   * Relative addresses are resolved against `base`. With `parses: false` descriptions that need the parser become plain
   * text: hostile ones may take minutes.
   */
  constructor({ parses, base, withoutHtml = (root) => root }: ProseOptions) {
    this.#base = base;
    this.#withoutHtml = withoutHtml;
    this.#left = parses ? parseLimit : 0;
  }

  /** A description as Markdown without HTML, headings, expressions and links other than web links. */
  of(value: unknown, limit = 20_000): string {
    const text = textOf(value).trim();
    if (text.length <= limit && !needsParser.test(text)) return text;
    const key = `${limit} ${text}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const made = this.#make(cut(text, limit));
    this.#known.set(key, made);
    return made;
  }

  #make(text: string): string {
    this.#left -= text.length;
    if (this.#left < 0) return plainBlocks(text);
    try {
      const root = this.#withoutHtml(parseMarkdown(text));
      return writeMarkdown(new Cleaning(root, this.#base).root).trim();
    } catch (error) {
      if (error instanceof RangeError) return plainBlocks(text); // the call stack is full
      throw error;
    }
  }
}

const plainBlocks = (text: string): string =>
  text
    .split(/\n\s*\n/)
    .map((block) => plain(block, 20_000))
    .join("\n\n");

type Content = Exclude<Nodes, Root>;

const flow: ReadonlySet<string> = new Set<Parents["type"]>(["root", "blockquote", "listItem"]);

class Cleaning {
  readonly root: Root;
  readonly #addresses = new Map<string, string>();

  readonly #base: string | null;

  constructor(root: Root, base: string | null) {
    this.#base = base;
    for (const node of root.children) this.#define(node);
    this.root = { ...root, children: this.#all(root) as Root["children"] };
  }

  #define(node: Content): void {
    if (node.type === "definition" && !this.#addresses.has(node.identifier))
      this.#addresses.set(node.identifier, node.url);
    if ("children" in node) for (const child of node.children) this.#define(child);
  }

  #all(parent: Parents): Content[] {
    const isFlow = flow.has(parent.type);
    return (parent.children as Content[]).flatMap((child) =>
      (child.type === "html" || child.type === "source") && isFlow
        ? [{ type: "paragraph", children: textNodes(child.value) }]
        : this.#one(child),
    );
  }

  #one(node: Content): Content[] {
    switch (node.type) {
      case "html":
      case "source":
      case "text":
        return textNodes(node.value);
      case "heading":
        return [{ type: "paragraph", children: [{ type: "strong", children: this.#inside(node) }] }];
      case "link":
        return this.#link(node.url, this.#inside(node));
      case "linkReference":
        return this.#link(this.#addresses.get(node.identifier), this.#inside(node));
      case "image":
        return this.#image(node.url, node.alt ?? "");
      case "imageReference":
        return this.#image(this.#addresses.get(node.identifier), node.alt ?? "");
      case "definition":
      case "footnoteDefinition":
      case "footnoteReference":
        return [];
      default:
        return ["children" in node ? ({ ...node, children: this.#all(node) } as Content) : node];
    }
  }

  #inside = (node: Parents): PhrasingContent[] => this.#all(node) as PhrasingContent[];

  #link(address: string | undefined, children: PhrasingContent[]): PhrasingContent[] {
    const url = webAddress(address, this.#base);
    return url === null ? children : [{ type: "link", url, children }];
  }

  #image(address: string | undefined, alt: string): PhrasingContent[] {
    const url = webAddress(address, this.#base);
    if (url !== null) return [{ type: "image", url, alt }];
    return alt === "" ? [] : [{ type: "text", value: alt }];
  }
}

/** A text in which `{{` is escaped: the writer escapes all but braces, and writes HTML nodes as they are. */
function textNodes(value: string): PhrasingContent[] {
  return value
    .split(/(\{(?=\{))/)
    .filter((part) => part !== "")
    .map((part) => (part === "{" ? { type: "html", value: String.raw`\{` } : { type: "text", value: part }));
}
