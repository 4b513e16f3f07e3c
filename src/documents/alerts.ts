// Hints in documents: GitHub's and Obsidian's alerts, which are quotes that start with `[!NOTE]`.
import type { Blockquote, BlockContent, DefinitionContent, PhrasingContent } from "mdast";
import type { NodeData } from "#src/documents/document.ts";
import { type HintStyle, styleOf } from "#src/documents/html/block-names.ts";

const start = /^(\[!(\w+)\][+-]?)[ \t]*([^\n]*)(?:\n|$)/;

interface Alert {
  readonly data: NodeData;
  /** The blocks after the line with the marker. */
  readonly content: Blockquote["children"];
}

/** The alert that a quote is; null for any other, and for a title with more than text. */
export function alertIn({ children: [first, ...others] }: Blockquote): Alert | null {
  const [text, ...rest] = first?.type === "paragraph" ? first.children : [];
  if (text?.type !== "text") return null;
  const [line, marker, name = "", title = ""] = start.exec(text.value) ?? [];
  const style = styleOf(name);
  if (line === undefined || style === null || (rest.length > 0 && !line.endsWith("\n"))) return null;
  const value = text.value.slice(line.length);
  const left: PhrasingContent[] = [...(value === "" ? [] : [{ ...text, value }]), ...rest];
  const paragraph: BlockContent[] = left.length > 0 ? [{ type: "paragraph", children: left }] : [];
  const head = title.trim() === "" ? {} : { title: title.trim() };
  return { data: { style, marker, ...head }, content: [...paragraph, ...others] };
}

const markers: Readonly<Record<HintStyle, string>> = {
  info: "[!NOTE]",
  success: "[!TIP]",
  warning: "[!WARNING]",
  danger: "[!CAUTION]",
};

const markerForm = /^\[!\w+\][+-]?$/;

/** The quote of a hint; null if its style is not that of an alert. */
export function alertOf(data: NodeData, content: readonly (BlockContent | DefinitionContent)[]): Blockquote | null {
  const { style, marker = Object.hasOwn(markers, String(style)) ? markers[style as HintStyle] : null, title } = data;
  if (typeof marker !== "string" || !markerForm.test(marker)) return null;
  const head = typeof title === "string" && title !== "" ? `${marker} ${title}` : marker;
  const [first, ...others] = content;
  const isText = first?.type === "paragraph";
  const children: PhrasingContent[] = isText
    ? [{ type: "source", value: `${head}\n` }, ...first.children]
    : [{ type: "source", value: head }];
  return {
    type: "blockquote",
    children: [{ type: "paragraph", children }, ...(isText || !first ? [] : [first]), ...others],
  };
}
