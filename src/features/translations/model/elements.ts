// HTML elements in inline text, whose start and end tags are separate nodes of Markdown.
import type { PhrasingContent } from "mdast";

/** Elements whose content is not in a language, and those without content. */
const codes = /^(?:code|kbd|samp|var|pre|script|style|svg|math|textarea)$/;
const empty = /^(?:area|base|br|col|embed|hr|img|input|link|meta|param|source|track|wbr)$/;

/** Elements that are open at the same time: deeper ones are not paired. */
const deepest = 50;

interface Tag {
  readonly name: string;
  readonly isEnd: boolean;
}

/** The tag of a node that may belong to another one; null for text, comments and elements without content. */
export function tagOf(node: PhrasingContent): Tag | null {
  if (node.type !== "html") return null;
  const [, slash, name = "", selfClosing] = /^<(\/?)([a-zA-Z][\w:.-]{0,99})[^>]*?(\/?)>$/.exec(node.value) ?? [];
  if (name === "" || selfClosing === "/" || empty.test(name.toLowerCase())) return null;
  return { name: name.toLowerCase(), isEnd: slash === "/" };
}

/** The index of the end tag for the index of each start tag, of elements that do not overlap others. */
export function elementsIn(nodes: readonly PhrasingContent[]): ReadonlyMap<number, number> {
  const ends = new Map<number, number>();
  const open: { readonly name: string; readonly index: number }[] = [];
  for (const [index, node] of nodes.entries()) {
    const tag = tagOf(node);
    if (!tag) continue;
    if (!tag.isEnd) {
      if (open.length < deepest) open.push({ name: tag.name, index });
      continue;
    }
    const at = open.findLastIndex(({ name }) => name === tag.name);
    const [start] = at < 0 ? [] : open.splice(at);
    if (start) ends.set(start.index, index);
  }
  return ends;
}

/** Whether the words of an element stay as they are. */
export const isUntranslated = (node: PhrasingContent): boolean =>
  node.type === "html" &&
  (codes.test(tagOf(node)?.name ?? "") || /\stranslate\s*=\s*["']?no\b/i.test(node.value.slice(0, 2_000)));
