// Bodies as they are sent, by their media types: the text that a page shows, and the parts that samples need.
import { isRecord } from "#src/base/json.ts";
import { entriesOf, type Lookup } from "#src/features/openapi/model/lookup.ts";
import { type Direction, exampleOf, exampleOfSchema, jsonOf } from "#src/features/openapi/model/pages/example.ts";
import { textOf } from "#src/features/openapi/model/pages/markdown.ts";
import { bodyFormOf, fileNameOf, sentType } from "#src/features/openapi/model/pages/media-types.ts";
import { pairsOf, type QueryPair, scalarText, styleOf } from "#src/features/openapi/model/pages/serialize.ts";
import { isBinary, isObject, shapeOf } from "#src/features/openapi/model/pages/shape.ts";
import { xmlOf } from "#src/features/openapi/model/pages/xml.ts";
import type { MediaType } from "#src/features/openapi/model/spec-document.ts";

/** A part of a multipart body: a field, or a file. */
export interface Part {
  readonly name: string;
  /** Null for plain text. */
  readonly type: string | null;
  readonly content: { readonly text: string } | { readonly file: string };
}

export type Body = { readonly type: string } & (
  | { readonly form: "json" | "text"; readonly text: string; readonly language: string }
  | { readonly form: "pairs"; readonly pairs: readonly QueryPair[] }
  | { readonly form: "parts"; readonly parts: readonly Part[] }
  | { readonly form: "file"; readonly file: string }
);

type Written = { readonly mediaType: string; readonly media: MediaType; readonly direction: Direction };

/** The body of a media type with an example; null if none is known. */
export function bodyOf(lookup: Lookup, written: Written): Body | null {
  const { media, direction, mediaType } = written;
  const sequence = media.itemSchema === undefined ? undefined : exampleOfSchema(lookup, media.itemSchema, direction);
  const given = exampleOf(lookup, media, direction);
  const body = bodyWith(lookup, written, given ?? (sequence === undefined ? undefined : [sequence]));
  return body ?? (bodyFormOf(mediaType) === "binary" ? fileBody(mediaType) : null);
}

const fileBody = (mediaType: string): Body => {
  const type = sentType(mediaType);
  return { form: "file", type, file: fileNameOf("file", type) };
};

/** The body of a media type with this value. */
export function bodyWith(lookup: Lookup, { mediaType, media, direction }: Written, value: unknown): Body | null {
  const type = sentType(mediaType);
  const form = bodyFormOf(mediaType);
  const { keywords } = lookup.schema(media.schema);
  if (value === undefined && form !== "multipart") return isBinary(keywords) ? fileBody(mediaType) : null;
  switch (form) {
    case "json":
      return jsonBody(type, value, keywords["type"] === "string");
    case "form":
      if (isObject(value)) return { form: "pairs", type, pairs: pairsIn(value, media) };
      break;
    case "multipart": {
      const parts = partsIn(lookup, { value, media, direction });
      return parts.length > 0 ? { form: "parts", type, parts } : null;
    }
    case "xml":
      if (typeof value !== "string") return textBody(type, xmlOf(lookup, value, media.schema), "xml");
      break;
    case "lines":
      if (typeof value !== "string") return textBody(type, linesOf(value), "json");
      break;
    case "events":
      if (typeof value !== "string") return textBody(type, eventsOf(value));
      break;
    case "yaml":
      if (typeof value !== "string") return textBody(type, scalarOrJson(value), "yaml"); // JSON is YAML;
      break;
    case "binary":
      return fileBody(mediaType);
    case "text":
      break;
    case "other":
      if (typeof value !== "string") return jsonBody(type, value, false);
  }
  return textBody(type, scalarOrJson(value), form === "lines" ? "json" : /^(?:xml|yaml)$/.test(form) ? form : "");
}

const scalarOrJson = (value: unknown): string =>
  typeof value === "string" ? value : typeof value === "object" ? (jsonOf(value) ?? "") : scalarText(value);

function textBody(type: string, text: string, language = ""): Body | null {
  const shown = textOf(text).trimEnd();
  return shown === "" || shown.length > 20_000 ? null : { form: "text", type, text: shown, language };
}

