// Prepares the emphasis of a syntax tree for writing: without blanks at its edges, and so that it is read again where
// words are written without blanks between them. Otherwise the writer would write characters as references.
import type { Delete, Emphasis, Nodes, Parent, Parents, PhrasingContent, Root, Strong, Text } from "mdast";
import { sidesOf } from "#src/documents/syntax/attention.ts";

type Mark = Strong | Emphasis | Delete;

/** Emphasis that the parser reads although CommonMark would not (`attention.ts`). */
export interface BesideCjk extends Parent {
  type: "besideCjk";
  sequence: string;
  children: PhrasingContent[];
}

declare module "mdast" {
  interface PhrasingContentMap {
    besideCjk: BesideCjk;
  }
  interface RootContentMap {
    besideCjk: BesideCjk;
  }
}

const sequences = { strong: "**", emphasis: "*", delete: "~~" } as const;

const isMark = (node: Nodes | undefined): node is Mark => node !== undefined && Object.hasOwn(sequences, node.type);

interface Options {
  /** Whether punctuation may leave the emphasis: `**Note:**text` becomes `**Note**:text`. */
  readonly mayMove: boolean;
}

/** A copy of the tree whose emphasis can be written. */
export function withWritableEmphasis(root: Root, options: Options): Root {
  return { ...root, children: root.children.map((node) => prepared(node, options)) };
}

function prepared<Node extends Nodes>(node: Node, options: Options): Node {
  if (!("children" in node)) return node;
  const children = (node.children as Nodes[]).map((child) => prepared(child, options));
  if (!children.some(isMark)) return { ...node, children };
  const parts = joined(children.flatMap(withoutBlankEdges));
  for (let at = 0; at < parts.length; at++) makeWritable(parts, at, { ...options, parent: node as Parents });
  return { ...node, children: joined(parts) };
}

const text = (value: string): Text[] => (value === "" ? [] : [{ type: "text", value }]);

/** Adjacent texts as one. */
function joined(nodes: readonly Nodes[]): Nodes[] {
  const all: Nodes[] = [];
  for (const node of nodes) {
    const last = all.at(-1);
    if (node.type === "text" && last?.type === "text")
      all[all.length - 1] = { ...last, value: last.value + node.value };
    else if (node.type !== "text" || node.value !== "") all.push(node);
  }
  return all;
}

/** Blanks at the edges of emphasis, which have no meaning there, beside it. */
function withoutBlankEdges(node: Nodes): Nodes[] {
  if (!isMark(node)) return [node];
  const children = [...node.children];
  const [first] = children;
  let [before, after] = ["", ""];
  if (first?.type === "text") {
    const value = first.value.trimStart() === "" ? "" : first.value.replace(/^[ \t\r\n]+/, "");
    before = first.value.slice(0, first.value.length - value.length);
    children.splice(0, 1, ...text(value));
  }
  const last = children.at(-1);
  if (last?.type === "text") {
    const value = trimmedEnd(last.value);
    after = last.value.slice(value.length);
    children.splice(-1, 1, ...text(value));
  }
  return [...text(before), ...(children.length > 0 ? [{ ...node, children }] : []), ...text(after)];
}

function trimmedEnd(value: string): string {
  let end = value.length;
  while (end > 0 && " \t\r\n".includes(value.charAt(end - 1))) end--;
  return value.slice(0, end);
}

const firstOf = (value: string): string => String.fromCodePoint(value.codePointAt(0) ?? 32);
const lastOf = (value: string): string => Array.from(value.slice(-2)).at(-1) ?? "";

/** The character of a node at one of its edges; nodes that are not text have signs there. */
const edgeOf = (node: Nodes | undefined, of: (value: string) => string): string =>
  node === undefined ? "" : node.type === "text" ? of(node.value) : "(";

interface Sides {
  readonly before: string;
  readonly first: string;
  readonly last: string;
  readonly after: string;
}

function sidesAt(parts: readonly Nodes[], at: number, mark: Mark): Sides {
  return {
    before: edgeOf(parts[at - 1], lastOf),
    first: edgeOf(mark.children[0], firstOf),
    last: edgeOf(mark.children.at(-1), lastOf),
    after: edgeOf(parts[at + 1], firstOf),
  };
}

const letter = /[^\p{P}\p{S}\s]/u;
const sign = /[\p{P}\p{S}]/u;

/** Whether CommonMark reads emphasis here: not between a letter outside and a sign inside. */
const isRead = (outside: string, inside: string): boolean => !(letter.test(outside) && sign.test(inside));

function makeWritable(parts: Nodes[], at: number, { mayMove, parent }: Options & { parent: Parents }): void {
  const mark = parts[at];
  if (!isMark(mark) || isMark(parent as Nodes)) return;
  const { before, first, last, after } = sidesAt(parts, at, mark);
  if (isRead(before, first) && isRead(after, last)) return;
  if (sidesOf(before, first).opens && sidesOf(last, after).closes)
    parts[at] = { type: "besideCjk", sequence: sequences[mark.type], children: mark.children };
  else if (mayMove)
    parts.splice(at, 1, ...withoutSigns(mark, { isStart: !isRead(before, first), isEnd: !isRead(after, last) }));
}

/** Emphasis with the signs at its edges outside. */
function withoutSigns(mark: Mark, { isStart, isEnd }: { isStart: boolean; isEnd: boolean }): Nodes[] {
  const children = [...mark.children];
  let [before, after] = ["", ""];
  const [first] = children;
  if (isStart && first?.type === "text") {
    [before = ""] = /^[\p{P}\p{S}\s]+/u.exec(first.value) ?? [];
    children.splice(0, 1, ...text(first.value.slice(before.length)));
  }
  const last = children.at(-1);
  if (isEnd && last?.type === "text") {
    const characters = Array.from(last.value);
    while (/^[\p{P}\p{S}\s]$/u.test(characters.at(-1) ?? "")) after = `${characters.pop()}${after}`;
    children.splice(-1, 1, ...text(characters.join("")));
  }
  return [...text(before), ...(children.length > 0 ? [{ ...mark, children }] : []), ...text(after)];
}
