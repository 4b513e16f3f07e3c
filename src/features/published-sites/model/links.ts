// Links of texts that visitors read: what they lead to of the site becomes an address there.
import type { RichDocument, RichNode } from "#src/documents/document.ts";
import { addressOf, readReference } from "#src/documents/references.ts";
import { linksIn } from "#src/features/links/model/text-links.ts";

/** What becomes of an address in a text: another one; null where its link goes; undefined where it stays. */
export type Relink = (address: string) => string | null | undefined;

export const addressesIn = (markdown: string): string[] => linksIn(markdown).map(({ address }) => address);

/** If the link of `[text](address)` goes, its text stays; a link defined elsewhere or in HTML leads to its own page. */
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

/** Without characters that would end an address. */
const inMarkdown = (address: string): string =>
  address.replaceAll(/[\s()<>"'\\]/g, (character) =>
    character === "'" || character === "(" || character === ")"
      ? `%${character.charCodeAt(0).toString(16)}`
      : encodeURIComponent(character),
  );

export const addressesOf = ({ nodes }: { readonly nodes: readonly RichNode[] }): string[] =>
  nodes.flatMap((node) => (node.object === "text" ? [] : [...(addressIn(node) ?? []), ...addressesOf(node)]));

/** A document with other references. Where a link goes, what is in it is left; another node loses its reference. */
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
    if (to === null && isAround) return inside as Node[]; // in flowing text are nodes that flow, too
    const { ref: _before, ...data } = node.data;
    return [{ ...node, data: to === null ? data : { ...data, ref: { kind: "url", url: to } }, nodes: inside }];
  });
}

function addressIn({ data }: Exclude<RichNode, { object: "text" }>): [string] | null {
  const reference = data["ref"] === undefined ? null : readReference(data["ref"]);
  return reference && !("message" in reference) ? [addressOf(reference)] : null;
}
