// Tabs and collapsed parts of pages: their contents stay, below their labels, though a browser hides all but one.
import type { Element, ElementContent } from "hast";
import { isElement } from "#src/documents/html/elements.ts";
import {
  childrenOf,
  classText,
  classWords,
  elementsOf,
  escapeHtml,
  findAll,
  findFirst,
  hasClassWord,
  hasInside,
  hasProperty,
  isEmpty,
  isHeading,
  lineIn,
  type Parent,
  property,
  rawBlock,
  replaceElements,
  type Step,
} from "#src/features/imports/model/website/html/tree.ts";

/** `bar` contains the label, or is it. */
type Tab = { readonly label: string; readonly panel: Element; readonly bar: Element };

const attributeText = (text: string): string =>
  text.replaceAll(/[{}%]/g, " ").replaceAll(/\s+/g, " ").trim().replaceAll("&", "&amp;").replaceAll('"', "&quot;");

function tabsBlock(tabs: readonly Tab[]): Element {
  const each = tabs.map(({ label, panel }, index) =>
    rawBlock(
      `{% tab title="${attributeText(label) || String(index + 1)}" %}`,
      [{ ...shown(panel), tagName: "div" }],
      "{% endtab %}",
    ),
  );
  return rawBlock("{% tabs %}", each, "{% endtabs %}");
}

/** A collapsed part without what hides it. */
const shown = (panel: Element): Element => {
  const { hidden: _hidden, style: _style, ...properties } = panel.properties;
  return { ...panel, properties };
};

const idOf = (node: Element): string => property(node, "id");

const isRole = (node: Element, role: string): boolean => property(node, "role") === role;

/** Matches labels with panels by their ids, or else by their order. */
function paired(labels: readonly Element[], panels: readonly Element[], bar?: Element): Tab[] {
  const byId = new Map(panels.map((panel) => [idOf(panel), panel]));
  const targetOf = (label: Element): Element | undefined => {
    const target = targetsOf(label).find((id) => byId.has(id));
    if (target !== undefined) return byId.get(target);
    const id = idOf(label);
    return id === "" ? undefined : panels.find((panel) => property(panel, "ariaLabelledBy").split(" ").includes(id));
  };
  const named = labels.flatMap((label) => {
    const panel = targetOf(label);
    return panel ? [{ label: lineIn(label), panel, bar: bar ?? label }] : [];
  });
  if (named.length === labels.length) return named;
  if (labels.length !== panels.length) return [];
  return labels.flatMap((label, index) => {
    const panel = panels[index];
    return panel ? [{ label: lineIn(label), panel, bar: bar ?? label }] : [];
  });
}

