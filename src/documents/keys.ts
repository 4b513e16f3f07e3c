// Keys of nodes: made of the content of a node and not of its position, so that comments on it find it again.
import { hash } from "node:crypto";
import type { RichNode } from "#src/documents/document.ts";

/** How many characters of a hash a key has (72 bits): equal ones are numbered, so a collision does little harm. */
const length = 12;
/** Between a hash and the number of its occurrence. */
const mark = ".";

/** Assigns keys, each once. */
export class Keys {
  readonly #given = new Map<string, number>();
  #hasEqual = false;

  /** A key for a node of this type and content ({@link contentOf}): the hash, with a number from the second one on. */
  next(type: string, content: string): string {
    const words = content.replaceAll("\n", " "); // line breaks have no meaning
    const text = hash("sha256", `${type}\n${words}`, "base64url").slice(0, length);
    const count = (this.#given.get(text) ?? 0) + 1;
    this.#given.set(text, count);
    this.#hasEqual ||= count > 1;
    return count === 1 ? text : `${text}${mark}${count}`;
  }

  /** The nodes with complete keys: the first of several equal ones has a number, too, and a unique one does not. */
  numbered<Node extends RichNode>(nodes: readonly Node[]): readonly Node[] {
    return this.#hasEqual ? nodes.map((node) => this.#numbered(node)) : nodes;
  }

  #numbered<Node extends RichNode>(node: Node): Node {
    const key = (this.#given.get(node.key) ?? 0) > 1 ? `${node.key}${mark}1` : node.key;
    if (node.object === "text") return { ...node, key };
    return { ...node, key, nodes: node.nodes.map((child) => this.#numbered(child)) };
  }
}

/** A key without its number: that of all nodes of this type and content. */
export const contentKey = (key: string): string => key.split(mark, 1)[0] ?? key;

/** The content of nodes for their parent's key: plain text, or the keys of blocks and empty nodes without numbers. */
export function contentOf(nodes: readonly RichNode[]): string {
  let content = "";
  for (const node of nodes) {
    if (node.object === "text") for (const { text } of node.leaves) content += text;
    else if (node.object === "inline" && !node.isVoid) content += contentOf(node.nodes);
    else content += `\0${contentKey(node.key)}`; // texts do not contain this character
  }
  return content;
}
