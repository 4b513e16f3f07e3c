// Keys of nodes: made of what a node says and not of where it stands, so that comments on it find it again.
import { hash } from "node:crypto";
import type { RichNode } from "#src/base/rich-document/document.ts";

/** Characters of a hash that a key keeps (72 bits): equal ones are numbered, so a clash costs nothing but stability. */
const length = 12;

/** Stands between a hash and the number of its occurrence. */
const mark = ".";

/** Gives out keys, each once. */
export class Keys {
  readonly #given = new Map<string, number>();

  /** A key for a node of this type with this content ({@link contentOf}): the hash, with a number from the second one on. */
  next(type: string, content: string): string {
    const words = content.replaceAll("\n", " "); // where lines are broken says nothing
    const text = hash("sha256", `${type}\n${words}`, "base64url").slice(0, length);
    const count = (this.#given.get(text) ?? 0) + 1;
    this.#given.set(text, count);
    return count === 1 ? text : `${text}${mark}${count}`;
  }
}

/**
 * What nodes side by side say, for the key of the one that holds them: flowing text as it is, without marks and links; for blocks and for what
 * has no text their own keys without numbers.
 */
export function contentOf(nodes: readonly RichNode[]): string {
  let content = "";
  for (const node of nodes) {
    if (node.object === "text") for (const { text } of node.leaves) content += text;
    else if (node.object === "inline" && !node.isVoid) content += contentOf(node.nodes);
    else content += `\0${node.key.split(mark, 1)[0]}`; // no text has this character
  }
  return content;
}
