// The limits of documents, on their syntax trees: both ways lead over them, so what can be written can be read again.
import type { Nodes, Root } from "mdast";
import { DomainError } from "#src/base/errors.ts";
import { documentLimit } from "#src/base/rich-document/document.ts";

/** The refusal of what is nested too deep. */
export function tooDeep(): DomainError {
  const { levels } = documentLimit;
  return new DomainError("INVALID_INPUT", `A document has at most ${levels} levels of blocks, links and marks.`);
}

/** The refusal of what has too many parts. */
export function tooMany(): DomainError {
  return new DomainError("INVALID_INPUT", `A document has at most ${documentLimit.nodes} nodes.`);
}

/** Throws INVALID_INPUT for a tree beyond {@link documentLimit}. */
export function checkTree(root: Root): void {
  let count = 0;
  let level: readonly Nodes[] = [root];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > documentLimit.levels) throw tooDeep();
    for (const node of level) count += node.type === "code" ? 1 + 2 * node.value.split("\n").length : 1; // a line is a node with a text
    if (count > documentLimit.nodes) throw tooMany();
    level = level.flatMap((node) => ("children" in node ? node.children : []));
  }
}