/** The ids of the parts that an element shows. */
function targetsOf(node: Element): string[] {
  const links = [property(node, "href"), property(node, "dataTarget"), property(node, "dataBsTarget")];
  const named = links.flatMap((value) => (/#[^#]+$/.exec(value) ? [value.replace(/^.*#/s, "")] : []));
  return [...property(node, "ariaControls").split(" "), ...named].filter((id) => id !== "");
}

/** Tabs with the roles of ARIA, as most generators write them. */
function ariaTabs(node: Element): Tab[] {
  const list = findFirst(node, (inner) => isRole(inner, "tablist"));
  if (!list) return [];
  const roleTabs = findAll(list, (inner) => isRole(inner, "tab"));
  const labels =
    roleTabs.length > 0 ? roleTabs : findAll(list, ({ tagName }) => tagName === "a" || tagName === "button");
  const isPanel = (inner: Element): boolean =>
    isRole(inner, "tabpanel") ||
    classWords(inner)
      .join(" ")
      .match(/\btab (?:pane|panel)\b/) !== null;
  return paired(
    labels,
    outermost(node, (inner) => isPanel(inner) && !hasInside(list, (one) => one === inner)),
  );
}

/** The elements that match and are not within another one. */
function outermost(node: Parent, matches: (element: Element) => boolean): Element[] {
  return elementsOf(node).flatMap((child) => (matches(child) ? [child] : outermost(child, matches)));
}

const isRadio = (node: Element): boolean => node.tagName === "input" && property(node, "type") === "radio";

/** Tabs of radio buttons, which work without scripts: the panels follow the labels, each one or all together. */
function radioTabs(node: Element): Tab[] {
  const bar = elementsOf(node).some(isRadio)
    ? node
    : elementsOf(node).find((child) => elementsOf(child).some(isRadio) && elementsOf(child).some(isLabel));
  if (!bar) return [];
  const own = elementsOf(node);
  const labels = [bar, ...own].flatMap((one) => elementsOf(one).filter(isLabel));
  const distinct = [...new Set(labels)];
  const rest = own.filter((child) => !isRadio(child) && !isLabel(child) && child !== bar && !isLabels(child));
  const panels = rest.length === 1 && distinct.length > 1 && rest[0] ? elementsOf(rest[0]) : rest;
  return distinct.length === panels.length ? paired(distinct, panels, bar === node ? undefined : bar) : [];
}

const isLabel = (node: Element): boolean => node.tagName === "label";
const isLabels = (node: Element): boolean => elementsOf(node).length > 0 && elementsOf(node).every(isLabel);

const barWords: ReadonlySet<string> = new Set([
  "nav",
  "navs",
  "tabs",
  "list",
  "labels",
  "header",
  "headers",
  "buttons",
  "bar",
]);

/** Tabs that only their classes tell from other blocks: a bar of labels, and as many panels after it. */
function namedTabs(node: Element): Tab[] {
  if (!classWords(node).some((word) => /^(?:tabs?|tabset|tabbed)$/.test(word)) && !/code-?group/i.test(classText(node)))
    return [];
  const [bar, ...rest] = elementsOf(node);
  if (!bar || rest.length === 0 || !hasClassWord(bar, barWords)) return [];
  const labels = findAll(bar, ({ tagName }) => /^(?:button|a|li|label|span)$/.test(tagName)).filter(
    (label) =>
      elementsOf(label).every(({ tagName }) => !/^(?:button|a|li|label)$/.test(tagName)) && lineIn(label) !== "",
  );
  const panels = rest.length === 1 && labels.length > 1 && rest[0] ? elementsOf(rest[0]) : rest;
  return labels.length > 1 ? paired(outerLabels(labels), panels, bar) : [];
}

/** Labels without the ones within them. */
const outerLabels = (labels: readonly Element[]): Element[] =>
  labels.filter((label) => !labels.some((other) => other !== label && hasInside(other, (inner) => inner === label)));

/** Makes tabs of all kinds tabs, in the innermost element around the labels and the panels of one set. */
function convertTabs(tree: Parent): void {
  replaceElements(tree, (node) => {
    if (isRole(node, "tablist") || node.tagName === "ul") return null;
    for (let sets = 0; sets < mostSets && convertSet(node); sets += 1);
    return null;
  });
}

/** The most sets of tabs directly in one element. */
const mostSets = 100;

/** Puts one set of tabs in the place of its labels and panels. */
function convertSet(node: Element): boolean {
  const tabs = [ariaTabs, radioTabs, namedTabs].map((read) => read(node)).find((found) => found.length > 0);
  if (!tabs || tabs.some(({ panel }) => !hasContent(panel))) return false;
  const isPart = partsOf(tabs);
  const at = childrenOf(node).findIndex(isPart);
  node.children = childrenOf(node).flatMap((child, index): ElementContent[] => {
    if (index === at) return [tabsBlock(tabs)];
    return isPart(child) ? [] : [child];
  });
  return true;
}

const hasContent = (panel: Element): boolean =>
  lineIn(panel) !== "" || hasInside(panel, ({ tagName }) => /^(?:img|pre|video|iframe|svg|picture)$/.test(tagName));

/** Tells the labels and panels of tabs from other blocks. */
function partsOf(tabs: readonly Tab[]): (child: ElementContent) => boolean {
  const parts = new Set(tabs.flatMap(({ panel, bar }) => [panel, bar]));
  return (child) =>
    child.type === "element" && (parts.has(child) || isRadio(child) || hasInside(child, (inner) => parts.has(inner)));
}

const isHidden = (node: Element): boolean =>
  hasProperty(node, "hidden") || /display:\s*none/i.test(property(node, "style"));

const isAny = (): boolean => true;

const panelWords = /^(?:collapse|collapsible|accordion|panel|pane|content|expander|expandable|tab|tabs)$/;

/** Removes hidden elements, but not what a control on the page shows, which becomes an expandable part. */
function convertHidden(tree: Parent): void {
  const togglers = new Map<string, Element>();
  for (const node of findAll(tree, (one) => targetsOf(one).length > 0))
    if (/^(?:a|button|h\d|div|span|summary|label)$/.test(node.tagName))
      for (const id of targetsOf(node)) if (!togglers.has(id)) togglers.set(id, node);
  const used = new Set<Element>();
  const inHeadings = new Set(findAll(tree, isHeading).flatMap((heading) => [heading, ...findAll(heading, isAny)]));
  replaceElements(tree, (node) => {
    if (!isHidden(node)) return null;
    const toggler = togglers.get(idOf(node));
    const label = toggler ? lineIn(toggler) : "";
    if (toggler && label !== "" && lineIn(node) !== "") {
      if (inHeadings.has(toggler)) return shown(node).children;
      used.add(toggler);
      return [detailsBlock(label, shown(node).children)];
    }
    const stays = property(node, "hidden") === "until-found" || classWords(node).some((word) => panelWords.test(word));
    return stays && lineIn(node) !== "" ? [shown(node)] : [];
  });
  replaceElements(tree, (node) => (used.has(node) ? [] : null));
}

/** An expandable part as GitBook writes it. */
function detailsBlock(title: string, children: readonly ElementContent[], isOpen = false): Element {
  const summary = rawBlock(`<summary>${escapeHtml(title)}</summary>`);
  return rawBlock(`<details${isOpen ? " open" : ""}>`, [summary, ...children], "</details>");
}

/** Expandable elements of HTML. A heading in the summary stays one, before the part. */
function convertDetails(tree: Parent): void {
  replaceElements(tree, (node) => {
    if (node.tagName !== "details") return null;
    const summary = elementsOf(node).find((child) => isElement(child, "summary"));
    const content = childrenOf(node).filter((child) => child !== summary);
    const title = summary ? lineIn(summary) : "";
    if (content.every(isEmpty))
      return title === "" ? [] : [{ ...node, tagName: "p", children: summary?.children ?? [] }];
    const headings = summary ? findAll(summary, isHeading) : [];
    return [...headings, detailsBlock(title || "Details", content, hasProperty(node, "open"))];
  });
}

/** Converts what a page shows only after a click. */
export const convertCollapsed: Step = (tree) => {
  convertTabs(tree);
  convertDetails(tree);
  convertHidden(tree);
};
