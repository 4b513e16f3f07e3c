// Extracts the text, line breaks and images from HTML in texts.

/** A piece of HTML, in the order of the source. */
export type HtmlPart =
  | { readonly text: string }
  | { readonly isBreak: true }
  | { readonly image: { readonly address: string; readonly alt: string } };

const token =
  /<!--[^]*?(?:-->|$)|<(?<hidden>script|style|template)\b[^]*?(?:<\/\k<hidden>\s*>|$)|<\/?(?<tag>[a-z][a-z0-9]*)(?<attributes>[^<>]*)>|[^<]+|</gi;

const isBlock =
  /^(?:address|article|aside|blockquote|br|dd|details|div|dl|dt|fig\w+|footer|form|h[1-6]|header|hr|li|main|nav|ol|p|pre|section|summary|table|t[dhr]|ul|video)$/i;

const entities: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: "\u00a0",
  copy: "©",
};

/** The parts of HTML, which need not be well-formed. Takes linear time. */
export function htmlParts(source: string): HtmlPart[] {
  const parts: HtmlPart[] = [];
  for (const { 0: piece, groups = {} } of source.matchAll(token)) {
    const { tag, attributes = "", hidden } = groups;
    if (hidden !== undefined || piece.startsWith("<!--")) continue;
    if (tag === undefined) parts.push({ text: decoded(piece.replaceAll(/\s+/g, " ")) });
    else if (tag.toLowerCase() === "img") {
      const address = attribute(attributes, "src");
      if (address !== "") parts.push({ image: { address, alt: attribute(attributes, "alt") } });
    } else if (isBlock.test(tag)) parts.push({ isBreak: true });
  }
  return parts;
}

function attribute(attributes: string, name: string): string {
  const found = new RegExp(`(?:^|\\s)${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, "i").exec(attributes);
  return decoded(found?.[1] ?? found?.[2] ?? found?.[3] ?? "");
}

function decoded(text: string): string {
  return text.replaceAll(
    /&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{2,6}));/gi,
    (all, decimal?: string, hex?: string, name = "") => {
      if (decimal === undefined && hex === undefined) return entities[name] ?? all;
      const code = decimal === undefined ? Number.parseInt(hex ?? "", 16) : Number(decimal);
      return code <= 0x10ffff ? String.fromCodePoint(code) : all;
    },
  );
}
