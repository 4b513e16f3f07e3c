// Finds a node again in a document that was changed: of several equal ones by the nodes around it.
import { diffArrays } from "diff";
import { findNode, nodesIn, type RichDocument, type RichNode } from "#src/documents/document.ts";
import { contentKey } from "#src/documents/keys.ts";

/** The most differences between two documents whose nodes are compared. */
const mostDifferences = 2_000;

/** The nodes that have the type and content of a key. */
export function equalNodes(document: RichDocument, key: string): RichNode[] {
  const content = contentKey(key);
  return Array.from(nodesIn(document)).filter((node) => contentKey(node.key) === content);
}

/** Whether the key alone finds its node again: it was the only one of its content, and still is. */
export function isUnique(document: RichDocument, key: string): boolean {
  return contentKey(key) === key && equalNodes(document, key).length <= 1;
}

/** The node of `after` that a node of `before` has become; null if it was changed, or if that is unclear. */
export function findAgain(before: RichDocument, after: RichDocument, key: string): RichNode | null {
  const [old, young] = [[...nodesIn(before)], [...nodesIn(after)]];
  // A key from before the first of several equal nodes had a number.
  const own = findNode(before, key) ?? findNode(before, `${key}.1`);
  const at = own ? old.indexOf(own) : -1;
  if (at < 0) return null;
  const [first, last] = [placeAfter(old, young, at), placeBefore(old, young, at)];
  return first === null || first !== last ? null : (young[first] ?? null);
}

/** The place of a node among the others when equal ones are matched from the start. */
function placeAfter(old: readonly RichNode[], young: readonly RichNode[], at: number): number | null {
  const parts = diffArrays(contentsOf(old), contentsOf(young), { maxEditLength: mostDifferences }) ?? [];
  let [oldAt, youngAt] = [0, 0];
  for (const { added, removed, count } of parts) {
    if (!added && at < oldAt + count) return removed ? null : youngAt + at - oldAt;
    if (!added) oldAt += count;
    if (!removed) youngAt += count;
  }
  return null;
}

/** The same when they are matched from the end. */
function placeBefore(old: readonly RichNode[], young: readonly RichNode[], at: number): number | null {
  const place = placeAfter(old.toReversed(), young.toReversed(), old.length - 1 - at);
  return place === null ? null : young.length - 1 - place;
}

const contentsOf = (nodes: readonly RichNode[]): string[] => nodes.map(({ key }) => contentKey(key));
