// Counts the elements of Markdown texts: what an import may lose.
import type { Nodes } from "mdast";
import { parseMarkdown } from "#src/documents/markdown.ts";

export const elements = ["headings", "code blocks", "links", "tables", "images"] as const;

type Counts = Record<(typeof elements)[number], number>;

const kinds: Readonly<Partial<Record<Nodes["type"], (typeof elements)[number]>>> = {
  heading: "headings",
  code: "code blocks",
  link: "links",
  linkReference: "links",
  table: "tables",
  image: "images",
  imageReference: "images",
};

export function elementsIn(texts: Iterable<string>): Counts {
  const counts: Counts = { headings: 0, "code blocks": 0, links: 0, tables: 0, images: 0 };
  for (const text of texts) {
    const open: Nodes[] = [parseMarkdown(text)];
    for (let node = open.pop(); node; node = open.pop()) {
      const kind = kinds[node.type];
      if (kind) counts[kind]++;
      if (node.type === "html") counts.images += node.value.match(/<img\s/gi)?.length ?? 0;
      if ("children" in node) open.push(...node.children);
    }
  }
  return counts;
}
