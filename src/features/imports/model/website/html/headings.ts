// Headings keep the ids that links of their website lead to, where they differ from the anchors of the text.
import type { Element, ElementContent } from "hast";
import { element } from "#src/documents/html/elements.ts";
import { gitHubSlug } from "#src/documents/sections/anchors.ts";
import { SiblingSlugs, slugOf } from "#src/base/text/slugs.ts";
import {
  childrenOf,
  elementsOf,
  escapeHtml,
  findAll,
  hasInside,
  isEmpty,
  isHeading,
  lineIn,
  type Parent,
  property,
  rawInline,
  removeElements,
  replaceElements,
  type Step,
} from "#src/features/imports/model/website/html/tree.ts";

const namesOf = (node: Element): string[] => [property(node, "id"), node.tagName === "a" ? property(node, "name") : ""];

const isAnchor = (node: ElementContent): node is Element =>
  node.type === "element" &&
  /^(?:a|span|div|p)$/.test(node.tagName) &&
  property(node, "href") === "" &&
  lineIn(node) === "" &&
  !hasInside(node, ({ tagName }) => /^(?:img|svg|video|iframe|input)$/.test(tagName)) &&
  namesOf(node).some((name) => name !== "");

/** The names of a heading by the elements around it: a section that it begins, and anchors before it. */
function namesAround(heading: Element, parents: readonly Parent[]): string[] {
  const names: string[] = [];
  let inner: ElementContent = heading;
  for (const parent of parents.toReversed()) {
    const before = childrenOf(parent)
      .slice(0, childrenOf(parent).indexOf(inner))
      .filter((child) => !isEmpty(child));
    const anchors = before.slice(before.findLastIndex((child) => !isAnchor(child)) + 1);
    names.push(...anchors.flatMap((anchor) => (isAnchor(anchor) ? namesOf(anchor) : [])));
    if (parent.type !== "element" || anchors.length < before.length || !/^(?:section|div|header)$/.test(parent.tagName))
      break;
    names.push(property(parent, "id"));
    inner = parent;
  }
  return names;
}

const namesIn = (heading: Element): string[] =>
  [heading, ...findAll(heading, ({ tagName }) => tagName === "a" || tagName === "span")].flatMap(namesOf);

/** All names of a heading: links to any of them lead to it. */
function headingNamesOf(heading: Element, parents: readonly Parent[]): string[] {
  const names = [...namesIn(heading), ...namesAround(heading, parents)];
  return [...new Set(names)].filter((name) => /^[^\s{}"'<>&`\\]{1,100}$/.test(name)).slice(0, 5);
}

/** Writes names of headings that neither the anchors of the text nor those of GitHub equal. */
export const nameHeadings: Step = (tree) => {
  const slugs = new SiblingSlugs();
  const counts = new Map<string, number>();
  const visit = (parent: Parent, parents: readonly Parent[]): void => {
    const around = [...parents, parent];
    for (const child of elementsOf(parent)) {
      if (isHeading(child)) nameHeading(child, around);
      else visit(child, around);
    }
  };
  const nameHeading = (heading: Element, around: readonly Parent[]): void => {
    const title = lineIn(heading);
    const ours = slugOf(title, "section");
    const plain = gitHubSlug(title);
    const count = counts.get(plain) ?? 0;
    counts.set(plain, count + 1);
    const known = new Set([slugs.take(ours), count === 0 ? plain : `${plain}-${count}`]);
    const names = headingNamesOf(heading, around);
    const [first, ...others] = names.some((name) => known.has(name))
      ? ["", ...names.filter((name) => !known.has(name))]
      : names;
    removeElements(heading, isAnchor);
    const anchors = others.map((name) => rawInline(`<a id="${escapeHtml(name)}"></a>`));
    heading.children = [...anchors, ...heading.children];
    if (!first) return;
    const last = heading.children.at(-1);
    if (last?.type === "text") last.value = last.value.trimEnd();
    heading.children.push(rawInline(` {#${first}}`));
  };
  visit(tree, []);
};

const isShown = ({ tagName }: Element): boolean => /^(?:img|docgraph-\w+)$/.test(tagName);

/** A heading holds one line, and text. */
export const flattenHeadings: Step = (tree) => {
  removeElements(tree, (node) => isHeading(node) && lineIn(node) === "" && !hasInside(node, isShown));
  for (const heading of findAll(tree, isHeading)) {
    replaceElements(heading, (node) => {
      if (node.tagName === "br") return [{ type: "text", value: " " }];
      return /^(?:div|p|h[1-6]|center)$/.test(node.tagName) ? [element("span", {}, node.children)] : null;
    });
  }
};
