// Blocks of rich documents that Markdown does not have: in notes (`notes.ts`), and blocks of integrations, which are
// fenced code of the language `integration:<name>/<component>` with their properties as JSON.
import type { Code, Parents, Root, RootContent } from "mdast";
import { isRecord } from "#src/base/json.ts";
import type { BlockKind } from "#src/documents/html/block-names.ts";
import { styleOf } from "#src/documents/html/block-names.ts";
import type { Attributes } from "#src/documents/html/block-tags.ts";
import type { BlockMaker } from "#src/documents/html/marked-blocks.ts";
import { noteIn } from "#src/documents/notes.ts";

/** The kinds of blocks that are written as quotes with a note. */
const quoted: Readonly<Record<string, BlockKind>> = { hint: "hint", callout: "hint", expandable: "expandable" };

/** Replaces notes with a block of their own, and fences of integrations, by blocks. */
export function readNotes(root: Root, blocks: BlockMaker): void {
  root.children = root.children.flatMap((node, index, all) => {
    const [before, own] = [noteIn(all[index - 1]), noteIn(node)];
    if (own?.on === "node") return integrationBlock(own.block.data ?? {}, blocks);
    if (before?.on !== "next" || before.as !== node.type || node.type !== "blockquote") return [node];
    const kind = Object.hasOwn(quoted, before.block.type) ? quoted[before.block.type] : undefined;
    if (!kind) return [node];
    const { style, title } = before.block.data ?? {};
    const block = { kind, style: styleOf(textOf(style)) ?? undefined, attributes: {} };
    return [blocks.block(block, textOf(title), node.children)];
  });
  readFences(root, blocks);
}

const textOf = (value: unknown): string => (typeof value === "string" ? value.slice(0, 500) : "");

const isOfIntegration = (node: RootContent): node is Code =>
  node.type === "code" && /^integration:[^/]+\/./.test(node.lang ?? "");

function readFences(parent: Parents, blocks: BlockMaker): void {
  const children: RootContent[] = parent.children;
  for (const child of children) if ("children" in child) readFences(child, blocks);
  if (!children.some(isOfIntegration)) return;
  const read = children.flatMap((child) =>
    isOfIntegration(child) ? integrationBlock({ props: propsIn(child.value) }, blocks) : [child],
  );
  parent.children = read as never; // blocks are flow content, as fences are
}

function propsIn(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return {};
  }
}

/** Without its script, a block is a link to what it shows, or its text; nothing if it has neither. */
function integrationBlock(data: Readonly<Record<string, unknown>>, blocks: BlockMaker): RootContent[] {
  const all = [data, data["props"], data["ref"]].filter(isRecord);
  const valueOf = (...names: readonly string[]): string =>
    all.flatMap((values) => names.map((name) => values[name])).find((value) => typeof value === "string") ?? "";
  const url = valueOf("url", "href", "link", "src");
  const text = valueOf("title", "caption", "text");
  const attributes: Attributes = { url };
  const content: RootContent[] = text === "" ? [] : [{ type: "paragraph", children: [{ type: "text", value: text }] }];
  if (url !== "") return [blocks.block({ kind: "embed", attributes }, "", content)];
  const code = valueOf("content", "code");
  return code === "" ? content : [...content, { type: "code", value: code }];
}
