// The limits of documents, checked on syntax trees in both directions, so that what can be written can be read again.
import type { Nodes, Root } from "mdast";
import { DomainError } from "#src/base/errors.ts";
import { documentLimit } from "#src/documents/document.ts";

/** The error for a document that is nested too deep. */
export function tooDeep(): DomainError {
  const { levels } = documentLimit;
  return new DomainError("INVALID_INPUT", `A document has at most ${levels} levels of blocks, links and marks.`);
}

/** The error for a document with too many nodes. */
export function tooMany(): DomainError {
  return new DomainError("INVALID_INPUT", `A document has at most ${documentLimit.nodes} nodes.`);
}

/** Throws INVALID_INPUT for a tree beyond {@link documentLimit}. */
export function checkTree(root: Root): void {
  let count = 0;
  let level: readonly Nodes[] = [root];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > documentLimit.levels) throw tooDeep();
    // A line of code is a node with a text.
    for (const node of level) count += node.type === "code" ? 1 + 2 * node.value.split("\n").length : 1;
    if (count > documentLimit.nodes) throw tooMany();
    level = level.flatMap((node) => ("children" in node ? node.children : []));
  }
}
