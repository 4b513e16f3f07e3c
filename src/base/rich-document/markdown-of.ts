// From a rich document, as somebody gave it, to Markdown.
import type { BlockContent, DefinitionContent, ListItem, PhrasingContent, Table, TableRow } from "mdast";
import type { BlockType } from "#src/base/rich-document/document.ts";
import { Given } from "#src/base/rich-document/given.ts";
import { writeMarkdown } from "#src/base/rich-document/markdown.ts";
import { PhrasingWriter } from "#src/base/rich-document/phrasing.ts";
import { definitionOf, labelOf, Targets } from "#src/base/rich-document/targets.ts";
import { checkTree } from "#src/base/rich-document/tree-limit.ts";

/**
 * The Markdown of a document. Its content is checked: throws INVALID_INPUT for an unknown type, a node in a place where
 * its type is not allowed, bad settings (each with a JSON pointer that starts with `path`), and beyond `documentLimit`.
 * Keys and unknown properties are ignored.
 */
export function markdownOf(document: { readonly nodes: readonly unknown[] }, path = "document"): string {
  const blocks = new Given(document, path).list("nodes");
  const phrasing = new PhrasingWriter(new Targets(blocks));
  const root = { type: "root", children: new BlockWriter(phrasing).write(blocks) } as const;
  checkTree(root);
  return writeMarkdown(root);
}

/** Blocks allowed at the top, in quotes, list items and footnotes; the others are allowed in one kind of block. */
const flowTypes = [
  "paragraph",
  "heading-1",
  "heading-2",
  "heading-3",
  "heading-4",
  "heading-5",
  "heading-6",
  "blockquote",
  "list-ordered",
  "list-unordered",
  "list-tasks",
  "code",
  "table",
  "divider",
  "html",
  "definition",
  "footnote",
  "markdown",
] as const satisfies BlockType[];
type FlowType = (typeof flowTypes)[number];
type ListType = Extract<FlowType, `list-${string}`>;

type Flow = BlockContent | DefinitionContent;

const depths = {
  "heading-1": 1,
  "heading-2": 2,
  "heading-3": 3,
  "heading-4": 4,
  "heading-5": 5,
  "heading-6": 6,
} as const;
const sides = { start: "left", center: "center", end: "right", none: null } as const;

/** Writes the blocks of one document. */
class BlockWriter {
  readonly #phrasing: PhrasingWriter;

  constructor(phrasing: PhrasingWriter) {
    this.#phrasing = phrasing;
  }

  /** Blocks; Markdown has no empty paragraphs, so those are left out. */
  write(blocks: readonly Given[]): Flow[] {
    const written = blocks.map((block) => {
      checkBlock(block);
      return this.#block(block, block.oneOf("type", flowTypes));
    });
    return written.filter((block) => block.type !== "paragraph" || block.children.length > 0);
  }

  #block(block: Given, type: FlowType): Flow {
    const data = block.object("data");
    switch (type) {
      case "paragraph":
        return { type, children: this.#text(block) };
      case "blockquote":
        return { type, children: this.write(block.list("nodes")) };
      case "list-ordered":
      case "list-unordered":
      case "list-tasks":
        return this.#list(block, type);
      case "code":
        return {
          type,
          value: linesOf(block).join("\n"),
          lang: data.text("syntax") ?? null,
          meta: data.text("meta") ?? null,
        };
      case "table":
        return this.#table(block);
      case "divider":
        return { type: "thematicBreak" };
      case "html":
      case "markdown": // is written as it is, like HTML
        return { type: "html", value: data.requiredText("source") };
      case "definition":
        return definitionOf(data);
      case "footnote":
        return { type: "footnoteDefinition", ...labelOf(data), children: this.write(block.list("nodes")) };
      default:
        return { type: "heading", depth: depths[type], children: this.#text(block) };
    }
  }

  #text(block: Given): PhrasingContent[] {
    return this.#phrasing.write(block.list("nodes"));
  }

  #list(block: Given, type: ListType): Flow {
    const ordered = type === "list-ordered";
    const data = block.object("data");
    const start = data.whole("start", 999_999_999) ?? 1;
    const children = block.list("nodes").map((item): ListItem => {
      checkBlock(item, "list-item");
      const settings = item.object("data");
      const checked = settings.flag("checked") ?? (type === "list-tasks" ? false : null);
      return {
        type: "listItem",
        spread: settings.flag("loose") ?? false,
        checked,
        children: this.write(item.list("nodes")),
      };
    });
    return { type: "list", ordered, ...(ordered && { start }), spread: data.flag("loose") ?? false, children };
  }

  #table(block: Given): Table {
    const [head, ...others] = block.list("nodes");
    const width = head?.list("nodes").length ?? 0;
    if (!head || width === 0)
      throw block.refusal("must begin with a row that has cells: the head of the table.", "nodes");
    const children = [head, ...others].map((row): TableRow => {
      checkBlock(row, "table-row");
      const cells = row.list("nodes").map((cell) => {
        checkBlock(cell, "table-cell");
        return { type: "tableCell", children: this.#text(cell) } as const;
      });
      return { type: "tableRow", children: cells };
    });
    const columns = block.object("data").list("columns");
    const align = Array.from({ length: width }, (_, index) => {
      const side = columns[index]?.oneOf("align", ["start", "center", "end", "none"], "none");
      return side ? sides[side] : null;
    });
    return { type: "table", align, children };
  }
}

function checkBlock(block: Given, type?: BlockType): void {
  block.oneOf("object", ["block"]);
  if (type !== undefined) block.oneOf("type", [type]);
}

function linesOf(code: Given): string[] {
  return code.list("nodes").map((line) => {
    checkBlock(line, "code-line");
    const texts = line.list("nodes").map((text) => {
      text.oneOf("object", ["text"]);
      return text
        .list("leaves")
        .map((leaf) => leaf.requiredText("text"))
        .join("");
    });
    return texts.join("");
  });
}
