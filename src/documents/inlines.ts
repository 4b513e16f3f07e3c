// Converts the flowing text of a syntax tree to texts, leaves and inline nodes: emphasis becomes marks.
import type { Definition, ImageReference, LinkReference, PhrasingContent } from "mdast";
import type { Inline, InlineType, Leaf, Mark, MarkType, NodeData, RichNode } from "#src/documents/document.ts";
import { contentOf, type Keys } from "#src/documents/keys.ts";
import { referenceOfAddress } from "#src/documents/references.ts";

export type Definitions = ReadonlyMap<string, Definition>;

/** Nodes that become text with marks, not nodes of their own. */
const markTypes = { strong: "bold", emphasis: "italic", delete: "strikethrough" } as const;
type Marked = Extract<PhrasingContent, { type: keyof typeof markTypes }>;
type Element = Exclude<PhrasingContent, Marked | { type: "text" | "inlineCode" }>;

const markOf = (type: MarkType): Mark => ({ object: "mark", type });

/** Reads the flowing text of one document. */
export class InlineReader {
  readonly #keys: Keys;
  readonly #definitions: Definitions;

  constructor(keys: Keys, definitions: Definitions) {
    this.#keys = keys;
    this.#definitions = definitions;
  }

  /** The nodes of flowing text; `marks` are those around it. */
  read(content: readonly PhrasingContent[], marks: readonly Mark[] = []): RichNode[] {
    const nodes: RichNode[] = [];
    let leaves: Leaf[] = [];
    const endText = (): void => {
      if (leaves.length > 0) nodes.push(this.text(leaves));
      leaves = [];
    };
    const take = (node: PhrasingContent, around: readonly Mark[]): void => {
      if (node.type === "text") addLeaf(leaves, node.value, around);
      else if (node.type === "inlineCode")
        addLeaf(leaves, node.value.replaceAll(/\r\n?|\n/g, " "), [...around, markOf("code")]);
      else if (isMarked(node)) {
        const inside = [...around, markOf(markTypes[node.type])];
        for (const child of node.children) take(child, inside);
      } else {
        endText();
        nodes.push(this.#inline(node, around));
      }
    };
    for (const node of content) take(node, marks);
    endText();
    return nodes;
  }

  text(leaves: readonly Leaf[]): RichNode {
    return { object: "text", key: this.#keys.next("text", leaves.map(({ text }) => text).join("")), leaves };
  }

  #inline(node: Element, marks: readonly Mark[]): Inline {
    switch (node.type) {
      case "link":
        return this.#link(targetOf(node), node.children, marks);
      case "linkReference":
        return this.#link(this.#targetBy(node), node.children, marks);
      case "image":
        return this.#void("image", { ...targetOf(node), ...altOf(node) }, { marks, content: node.url });
      case "imageReference":
        return this.#void("image", { ...this.#targetBy(node), ...altOf(node) }, { marks, content: node.identifier });
      case "break":
        return this.#void("break", {}, { marks });
      case "html":
        return this.#void("html", { source: node.value }, { marks, content: node.value });
      case "footnoteReference": {
        const label = node.label ?? node.identifier;
        return this.#void("footnote-reference", { label }, { marks, content: label });
      }
      case "source":
        return this.#void("markdown", { source: node.value }, { marks, content: node.value });
      default:
        throw new Error(`The parser of Markdown does not make flowing text of the type ${node.type}.`);
    }
  }

  #link(target: NodeData, children: readonly PhrasingContent[], marks: readonly Mark[]): Inline {
    const nodes = this.read(children, marks);
    const key = this.#keys.next("link", contentOf(nodes));
    return { object: "inline", type: "link", key, isVoid: false, data: { ...target, ...around(marks) }, nodes };
  }

  #void(type: InlineType, own: NodeData, of: { marks: readonly Mark[]; content?: string }): Inline {
    const { marks, content = "" } = of;
    const key = this.#keys.next(type, content);
    return { object: "inline", type, key, isVoid: true, data: { ...own, ...around(marks) }, nodes: [] };
  }

  /** The target of a link or image by reference, and its notation. The parser requires a definition. */
  #targetBy({ identifier, label, referenceType: form }: LinkReference | ImageReference): NodeData {
    const target = targetOf(this.#definitions.get(identifier) ?? { url: "" });
    return { ...target, reference: { label: label ?? identifier, form } };
  }
}

const isMarked = (node: PhrasingContent): node is Marked => Object.hasOwn(markTypes, node.type);

const around = (marks: readonly Mark[]) => (marks.length > 0 ? { marks } : {});

const altOf = ({ alt }: { alt?: string | null | undefined }) => (alt ? { alt } : {});

/** The target of a link, image or definition, and its title. */
export function targetOf({ url, title }: { url: string; title?: string | null | undefined }): NodeData {
  return { ref: referenceOfAddress(url), ...(title != null && { title }) };
}

/** Text with the same marks as the leaf before it is added to that leaf. */
function addLeaf(leaves: Leaf[], text: string, marks: readonly Mark[]): void {
  const last = leaves.at(-1);
  if (last && isSameMarks(last.marks, marks)) leaves[leaves.length - 1] = { ...last, text: last.text + text };
  else leaves.push({ object: "leaf", text, marks });
}

function isSameMarks(one: readonly Mark[], other: readonly Mark[]): boolean {
  return one.length === other.length && one.every(({ type }, index) => type === other[index]?.type);
}
