// Makes and reads elements of HTML's syntax tree (hast).
import type { Element, ElementContent, Nodes, Properties } from "hast";

/** A new element; texts are escaped when it is written. */
export function element(
  tagName: string,
  properties: Properties = {},
  children: readonly (ElementContent | string)[] = [],
): Element {
  const nodes = children.map((child) => (typeof child === "string" ? { type: "text" as const, value: child } : child));
  return { type: "element", tagName, properties, children: nodes };
}

/** Whether a node is an element with this name. */
export const isElement = (node: Nodes | undefined, tagName: string): node is Element =>
  node?.type === "element" && node.tagName === tagName;

/** The text of nodes, without their elements. */
export const textOf = (nodes: readonly Nodes[]): string =>
  nodes.map((node) => (node.type === "text" ? node.value : "children" in node ? textOf(node.children) : "")).join("");

/** Nodes without the links around their contents, for places within a link. */
export const withoutLinks = (nodes: readonly ElementContent[]): ElementContent[] =>
  nodes.flatMap((node) => {
    if (node.type !== "element") return [node];
    const children = withoutLinks(node.children);
    return node.tagName === "a" || node.tagName === "input" ? children : [{ ...node, children }];
  });

/** Whether a node is text that only separates blocks. */
export const isBlank = (node: Nodes): boolean => node.type === "text" && node.value.trim() === "";

/** A property as a text; null if it is missing. */
export function textProperty({ properties }: Element, name: string): string | null {
  const value = properties[name];
  return typeof value === "string" || typeof value === "number" ? String(value) : null;
}

/** The names of the classes of an element. */
export function classesOf({ properties: { className } }: Element): readonly string[] {
  return Array.isArray(className) ? className.map(String) : [];
}