/** JSON that is given as a text is shown as it is. */
function jsonBody(type: string, value: unknown, isText: boolean): Body | null {
  if (typeof value === "string" && !isText && /^\s*[[{]/.test(value) && isJsonText(value))
    return textBody(type, value, "json");
  const text = jsonOf(value);
  return text === null ? null : { form: "json", type, text, language: "json" };
}

function isJsonText(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const linesOf = (value: unknown): string =>
  (Array.isArray(value) ? value : [value]).map((one) => jsonOf(one, { space: 0 }) ?? "").join("\n");

const eventFields = ["event", "id", "retry", "data"];

/** Server-sent events: objects with the fields of events, or their data. */
function eventsOf(value: unknown): string {
  const events = (Array.isArray(value) ? value : [value]).map((one: unknown) => {
    const isEvent = isObject(one) && Object.keys(one).every((name) => eventFields.includes(name));
    const fields = entriesOf(isEvent ? one : { data: one });
    return fields.flatMap(([name, field]) =>
      (typeof field === "object" ? (jsonOf(field, { space: 0 }) ?? "") : scalarText(field))
        .split("\n")
        .map((line) => `${name}: ${line}`),
    );
  });
  return events.map((fields) => `${fields.join("\n")}\n`).join("\n");
}

const encodingOf = ({ encoding }: MediaType, name: string): Record<string, unknown> => {
  const own = isRecord(encoding) && Object.hasOwn(encoding, name) ? encoding[name] : undefined;
  return isRecord(own) ? own : {};
};

/** The pairs of a form: lists are repeated, and objects are JSON, unless the encoding has a style. */
function pairsIn(value: object, media: MediaType): QueryPair[] {
  return Object.entries(value).flatMap(([name, one]: [string, unknown]) => {
    const encoding = encodingOf(media, name);
    const hasStyle = ["style", "explode", "allowReserved"].some((key) => key in encoding);
    return pairsOf(name, isObject(one) && !hasStyle ? scalarText(one) : one, styleOf(encoding, "form"));
  });
}

interface PartsOf {
  readonly value: unknown;
  readonly media: MediaType;
  readonly direction: Direction;
}

function partsIn(lookup: Lookup, { value, media, direction }: PartsOf): Part[] {
  const { properties } = shapeOf(lookup, lookup.schema(media.schema).keywords);
  const given = isObject(value) ? value : {};
  const hidden = direction === "request" ? "readOnly" : "writeOnly";
  const names = new Set([...properties.keys(), ...Object.keys(given)]);
  return [...names].slice(0, 100).flatMap((name): Part[] => {
    const { keywords } = lookup.schema(properties.get(name));
    if (keywords[hidden] === true) return [];
    const { contentType } = encodingOf(media, name);
    const type = typeof contentType === "string" ? sentType(contentType) : null;
    const own = Object.hasOwn(given, name) ? given[name] : undefined;
    const items = lookup.schema(keywords["items"]).keywords;
    const isFile = isBinary(keywords) || isBinary(items) || (type !== null && bodyFormOf(type) === "binary");
    if (isFile) return [{ name, type: fileType(type, keywords, items), content: { file: fileIn(name, type, own) } }];
    return (Array.isArray(own) ? own : [own]).flatMap((one: unknown) => fieldOf(name, one, type));
  });
}

function fileType(type: string | null, ...keywords: Record<string, unknown>[]): string {
  const own = keywords.map(({ contentMediaType }) => contentMediaType).find((one) => typeof one === "string");
  return type ?? (typeof own === "string" ? sentType(own) : "application/octet-stream");
}

/** The name of a file: the example, if it looks like one. */
function fileIn(name: string, type: string | null, example: unknown): string {
  const [first] = Array.isArray(example) ? (example as unknown[]) : [example];
  return typeof first === "string" && /^[\w-][\w .-]{0,60}\.\w{1,5}$/.test(first)
    ? first
    : fileNameOf(name, type ?? "application/octet-stream");
}

function fieldOf(name: string, value: unknown, type: string | null): Part[] {
  if (value === undefined) return [];
  const preset = typeof value === "object" && value !== null && isObject(value) ? "application/json" : null;
  return [{ name, type: type ?? preset, content: { text: scalarText(value) } }];
}

const boundary = "boundary";

/** A body as a text, with the language of its syntax; null for files. */
export function shownBody(body: Body): { readonly text: string; readonly language: string } | null {
  switch (body.form) {
    case "pairs":
      return { text: body.pairs.map(({ encoded }) => encoded).join("&"), language: "" };
    case "parts":
      return { text: [...body.parts.flatMap(partText), `--${boundary}--`].join("\n"), language: "http" };
    case "file":
      return null;
    default:
      return body;
  }
}

const quotedName = (name: string): string => `"${name.replaceAll(/[\r\n"]/g, (one) => encodeURIComponent(one))}"`;

function partText({ name, type, content }: Part): string[] {
  const file = "file" in content ? `; filename=${quotedName(content.file)}` : "";
  return [
    `--${boundary}`,
    `Content-Disposition: form-data; name=${quotedName(name)}${file}`,
    ...(type === null ? [] : [`Content-Type: ${type}`]),
    "",
    "text" in content ? content.text : `(the bytes of ${content.file})`,
  ];
}

/** The media type that samples send: JSON if the operation takes it, else the first. */
export function preferredType(content: unknown): [string, MediaType] | null {
  const types = entriesOf(content) as [string, MediaType][];
  return types.find(([name]) => bodyFormOf(name) === "json") ?? types[0] ?? null;
}
