// Hints and other blocks of dialects in a document: the blocks between the lines of tags that start and end them.
import type { Block, RichNode } from "#src/documents/document.ts";
import { fromMarkdown } from "#src/documents/from-markdown.ts";
import { containerTag, type Tag, tagsIn } from "#src/documents/html/block-tags.ts";
import { type HintKind, hintLooks } from "#src/features/pdfs/model/look.ts";

export interface Hint {
  readonly kind: HintKind;
  readonly nodes: readonly RichNode[];
}

function kindOf(name: unknown): HintKind {
  const given = typeof name === "string" ? name.toLowerCase() : "";
  if (Object.hasOwn(hintLooks, given)) return given as HintKind; // one of its keys
  return given === "error" ? "danger" : "note";
}

/** The hint of a single block: `> [!NOTE]`, or a block of the type `hint`; null for others. */
export function hintOf(block: Block): Hint | null {
  if (block.type === "hint" || block.type === "callout") {
    const { marker, style, type, title } = block.data;
    const [, name = ""] = /^\[!(\w+)\]/.exec(typeof marker === "string" ? marker : "") ?? [];
    const isKnown = Object.hasOwn(hintLooks, name.toLowerCase());
    const head = typeof title === "string" ? [...shownTag(titleTag(title))] : [];
    return { kind: kindOf(isKnown ? name : (style ?? type)), nodes: [...head, ...block.nodes] };
  }
  return null;
}

const sourceOf = (node: RichNode | undefined): string =>
  node && node.object !== "text" && node.type === "markdown" && typeof node.data["source"] === "string"
    ? node.data["source"]
    : "";

/** The tags of a block that is a line of them. */
function tagsOf(node: RichNode | undefined): readonly Tag[] {
  const source = sourceOf(node);
  if (source.includes("\n")) return [];
  const container = source.startsWith(":::") ? containerTag(source) : null;
  if (container) return [container.tag ?? { side: "end", name: ":", kind: "part", attributes: {} }];
  return (tagsIn(source) ?? []).filter((tag) => typeof tag !== "string");
}

/** Sibling blocks without lines of tags, those of hints joined. Blocks with a title show it before their content. */
export function* withHints(nodes: readonly RichNode[]): Generator<RichNode | Hint> {
  for (let index = 0; index < nodes.length; index++) {
    const node = nodes[index] as RichNode; // within its length
    const whole = indentedHint(sourceOf(node)) ?? hintInLine(node);
    const tags = tagsOf(node);
    if (whole) yield whole;
    else if (tags.length === 0) yield node;
    const hint = tags.find(({ side, kind }) => side === "start" && kind === "hint");
    const end = hint ? endOf(nodes, index, hint) : -1;
    if (hint && end > index) {
      yield { kind: kindOf(hint.style ?? hint.attributes["style"]), nodes: nodes.slice(index + 1, end) };
      index = end;
    } else for (const tag of tags) yield* shownTag(tag);
  }
}

/** The index of the block with the tag that ends a block; -1 without one. */
function endOf(nodes: readonly RichNode[], from: number, { name }: Tag): number {
  let depth = 0;
  for (let index = from; index < nodes.length; index++) {
    for (const tag of tagsOf(nodes[index])) {
      const isSame = tag.name === name || (name.startsWith(":") && tag.name.startsWith(":"));
      if (isSame) depth += tag.side === "start" ? 1 : tag.side === "end" ? -1 : 0;
    }
    if (depth === 0) return index;
  }
  return -1;
}

const titleTag = (title: string): Tag => ({ side: "start", name: "", kind: "part", attributes: { title } });

function* shownTag({ side, attributes }: Tag): Generator<RichNode> {
  const { title = attributes["label"] ?? attributes["url"] ?? "" } = attributes;
  if (side === "end" || title === "") return;
  const leaf = { object: "leaf", text: title, marks: [{ object: "mark", type: "bold" }] } as const;
  const text = { object: "text", key: "", leaves: [leaf] } as const;
  yield { object: "block", type: "paragraph", key: "", isVoid: false, data: {}, nodes: [text] };
}

/** `{% hint %} Text {% endhint %}` in one paragraph. */
function hintInLine(node: RichNode): Hint | null {
  if (node.object !== "block" || node.type !== "paragraph") return null;
  const [first, last] = [sourceOf(node.nodes[0]), sourceOf(node.nodes.at(-1))];
  const [tag] = first === "" ? [] : (tagsIn(first) ?? []);
  if (typeof tag !== "object" || tag.kind !== "hint" || tag.side !== "start" || !/^\{%-?\s*endhint/.test(last))
    return null;
  return { kind: kindOf(tag.attributes["style"]), nodes: [{ ...node, nodes: node.nodes.slice(1, -1) }] };
}

/** `!!! note "Title"` with its indented text. */
function indentedHint(source: string): Hint | null {
  const [, name, title] =
    /^(?:!!!|\?\?\?\+?|===[!+]?)[ \t]*([A-Za-z][\w-]*)?[^"\n]*(?:"([^"\n]*)")?/.exec(source) ?? [];
  if (name === undefined && title === undefined) return null;
  const text = source.replace(/^.*\n?/, "").replaceAll(/^(?: {4}|\t)/gm, "");
  const head = title === undefined || title === "" ? [] : [...shownTag(titleTag(title))];
  return { kind: kindOf(name), nodes: [...head, ...fromMarkdown(text).nodes] };
}
