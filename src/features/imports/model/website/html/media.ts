// Players, frames, drawings and pictures: what a text cannot hold becomes an embedded address, or is reported.
import type { Element, ElementContent } from "hast";
import rehypeStringify from "rehype-stringify";
import { unified } from "unified";
import { element, isElement } from "#src/documents/html/elements.ts";
import { safeAddress } from "#src/features/imports/model/website/scope.ts";
import {
  classText,
  elementsOf,
  findAll,
  findFirst,
  hasInside,
  hasProperty,
  lineIn,
  type Parent,
  property,
  rawBlock,
  replaceElements,
  type Step,
} from "#src/features/imports/model/website/html/tree.ts";

const isOfWeb = (address: string): boolean => /^https?:\/\//i.test(address);

const embedded = (address: string): Element => {
  const url = safeAddress(address).replaceAll(/["{}]/g, encodeURIComponent);
  return rawBlock(`{% embed url="${url}" %}`);
};

/** The address of a player or a frame, its own or that of its first source. */
function addressOf(node: Element): string {
  const own = ["src", "data", "dataSrc"].map((name) => property(node, name)).find(isOfWeb);
  if (own !== undefined) return own;
  const source = findAll(node, (inner) => inner.tagName === "source" || inner.tagName === "embed");
  return source.map((one) => property(one, "src")).find(isOfWeb) ?? "";
}

const isTiny = (node: Element): boolean =>
  [property(node, "width"), property(node, "height")].some((size) => /^[01](?:px)?$/.test(size));

const isUnseen = (node: Element): boolean =>
  isTiny(node) || hasProperty(node, "hidden") || /display:\s*none|visibility:\s*hidden/i.test(property(node, "style"));

const players: ReadonlySet<string> = new Set([
  "iframe",
  "frame",
  "video",
  "audio",
  "embed",
  "object",
  "amp-iframe",
  "amp-youtube",
]);

/** Players with the id of a film alone. */
function videoOf(node: Element): string {
  const id = property(node, "videoid") || property(node, "dataVideoid") || property(node, "videoId");
  return /youtube/.test(node.tagName) && /^[\w-]{5,20}$/.test(id) ? `https://www.youtube.com/watch?v=${id}` : "";
}

function playerBlock(node: Element): ElementContent[] {
  if (isUnseen(node)) return [];
  const address = addressOf(node) || videoOf(node);
  const isPicture = node.tagName === "object" && property(node, "type").startsWith("image/");
  if (address !== "" && isPicture) return [element("img", { src: address, alt: lineIn(node) })];
  if (address !== "") return [embedded(address)];
  const poster = property(node, "poster");
  return isOfWeb(poster) ? [element("img", { src: poster, alt: lineIn(node) })] : node.children;
}

const svgWriter = unified().use(rehypeStringify, { space: "svg", closeEmptyElements: true }).freeze();

const svgLimits = { icon: 64, characters: 500_000 } as const;

/** Whether a drawing is an icon: small, or without a size and a name in a line of text. */
function isIcon(svg: Element): boolean {
  const [, , width = NaN, height = NaN] = property(svg, "viewBox")
    .split(/[\s,]+/)
    .map(Number);
  const given = [property(svg, "width"), property(svg, "height")].map((size) => Number.parseFloat(size));
  const sizes = given.every(Number.isFinite) && !given.some((size) => size <= 1) ? given : [width, height];
  if (property(svg, "ariaHidden") === "true" || /(?:^|[\s_-])icon/i.test(classText(svg))) return true;
  const isSmall = sizes.some((size) => !(size > svgLimits.icon));
  return isSmall && !hasInside(svg, ({ tagName }) => tagName === "text" || tagName === "foreignObject");
}

/** A drawing as a picture in a `data:` address; nothing for icons. */
function drawing(svg: Element): ElementContent[] {
  if (isIcon(svg)) return [];
  const source = { ...svg, properties: { ...svg.properties, xmlns: "http://www.w3.org/2000/svg" } };
  const xml = svgWriter.stringify({ type: "root", children: [source] });
  if (xml.length > svgLimits.characters) return [];
  const title = findFirst(svg, ({ tagName }) => tagName === "title");
  const alt = property(svg, "ariaLabel") || (title ? lineIn(title) : "");
  const src = `data:image/svg+xml;base64,${Buffer.from(xml).toString("base64")}`;
  return [element("img", { src, alt })];
}

/** Pictures of emoji have the character as their text. */
const isEmoji = (node: Element): boolean =>
  /(?:^|[\s_-])(?:emoji|wp-smiley|twemoji)/i.test(classText(node)) && /^\P{ASCII}/u.test(property(node, "alt"));

function picture(node: Element): ElementContent[] | null {
  if (isTiny(node)) return [];
  if (isEmoji(node)) return [{ type: "text", value: property(node, "alt") }];
  return property(node, "src") === "" ? [{ type: "text", value: property(node, "alt") }] : null;
}

const darkName = /(?:^|[\s_-])(?:dark|dark-only|only-dark)(?:$|[\s_-])/i;

/** Pictures for dark pages beside those for light ones are the same pictures again. */
function removeDarkTwins(tree: Parent): void {
  replaceElements(tree, (node, parents) => {
    if (node.tagName !== "img" || !darkName.test(classText(node))) return null;
    const parent = parents.at(-1);
    const others = parent ? elementsOf(parent).filter((one) => one !== node) : [];
    return others.some((one) => isElement(one, "img") && /(?:^|[\s_-])light(?:$|[\s_-])/i.test(classText(one)))
      ? []
      : null;
  });
}

/** Replaces players, frames and drawings, and the pictures that a text does not need. */
export const convertMedia: Step = (tree) => {
  removeDarkTwins(tree);
  replaceElements(tree, (node) => {
    if (players.has(node.tagName)) return playerBlock(node);
    if (node.tagName === "svg") return drawing(node);
    if (node.tagName === "amp-img") return [{ ...node, tagName: "img", children: [] }];
    return node.tagName === "img" ? picture(node) : null;
  });
};

/** What of a page cannot be in its text, for warnings. */
export function findLosses(tree: Parent): string[] {
  const count = (matches: (node: Element) => boolean): number => findAll(tree, matches).length;
  const drawings = count(({ tagName }) => tagName === "canvas");
  const frames = count(
    (node) =>
      players.has(node.tagName) &&
      !isUnseen(node) &&
      addressOf(node) === "" &&
      videoOf(node) === "" &&
      lineIn(node) === "",
  );
  const fields = count((node) => isField(node));
  return [
    ...(drawings > 0 ? [`It has ${counted(drawings, "drawing")} made by JavaScript, which cannot be imported.`] : []),
    ...(frames > 0 ? [`It has ${counted(frames, "frame or player", "frames or players")} without a web address.`] : []),
    ...(fields > 0 ? [`It has ${counted(fields, "form field")}, which cannot be imported.`] : []),
  ];
}

const isField = (node: Element): boolean =>
  (node.tagName === "input" && /^(?:text|email|number|date|tel|url|file)$/.test(property(node, "type") || "text")) ||
  (node.tagName === "textarea" && lineIn(node) === "");

const counted = (count: number, one: string, several = `${one}s`): string => `${count} ${count === 1 ? one : several}`;
