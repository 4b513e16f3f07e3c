// Converts an HTML file of an import to Markdown by the reader of websites; links to other files become relative again.
import { folderOf } from "#src/features/imports/model/files.ts";
import { readPageOfSite } from "#src/features/imports/model/website/site-reader.ts";

/** An address for files without one. */
const origin = "http://import.invalid/";

export async function readHtml(
  path: string,
  html: string,
): Promise<{ readonly title: string; readonly text: string } | { readonly problem: string }> {
  const url = origin + path.split("/").map(encodeURIComponent).join("/");
  const read = await readPageOfSite({ html, url, start: origin });
  if ("problem" in read) return read;
  const { title, pieces, addresses } = read.page;
  const up = "../".repeat(folderOf(path) === "" ? 0 : path.split("/").length - 1);
  const parts = pieces.flatMap((piece, index) => [piece, relative(addresses[index]?.url ?? "", url, up)]);
  return { title, text: parts.join("") };
}

function relative(address: string, page: string, up: string): string {
  if (address.startsWith(`${page}#`)) return address.slice(page.length);
  const inside = address.startsWith(origin) ? up + address.slice(origin.length) : address;
  return inside.replaceAll(/[\s<>()]/g, (character) =>
    encodeURIComponent(character).replace("(", "%28").replace(")", "%29"),
  );
}
