// The sections of a text: the plain text under each heading, and the names that lead to it and to other places.
import type { Nodes, Parents, RootContent } from "mdast";
import { checkTree } from "#src/documents/document.ts";
import { readBlocks } from "#src/documents/html/read-blocks.ts";
import type { Section, SectionPiece, TextSections } from "#src/documents/sections/section.ts";
import { headingsIn, namedPlacesIn, plainText } from "#src/documents/sections/headings.ts";
import { readHtml } from "#src/documents/sections/html-text.ts";

type OpenSection = Section & { readonly pieces: SectionPiece[] };

/** The first section has no heading, and is omitted if empty. Throws INVALID_INPUT beyond `documentLimit`. */
export function sectionsIn(markdown: string): TextSections {
  const { root } = readBlocks(markdown);
  checkTree(root);
  const headings = headingsIn(root);
  const named = new Map<Nodes, Section>(
    headings.map(({ node, anchor, aliases, title }) => [node, { anchor, aliases, title, pieces: [] }]),
  );
  const sections: OpenSection[] = [{ anchor: null, aliases: [], title: "", pieces: [] }];
  collect(root, (node) => {
    const heading = named.get(node);
    if (heading) sections.push({ ...heading, pieces: [] });
    else for (const piece of piecesOf(node)) sections.at(-1)?.pieces.push(piece);
  });
  return {
    sections: sections.filter(({ anchor, pieces }) => anchor !== null || pieces.length > 0),
    places: namedPlacesIn(root, headings),
  };
}

/** Visits the blocks that have text of their own. */
function collect(parent: Parents, visit: (node: RootContent) => void): void {
  for (const node of parent.children) {
    if (["blockquote", "list", "listItem", "footnoteDefinition", "table"].includes(node.type))
      collect(node as Parents, visit);
    else visit(node);
  }
}

function piecesOf(node: RootContent): SectionPiece[] {
  if (node.type === "code") return piece(node.value.replace(/^\s*\n/, "").trimEnd(), true);
  if (node.type === "html") return piece(tidy(readHtml(node.value).text), false);
  if (node.type === "definition" || node.type === "thematicBreak") return [];
  if (node.type === "tableRow") return piece(tidy(node.children.map((cell) => plainText(cell, " ")).join(" ")), false);
  return piece(tidy(plainText(node, " ")), false);
}

const piece = (text: string, isCode: boolean): SectionPiece[] => (text === "" ? [] : [{ text, isCode }]);

const tidy = (text: string): string =>
  text
    .replaceAll(/[ \t]{2,}/g, " ")
    .replaceAll(/ ?\n\s*/g, "\n")
    .trim();
