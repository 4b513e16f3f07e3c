// The views of blocks: hints, tabs that work without JavaScript, steps, cards, columns, links to embedded content.
import type { Element, ElementContent } from "hast";
import type { Attributes } from "#src/documents/html/block-tags.ts";
import type { TextBlock } from "#src/documents/html/marked-blocks.ts";
import { classesOf, element, isBlank, isElement, textOf, withoutLinks } from "#src/documents/html/elements.ts";

/** The content of a block, with its title apart. */
interface BlockContent {
  readonly title: readonly ElementContent[];
  readonly body: readonly ElementContent[];
}

/** What views of one text share: tabs have ids. */
export interface ViewState {
  tabs: number;
}

type View = (block: TextBlock, content: BlockContent, state: ViewState) => Element;

const box = (name: string, children: readonly ElementContent[]): Element =>
  element("div", { className: [name] }, children);

const hint: View = ({ style = "info" }, { title, body }) =>
  element("div", { className: ["hint", `hint-${style}`], role: "note" }, [
    ...(title.length > 0 ? [box("hint-title", title)] : []),
    ...body,
  ]);

/** A group of radio buttons, each with its label and panel after it. */
const tabs: View = (_block, { body }, state) => {
  const group = ++state.tabs;
  const panels = body.filter((node) => isElement(node, "div")).filter((node) => classesOf(node).includes("tab-panel"));
  const parts = panels.flatMap((panel, index) => {
    const id = `tab_${group}_${index + 1}`;
    const [label, ...content] = panel.children;
    const input = {
      type: "radio",
      className: ["tab"],
      name: `tab_${group}`,
      id,
      ...(index === 0 && { checked: true }),
    };
    const title = isElement(label, "span") ? label.children : [];
    return [
      element("input", input),
      element("label", { htmlFor: [id], className: ["tab-title"] }, title.length > 0 ? title : [String(index + 1)]),
      element("div", { className: ["tab-panel"] }, content),
    ];
  });
  return element("div", { className: ["tab-set"] }, parts);
};

/** A tab, with its title first, until its tabs take it apart. */
const tab: View = (_block, { title, body }) => box("tab-panel", [element("span", {}, withoutLinks(title)), ...body]);

const steps: View = (_block, { body }) => {
  const items = body.filter((node) => !isBlank(node));
  return element(
    "ol",
    { className: ["steps"] },
    items.map((node) =>
      isElement(node, "div") && classesOf(node).includes("step")
        ? { ...node, tagName: "li" }
        : element("li", { className: ["step"] }, [node]),
    ),
  );
};

const step: View = (_block, { title, body }) =>
  box("step", [...(title.length > 0 ? [box("step-title", title)] : []), ...body]);

const expandable: View = ({ style, attributes }, { title, body }) =>
  element(
    "details",
    {
      className: ["expandable", ...(style ? ["hint", `hint-${style}`] : [])],
      ...((isTrue(attributes, "open") || isTrue(attributes, "defaultOpen")) && { open: true }),
    },
    [element("summary", {}, title.length > 0 ? withoutLinks(title) : ["Details"]), ...body],
  );

const isTrue = (attributes: Attributes, name: string): boolean =>
  attributes[name] !== undefined && attributes[name] !== "false";

/** A link to a page of another site; its text is the caption, or else the address without its scheme. */
const embed: View = ({ attributes }, { body }) => {
  const { url = attributes["href"] ?? attributes["src"] ?? "" } = attributes;
  return linkBox("embed", url, textOf(body).trim() || url.replace(/^https?:\/\/(?:www\.)?/, "").replace(/\/$/, ""));
};

/** A link to a page. GitBook writes the path of the page as its text, in place of its title. */
const reference: View = ({ attributes: { url = "" } }, { body }) => {
  const text = textOf(body).trim() || url;
  const link = element("a", { href: url, ...(text.endsWith(".md") && { dataPageTitle: true }) }, [text]);
  return element("p", { className: ["reference"] }, [link]);
};

const file: View = ({ attributes: { src = "" } }, { body }) =>
  linkBox("file", src, textOf(body).trim() || src.split(/[?#]/)[0]?.split("/").at(-1) || "File");

const linkBox = (name: string, href: string, text: string): Element =>
  element("p", { className: [name] }, [element("a", { href }, [text])]);

const columns: View = (_block, { body }) =>
  box(
    "columns",
    body.filter((node) => !isBlank(node)),
  );
const column: View = (_block, { body }) => box("column", body);
const cards: View = (_block, { title, body }) =>
  box(
    "cards",
    [...title, ...body].filter((node) => !isBlank(node)),
  );

const card: View = ({ attributes: { href, img } }, { title, body }) =>
  cardView({ href: href ?? null, image: img ?? null, title, body });

const field: View = ({ attributes }, { body }) => {
  const { name = attributes["path"] ?? attributes["query"] ?? attributes["body"] ?? attributes["header"] ?? "", type } =
    attributes;
  const head = [
    element("code", {}, [name]),
    ...(type === undefined ? [] : [" ", element("span", { className: ["field-type"] }, [type])]),
    ...(isTrue(attributes, "required") ? [" ", element("span", { className: ["field-required"] }, ["required"])] : []),
  ];
  return box("field", [element("div", { className: ["field-head"] }, head), ...body]);
};

interface Card extends BlockContent {
  readonly href: string | null;
  readonly image: string | null;
}

/** A card. If it leads somewhere, all of it is the link. */
export function cardView({ href, image, title, body }: Card): Element {
  const content = [
    ...(image === null ? [] : [element("img", { src: image, alt: "", className: ["card-image"] })]),
    ...(title.length > 0 ? [element("div", { className: ["card-title"] }, title)] : []),
    ...body,
  ];
  if (href === null) return box("card", content);
  return element("a", { className: ["card"], href }, withoutLinks(content));
}

const views: Readonly<Partial<Record<TextBlock["kind"], View>>> = {
  hint,
  tabs,
  tab,
  steps,
  step,
  expandable,
  embed,
  reference,
  file,
  columns,
  column,
  cards,
  card,
  field,
};

/** The view of a block whose content was sanitised and shaped. */
export function blockView(block: TextBlock, children: readonly ElementContent[], state: ViewState): ElementContent[] {
  const inside = children.filter((node) => !isLineBreak(node));
  const [head, ...rest] = inside;
  const isTitle = isElement(head, "div") && "dataTitle" in head.properties;
  const content = isTitle ? { title: head.children, body: rest } : { title: [], body: inside };
  const view = views[block.kind];
  return view ? [view(block, content, state)] : [...children];
}

const isLineBreak = (node: ElementContent): boolean => isBlank(node) && textOf([node]).includes("\n");
