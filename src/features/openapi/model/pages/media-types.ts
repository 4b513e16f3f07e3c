// How bodies of a media type are written.

export type BodyForm =
  | "json"
  | "lines"
  | "events"
  | "form"
  | "multipart"
  | "xml"
  | "yaml"
  | "text"
  | "binary"
  | "other";

/** The type without parameters, in lower case; of several types the first. */
const essenceOf = (type: string): string => (type.split(/[;,]/, 1)[0] ?? "").trim().toLowerCase();

const lines = /^(?:x-)?(?:ndjson|jsonl|jsonlines|json-lines|ldjson)$|(?:^|\+)json-seq$|^stream\+json$/;
const texts = /^(?:graphql|javascript|ecmascript|sql|toml|csv|x-sh|x-toml|x-csv|jwt|jose|sparql-query|http)$/;
const archives =
  /^(?:octet-stream|pdf|zip|gzip|x-.*(?:tar|zip|compressed)|vnd\.(?:openxmlformats|ms-|oasis).*|.*protobuf|.*msgpack|cbor)$/;

/** `other` types are not known: their values decide. */
export function bodyFormOf(mediaType: string): BodyForm {
  const essence = essenceOf(mediaType);
  const [type = "", subtype = ""] = essence.split("/", 2);
  if (essence === "" || type === "*" || essence === "application/*") return "json";
  if (lines.test(subtype)) return "lines";
  if (/(?:^|\+|-)json$/.test(subtype)) return "json";
  if (/(?:^|\+)xml(?:-|$)/.test(subtype)) return "xml";
  if (/(?:^|\+|-|\.)ya?ml$/.test(subtype)) return "yaml";
  if (subtype === "x-www-form-urlencoded") return "form";
  if (type === "multipart") return "multipart";
  if (essence === "text/event-stream") return "events";
  if (type === "text" || texts.test(subtype)) return "text";
  return archives.test(subtype) || /^(?:image|audio|video|font|model)$/.test(type) ? "binary" : "other";
}

const concrete: Readonly<Record<string, string>> = {
  "*/*": "application/json",
  "application/*": "application/json",
  "text/*": "text/plain",
  "image/*": "image/png",
  "audio/*": "audio/mpeg",
  "video/*": "video/mp4",
  "font/*": "font/woff2",
};

/** The type as a sender names it: one type, without wildcards. */
export function sentType(mediaType: string): string {
  const essence = essenceOf(mediaType);
  if (Object.hasOwn(concrete, essence)) return concrete[essence] ?? essence;
  return (mediaType.split(",", 1)[0] ?? "").trim();
}

const endings: Readonly<Record<string, string>> = {
  jpeg: "jpg",
  plain: "txt",
  mpeg: "mp3",
  "svg+xml": "svg",
  "octet-stream": "bin",
  "x-tar": "tar",
  gzip: "gz",
};

/** A name for a file of a type, such as `photo.png`. */
export function fileNameOf(name: string, mediaType: string): string {
  const [, subtype = ""] = essenceOf(sentType(mediaType)).split("/", 2);
  const ending = Object.hasOwn(endings, subtype) ? endings[subtype] : subtype;
  const start = name.replaceAll(/[^\w-]+/g, "-").replaceAll(/^-+|-+$/g, "") || "file";
  return `${start}.${ending !== undefined && /^[a-z0-9]{1,5}$/.test(ending) ? ending : "bin"}`;
}
