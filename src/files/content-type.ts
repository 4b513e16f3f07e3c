// Detects the type of a file by its first bytes, and by its name if they do not suffice; never by the client's type.
import { isUtf8 } from "node:buffer";

/** A content type, and bytes that every such file has at certain offsets. */
type Signature = readonly [contentType: string, ...places: readonly (readonly [at: number, bytes: string])[]];

/** Bytes are written as Latin-1. */
const signatures: readonly Signature[] = [
  ["image/png", [0, "\x89PNG\r\n\x1a\n"]],
  ["image/jpeg", [0, "\xff\xd8\xff"]],
  ["image/gif", [0, "GIF87a"]],
  ["image/gif", [0, "GIF89a"]],
  ["image/webp", [0, "RIFF"], [8, "WEBP"]],
  ["image/avif", [4, "ftypavif"]],
  ["image/avif", [4, "ftypavis"]],
  ["image/heic", [4, "ftyphei"]],
  ["image/tiff", [0, "II*\0"]],
  ["image/tiff", [0, "MM\0*"]],
  ["image/x-icon", [0, "\0\0\x01\0"]],
  ["application/pdf", [0, "%PDF-"]],
  ["application/zip", [0, "PK\x03\x04"]],
  ["application/zip", [0, "PK\x05\x06"]],
  ["application/gzip", [0, "\x1f\x8b\x08"]],
  ["application/x-7z-compressed", [0, "7z\xbc\xaf\x27\x1c"]],
  ["application/x-tar", [257, "ustar"]],
  ["video/quicktime", [4, "ftypqt  "]],
  ["audio/mp4", [4, "ftypM4A "]],
  ["video/mp4", [4, "ftyp"]],
  ["video/webm", [0, "\x1a\x45\xdf\xa3"]],
  ["audio/wav", [0, "RIFF"], [8, "WAVE"]],
  ["audio/ogg", [0, "OggS"]],
  ["audio/flac", [0, "fLaC"]],
  ["audio/mpeg", [0, "ID3"]],
  ["font/woff", [0, "wOFF"]],
  ["font/woff2", [0, "wOF2"]],
  ["font/otf", [0, "OTTO\0"]],
  ["font/ttf", [0, "\0\x01\0\0\0"]],
];

/** Signatures so short that a text may begin with them, too. */
const weakSignatures: readonly Signature[] = [
  ["image/bmp", [0, "BM"]],
  ["audio/mpeg", [0, "\xff\xfb"]],
  ["audio/mpeg", [0, "\xff\xf3"]],
];

/** Types of archives by the end of the name. */
const containers: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "application/zip": {
    docx: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    pptx: "application/vnd.openxmlformats-officedocument.presentationml.presentation",
    odt: "application/vnd.oasis.opendocument.text",
    ods: "application/vnd.oasis.opendocument.spreadsheet",
    odp: "application/vnd.oasis.opendocument.presentation",
    epub: "application/epub+zip",
  },
  "video/webm": { mkv: "video/x-matroska" },
};

/** Types of texts by the end of the name. */
const texts: Readonly<Record<string, string>> = {
  md: "text/markdown",
  markdown: "text/markdown",
  csv: "text/csv",
  tsv: "text/tab-separated-values",
  htm: "text/html",
  html: "text/html",
  css: "text/css",
  js: "text/javascript",
  mjs: "text/javascript",
  json: "application/json",
  yaml: "application/yaml",
  yml: "application/yaml",
  xml: "application/xml",
  ics: "text/calendar",
};

/** Whether a browser may display files of this type, since it never runs any of it: others are only downloaded. */
export const isRasterImage = (contentType: string): boolean =>
  /^image\/(png|jpeg|gif|webp|avif|bmp)$/.test(contentType);

/** The content type of a file by its first bytes, without parameters: `application/octet-stream` if unknown. */
export function contentTypeOf(head: Buffer, name: string): string {
  const ending = /\.([a-z0-9]+)$/.exec(name.toLowerCase())?.[1] ?? "";
  const signed = bySignature(head, signatures);
  if (signed) return ofEnding(containers[signed], ending) ?? signed;
  if (isText(head)) return isSvg(head) ? "image/svg+xml" : (ofEnding(texts, ending) ?? "text/plain");
  return bySignature(head, weakSignatures) ?? "application/octet-stream";
}

/** The value for the end of a name, which may be any text. */
function ofEnding(table: Readonly<Record<string, string>> | undefined, ending: string): string | undefined {
  return table && Object.hasOwn(table, ending) ? table[ending] : undefined;
}

function bySignature(head: Buffer, known: readonly Signature[]): string | undefined {
  const found = known.find(([, ...places]) =>
    places.every(([at, bytes]) => head.toString("latin1", at, at + bytes.length) === bytes),
  );
  return found?.[0];
}

/** How many bytes are checked to detect a text. */
const textSample = 4096;

/** Whether it is UTF-8 without control characters, except line breaks, tabs and form feeds. */
function isText(head: Buffer): boolean {
  const sample = head.subarray(0, textSample);
  // eslint-disable-next-line no-control-regex -- matches control characters
  if (/[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f\x7f]/.test(sample.toString("latin1"))) return false;
  // A sample shorter than the text may end inside a character, which has at most 4 bytes.
  const cuts = head.length > sample.length ? [0, 1, 2, 3] : [0];
  return cuts.some((cut) => isUtf8(sample.subarray(0, sample.length - cut)));
}

/** Whether the first element is `svg`, after a declaration, a document type and comments. */
function isSvg(head: Buffer): boolean {
  let text = head.toString("utf8", 0, textSample).replace(/^\uFEFF/, "");
  for (let rest = ""; rest !== text;) {
    rest = text;
    text = rest.trimStart().replace(/^<(\?[^>]*|!--[^]*?--|!DOCTYPE[^[>]*(\[[^\]]*\]\s*)?)>/i, "");
  }
  return /^<svg[\s/>]/.test(text);
}
