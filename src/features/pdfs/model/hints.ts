// Hints in texts: `> [!NOTE]`, a block of the type `hint`, or blocks between `{% hint style="info" %}` and
// `{% endhint %}`.
import type { Block, RichNode } from "#src/documents/document.ts";
import { type HintKind, hintLooks } from "#src/features/pdfs/model/look.ts";

export interface Hint {
  readonly kind: HintKind;
  readonly nodes: readonly RichNode[];
}

function kindOf(name: unknown): HintKind {
  const given = typeof name === "string" ? name.toLowerCase() : "";
  if (Object.hasOwn(hintLooks, given)) return given as HintKind; // a key of them
  return given === "error" ? "danger" : "note";
}

/** The hint of a block that is one by itself, or null. */
export function hintOf(block: Block): Hint | null {
  if (block.type === "hint" || block.type === "callout") {
    return { kind: kindOf(block.data["style"] ?? block.data["type"]), nodes: block.nodes };
  }
  const [first, ...rest] = block.type === "blockquote" ? block.nodes : [];
  const found = /^\[!(note|info|tip|success|important|warning|caution|danger|error)\][ \t]*(?:\n|$)/i.exec(
    startOf(first),
  );
  if (!found || first?.object !== "block") return null;
  return { kind: kindOf(found[1]), nodes: [cut(first, found[0].length, 0), ...rest] };
}

const opening = /^\{%\s*hint\b(?:[^%]*?style\s*=\s*"(\w+)")?[^%]*%\}[ \t]*\n?/;
const closing = /\n?[ \t]*\{%\s*endhint\s*%\}\s*$/;

/** Blocks side by side, with those that are between the marks of a hint as one. */
export function* withHints(nodes: readonly RichNode[]): Generator<RichNode | Hint> {
  for (let index = 0; index < nodes.length; index++) {
    const node = nodes[index] as RichNode; // within its length
    const opened = opening.exec(startOf(node));
    const end = opened ? nodes.findIndex((one, place) => place >= index && closing.test(endOf(one))) : -1;
    if (!opened || end < 0) {
      yield node;
      continue;
    }
    const inside = nodes.slice(index, end + 1);
    const last = inside.at(-1);
    if (last?.object === "block") inside[inside.length - 1] = cut(last, 0, closing.exec(endOf(last))?.[0].length ?? 0);
    const [first] = inside;
    if (first?.object === "block") inside[0] = cut(first, opened[0].length, 0);
    yield { kind: kindOf(opened[1]), nodes: inside };
    index = end;
  }
}

/** The text at the start of a paragraph; empty for everything else. */
function startOf(node: RichNode | undefined): string {
  const [first] = node?.object === "block" && node.type === "paragraph" ? node.nodes : [];
  return first?.object === "text" ? (first.leaves[0]?.text ?? "") : "";
}

function endOf(node: RichNode): string {
  const last = node.object === "block" && node.type === "paragraph" ? node.nodes.at(-1) : undefined;
  return last?.object === "text" ? (last.leaves.at(-1)?.text ?? "") : "";
}

/** A paragraph without so many characters at the start of its first leaf and at the end of its last. */
function cut(block: Block, start: number, end: number): Block {
  const nodes = block.nodes.map((node, place) => {
    if (node.object !== "text") return node;
    const leaves = node.leaves.map((leaf, at) => {
      const isFirst = place === 0 && at === 0;
      const isLast = place === block.nodes.length - 1 && at === node.leaves.length - 1;
      return { ...leaf, text: leaf.text.slice(isFirst ? start : 0, leaf.text.length - (isLast ? end : 0)) };
    });
    return { ...node, leaves };
  });
  return { ...block, nodes };
}
