// Reading PDFs in tests: requesting one, and its content as an independent reader sees it.
import { getDocumentProxy } from "unpdf";
import type { Client } from "#test/support/app.ts";

export interface Issued {
  readonly url: string;
  readonly expiresAt: string;
  readonly name: string;
  readonly size: number;
}

export const pdfDocument = /* GraphQL */ `
  query ($space: ID!, $page: ID, $only: Boolean) {
    space(id: $space) {
      pdf(pageId: $page, only: $only) {
        url
        expiresAt
        name
        size
      }
    }
  }
`;

/** The PDF of a space or a part of it, which must succeed. */
export async function pdfOf(as: Client, variables: { space: string; page?: string; only?: boolean }): Promise<Issued> {
  return (await as.query<{ space: { pdf: Issued } }>(pdfDocument, variables)).space.pdf;
}

/** The response body of a URL, which must succeed. */
export async function bytesAt(url: string): Promise<Uint8Array> {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`${url} answers ${answer.status}: ${await answer.text()}`);
  return answer.bytes();
}

/** A link on a sheet: a URL, or the number of the target sheet. */
type Link = string | number;

interface Outline {
  readonly title: string;
  readonly items: readonly Outline[];
}

/** The reader's view of a PDF. */
export interface Read {
  /** The text of each sheet, without header and footer. */
  readonly sheets: readonly string[];
  readonly links: readonly (readonly Link[])[];
  /** Titles, indented by two blanks per level. */
  readonly outline: readonly string[];
  readonly info: { readonly Title?: string };
  /** The right edges of texts, in points from the left. */
  readonly edges: readonly { readonly text: string; readonly right: number }[];
}

/** The range of a sheet's text, in points from below. */
const [foot, head] = [56, 790];

/** Reads a PDF with an independent reader. */
export async function readPdf(bytes: Uint8Array): Promise<Read> {
  const document = await getDocumentProxy(bytes);
  const sheets: string[] = [];
  const links: Link[][] = [];
  const edges: Read["edges"][number][] = [];
  for (let number = 1; number <= document.numPages; number++) {
    const page = await document.getPage(number);
    const { items } = await page.getTextContent();
    const text = items.flatMap((item) => {
      if (!("str" in item)) return [];
      const height: unknown = item.transform[5];
      edges.push({ text: item.str, right: Number(item.transform[4]) + item.width });
      const isInside = typeof height === "number" && height > foot && height < head;
      return isInside ? [item.str + (item.hasEOL ? "\n" : "")] : [];
    });
    sheets.push(text.join(""));
    const annotations: { url?: string; dest?: string }[] = await page.getAnnotations();
    links.push(await Promise.all(annotations.map(async ({ url, dest }) => url ?? sheetOf(document, dest))));
  }
  const outline = flat((await document.getOutline()) ?? []);
  const { info } = await document.getMetadata();
  return { sheets, links, outline, info, edges };
}

type Proxy = Awaited<ReturnType<typeof getDocumentProxy>>;

async function sheetOf(document: Proxy, dest: string | undefined): Promise<number> {
  const place = await document.getDestination(dest ?? "");
  if (!place) throw new Error(`A link leads to ${dest}, which is not there.`);
  // The format of destinations.
  return 1 + (await document.getPageIndex(place[0] as Parameters<Proxy["getPageIndex"]>[0]));
}

const flat = (items: readonly Outline[], indent = ""): string[] =>
  items.flatMap(({ title, items: below }) => [indent + title, ...flat(below, `${indent}  `)]);

/** A text without blanks, which PDFs drop at line ends. */
export const squeezed = (text: string): string => text.normalize("NFKC").replaceAll(/\s+/g, "");
