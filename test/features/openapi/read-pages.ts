// Processes specifications in the thread of a test, and makes their pages, without a database.
import { withoutHtml } from "#src/documents/html/html-markdown.ts";
import { parseExact } from "#src/features/openapi/model/exact.ts";
import { type SpecPage, specPages } from "#src/features/openapi/model/pages/spec-pages.ts";
import { processSpec, type SpecFile } from "#src/features/openapi/model/process.ts";
import type { SpecDocument } from "#src/features/openapi/model/spec-document.ts";

/** What is before the paths and components of a document in OpenAPI 3.1. */
export const head = 'openapi: 3.1.0\ninfo: {title: T, version: "1"}\nservers: [{url: "https://api.test.dev"}]\n';

interface Read {
  readonly json: string;
  readonly filesystem: string;
  readonly warnings: readonly string[];
  /** The text of a page by its key, such as `models/Ship`. */
  readonly page: (key: string) => string;
  readonly keys: readonly string[];
}

/** Reads a specification in YAML, with further files by name; `source` is the address that it comes from. */
export function readPages(text: string, { files = {}, source = null }: Given = {}): Read {
  const all = Object.entries({ "openapi.yaml": text, ...files }).map(([name, content]) => fileOf(name, content));
  const [first, ...others] = all;
  if (!first) throw new Error("no file");
  const processed = processSpec({ files: [first, ...others], absent: new Map() });
  if (!("made" in processed)) throw new Error(JSON.stringify(processed));
  const { document, filesystem, warnings } = processed.made;
  const json = Buffer.from(document).toString();
  const options = { addressOf: (key: string) => `page:${key}`, room: { pages: 10_000, levels: 20 }, parses: true };
  const made = specPages(parseExact(json) as SpecDocument, { ...options, source, withoutHtml });
  const pages = new Map((made ? pagesIn(made) : []).map((page) => [page.key, page.text]));
  return {
    json,
    filesystem: Buffer.from(filesystem).toString(),
    warnings: warnings.map(({ message }) => message),
    page: (key) => pages.get(key) ?? `no page ${key} among ${[...pages.keys()].join(", ")}`,
    keys: [...pages.keys()],
  };
}

interface Given {
  readonly files?: Readonly<Record<string, string>>;
  readonly source?: string | null;
}

const pagesIn = (page: SpecPage): SpecPage[] => [page, ...page.pages.flatMap(pagesIn)];

function fileOf(name: string, content: string): SpecFile {
  const address = `archive:///${name}`;
  return { address, base: address, name, bytes: Buffer.from(content) };
}
