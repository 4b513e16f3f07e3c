// Rewrites links in texts for visitors: references to parts of the site become addresses there.
import type { RichDocument, RichNode } from "#src/documents/document.ts";
import { addressOf, readReference } from "#src/documents/references.ts";
import { linksIn } from "#src/features/links/model/text-links.ts";

/** The replacement of an address in a text: another one; null removes its link; undefined keeps it. */
export type Relink = (address: string) => string | null | undefined;

export const addressesIn = (markdown: string): string[] => linksIn(markdown).map(({ address }) => address);

/** A removed link `[text](address)` leaves its text; a link defined elsewhere or in HTML points to its page. */
export function relinkText(markdown: string, relink: Relink): string {
  const edits = linksIn(markdown).flatMap(({ address, start, end, whole }) => {
    const to = relink(address);
    if (to === undefined) return [];
    if (to !== null) return [{ start, end, text: inMarkdown(to) }];
    if (!whole) return [{ start, end, text: "#" }];
    return [
      { start: whole.start, end: whole.text.start, text: "" },
      { start: whole.text.end, end: whole.end, text: "" },
    ];
  });
  const parts: string[] = [];
  let done = 0;
  for (const { start, end, text } of edits.toSorted((one, other) => one.start - other.start)) {
    if (start < done) continue;
    parts.push(markdown.slice(done, start), text);
    done = end;
  }
  return [...parts, markdown.slice(done)].join("");
}

/** Escapes characters that would end an address. */
const inMarkdown = (address: string): string =>
  address.replaceAll(/[\s()<>"'\\]/g, (character) =>
    character === "'" || character === "(" || character === ")"
      ? `%${character.charCodeAt(0).toString(16)}`
      : encodeURIComponent(character),
  );

export const addressesOf = ({ nodes }: { readonly nodes: readonly RichNode[] }): string[] =>
  nodes.flatMap((node) => (node.object === "text" ? [] : [...(addressIn(node) ?? []), ...addressesOf(node)]));

/** A document with replaced references. A removed link leaves its content; another node loses its reference. */
export const relinkDocument = (document: RichDocument, relink: Relink): RichDocument => ({
  ...document,
  nodes: relinkNodes(document.nodes, relink),
});

function relinkNodes<Node extends RichNode>(nodes: readonly Node[], relink: Relink): Node[] {
  return nodes.flatMap((node): Node[] => {
    if (node.object === "text") return [node];
    const inside = relinkNodes(node.nodes, relink);
    const [address] = addressIn(node) ?? [];
    const to = address === undefined ? undefined : relink(address);
    if (to === undefined) return [{ ...node, nodes: inside }];
    const isAround = node.object === "inline" && !node.isVoid;
    if (to === null && isAround) return inside as Node[]; // inline content has inline nodes
    const { ref: _before, ...data } = node.data;
    return [{ ...node, data: to === null ? data : { ...data, ref: { kind: "url", url: to } }, nodes: inside }];
  });
}

function addressIn({ data }: Exclude<RichNode, { object: "text" }>): [string] | null {
  const reference = data["ref"] === undefined ? null : readReference(data["ref"]);
  return reference && !("message" in reference) ? [addressOf(reference)] : null;
}
