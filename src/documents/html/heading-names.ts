// The names of headings and of other places in HTML. The name that docgraph gives to a heading is its id; all other
// names are links without an address, which browsers find, too, and which no script takes for an element of the page.
import type { Element, ElementContent, Root as Tree } from "hast";
import type { Root } from "mdast";
import { element, textProperty } from "#src/documents/html/elements.ts";
import { namesToTry } from "#src/documents/sections/anchors.ts";
import { headingsIn, type NamedHeading } from "#src/documents/sections/headings.ts";
import { namesOf } from "#src/documents/sections/html-text.ts";

/** Elements that a link may be the first child of; before others it may be their sibling. */
const around: ReadonlySet<string> = new Set(
  "p div li td th h1 h2 h3 h4 h5 h6 span b i strong em dd dt blockquote section article details summary figure".split(
    " ",
  ),
);
const beside: ReadonlySet<string> = new Set("a img table ul ol pre dl code hr br picture video iframe".split(" "));

/** Ids that the conversion gives to footnotes. */
const isOfFootnotes = (name: string): boolean => name.startsWith("note_") || name === "footnote-label";

/** The names of one text. */
export class HeadingNames {
  readonly #headings: readonly NamedHeading[];
  readonly #places: string[] = [];
  /** The id of the heading by each of its names. */
  readonly #own = new Map<string, string>();

  constructor(headings: readonly NamedHeading[]) {
    this.#headings = headings;
    for (const { anchor, aliases } of headings)
      for (const name of [...aliases, anchor]) this.#own.set(name.toLowerCase(), anchor);
    for (const [index, { node }] of headings.entries())
      node.data = { ...node.data, hProperties: { dataNamed: String(index) } };
  }

  /** Puts marks at elements with ids: the sanitiser removes ids. */
  markPlaces(parent: Tree | Element): void {
    const children: Tree["children"] = parent.children;
    for (const child of children) if (child.type === "element") this.markPlaces(child);
    parent.children = children.flatMap((child) =>
      child.type === "element" ? this.#marked(child) : ([child] as never),
    ) as never; // a doctype is only at the top
  }

  #marked(node: Element): Element[] {
    const names = namesOf(node).filter((name) => !isOfFootnotes(name) && !/\s/.test(name) && name.length <= 200);
    if (names.length === 0) return [node];
    const marks = names.map((name) => {
      this.#places.push(name);
      return element("a", { dataPlace: String(this.#places.length - 1) });
    });
    if (around.has(node.tagName)) return [{ ...node, children: [...marks, ...node.children] }];
    return beside.has(node.tagName) ? [...marks, node] : [node];
  }

  /** The heading of an element; null if it does not have a name. */
  of(heading: Element): NamedHeading | null {
    const number = textProperty(heading, "dataNamed");
    return number === null ? null : (this.#headings[Number(number)] ?? null);
  }

  /** The element of a mark; none if the name is that of a heading or of a place before. */
  place(link: Element): ElementContent[] {
    const name = this.#places[Number(textProperty(link, "dataPlace"))];
    if (name === undefined || this.#own.has(name.toLowerCase())) return [];
    this.#own.set(name.toLowerCase(), name);
    return [...new Set([name, name.toLowerCase()])].map(nameElement);
  }

  /** The id that the fragment of a link within the text leads to. */
  targetOf(fragment: string): string | null {
    for (const name of namesToTry(fragment)) {
      const found = this.#own.get(name);
      if (found !== undefined) return found;
    }
    return null;
  }
}

export const nameElement = (name: string): Element => element("a", { name });

/** Names the headings of a tree. */
export const nameHeadings = (root: Root): HeadingNames => new HeadingNames(headingsIn(root));
