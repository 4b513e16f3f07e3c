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

  /** A key for a node of this type and content ({@link contentOf}): the hash, with a number from the second one on. */
  next(type: string, content: string): string {
    const words = content.replaceAll("\n", " "); // line breaks have no meaning
    const text = hash("sha256", `${type}\n${words}`, "base64url").slice(0, length);
    const count = (this.#given.get(text) ?? 0) + 1;
    this.#given.set(text, count);
    return count === 1 ? text : `${text}${mark}${count}`;
  }
}

/** The content of nodes for their parent's key: plain text, or the keys of blocks and empty nodes without numbers. */
export function contentOf(nodes: readonly RichNode[]): string {
  let content = "";
  for (const node of nodes) {
    if (node.object === "text") for (const { text } of node.leaves) content += text;
    else if (node.object === "inline" && !node.isVoid) content += contentOf(node.nodes);
    else content += `\0${node.key.split(mark, 1)[0]}`; // texts do not contain this character
  }
  return content;
}
