// Code samples that call an operation: curl, fetch and Python.
import { isRecord } from "#src/base/json.ts";
import { entriesOf, type Lookup, methodOf } from "#src/features/openapi/model/lookup.ts";
import { type Body, bodyOf, type Part, preferredType, shownBody } from "#src/features/openapi/model/pages/bodies.ts";
import { exampleOf, jsonOf } from "#src/features/openapi/model/pages/example.ts";
import { codeBlock, lineOf } from "#src/features/openapi/model/pages/markdown.ts";
import { bodyFormOf } from "#src/features/openapi/model/pages/media-types.ts";
import {
  inHeader,
  inPath,
  pairsOf,
  type QueryPair,
  scalarText,
  styleOf,
} from "#src/features/openapi/model/pages/serialize.ts";
import type {
  MediaType,
  Parameter,
  RequestBody,
  SecurityRequirement,
  SecurityScheme,
} from "#src/features/openapi/model/spec-document.ts";

export interface Called {
  readonly method: string;
  readonly path: string;
  /** The address of the server. */
  readonly server: string;
  readonly parameters: readonly Parameter[];
  readonly body: RequestBody | null;
  readonly security: SecurityRequirement | undefined;
  readonly schemes: Readonly<Record<string, SecurityScheme>>;
}

interface Sample {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Body | null;
  /** Whether the client has a certificate. */
  readonly hasCertificate: boolean;
}

/** In characters. Longer bodies are left out of the samples. */
const longestBody = 5_000;

type Valued = { readonly parameter: Parameter; readonly value: unknown };

function sampleOf(lookup: Lookup, called: Called): Sample {
  const values = called.parameters.map((parameter) => ({ parameter, value: valueOf(lookup, parameter) }));
  const path = called.path.replaceAll(/\{([^{}]+)\}/g, (all, name: string) => {
    const found = values.find(({ parameter }) => parameter.in === "path" && parameter.name === name);
    return found?.value === undefined ? all : inPath(name, found.value, styleOf(found.parameter, "simple")) || all;
  });
  const needed = (place: Parameter["in"]): Valued[] =>
    values.filter(({ parameter, value }) => parameter.in === place && parameter.required && value !== undefined);
  const pairs = (place: "query" | "cookie"): string[] =>
    needed(place).flatMap(({ parameter, value }) =>
      pairsOf(lineOf(parameter.name), value, styleOf(parameter, "form")).map(({ encoded }) => encoded),
    );
  const strings = needed("querystring").map(({ parameter }) => queryStringOf(lookup, parameter));
  const keys = keysOf(called);
  const search = [...pairs("query"), ...strings, ...keys.query].join("&");
  const preferred = preferredType(called.body?.content);
  const media = preferred && { mediaType: preferred[0], media: lookup.follow<MediaType>(preferred[1]) };
  const whole = media && bodyOf(lookup, { ...media, direction: "request" });
  const body = whole && "text" in whole && whole.text.length > longestBody ? null : whole;
  const cookies = [...pairs("cookie"), ...keys.cookies].join("; ");
  const given = needed("header").map(
    ({ parameter, value }) => [lineOf(parameter.name), inHeader(value, styleOf(parameter, "simple"))] as const,
  );
  return {
    method: methodOf(called),
    url: `${called.server}${lineOf(path)}${search === "" ? "" : `?${search}`}`,
    headers: headersOf([
      ...keys.headers,
      ...(cookies === "" ? [] : [["Cookie", cookies] as const]),
      ...(body && body.form !== "parts" ? [["Content-Type", lineOf(body.type)] as const] : []),
      ...given,
    ]),
    body,
    hasCertificate: keys.hasCertificate,
  };
}

/** Each header once: what a document says about `Content-Type` and `Authorization` as parameters is ignored. */
function headersOf(all: readonly (readonly [string, string])[]): readonly (readonly [string, string])[] {
  const names = all.map(([name]) => name.toLowerCase());
  return all.filter((_one, index) => names.indexOf(names[index] ?? "") === index);
}

/** The value of a parameter: as the text of its media type, if it has one. */
function valueOf(lookup: Lookup, parameter: Parameter): unknown {
  const [mediaType, media] = entriesOf(parameter.content)[0] ?? [];
  if (mediaType === undefined || parameter.schema !== undefined) return exampleOf(lookup, parameter, "request");
  const own = lookup.follow<MediaType>(isRecord(media) ? media : {});
  const example = parameter.example ?? exampleOf(lookup, own, "request");
  if (example !== undefined && typeof example !== "string") {
    if (bodyFormOf(mediaType) === "json") return jsonOf(example, { limit: longestBody, space: 0 }) ?? undefined;
    const body = bodyOf(lookup, { mediaType, media: { ...own, example }, direction: "request" });
    return (body && shownBody(body)?.text) ?? undefined;
  }
  return example;
}

/** A parameter that is the whole query (OpenAPI 3.2). */
function queryStringOf(lookup: Lookup, parameter: Parameter): string {
  const [mediaType = "", media] = entriesOf(parameter.content)[0] ?? [];
  const own = lookup.follow<MediaType>(isRecord(media) ? media : {});
  const body = bodyOf(lookup, { mediaType, media: own, direction: "request" });
  if (body?.form === "pairs") return body.pairs.map(({ encoded }) => encoded).join("&");
  return encodeURIComponent(scalarText(valueOf(lookup, parameter) ?? ""));
}

/** The credentials of the first alternative to authorize. */
function keysOf({ security = {}, schemes }: Called) {
  const headers: [string, string][] = [];
  const query: string[] = [];
  const cookies: string[] = [];
  let hasCertificate = false;
  for (const name of Object.keys(security)) {
    const scheme = Object.hasOwn(schemes, name) ? schemes[name] : undefined;
    if (scheme?.type === "apiKey") {
      const key = lineOf(scheme.name);
      if (scheme.in === "query") query.push(`${encodeURIComponent(key)}=YOUR_API_KEY`);
      else if (scheme.in === "cookie") cookies.push(`${key}=YOUR_API_KEY`);
      else headers.push([key, "YOUR_API_KEY"]);
    } else if (scheme?.type === "mutualTLS") hasCertificate = true;
    else if (scheme) headers.push(["Authorization", credentialsOf(scheme)]);
  }
  return { headers, query, cookies, hasCertificate };
}

function credentialsOf({ type, scheme }: SecurityScheme): string {
  const name = type === "http" ? lineOf(scheme) || "bearer" : "bearer";
  if (name.toLowerCase() === "bearer") return "Bearer YOUR_TOKEN";
  return `${name.toLowerCase() === "basic" ? "Basic" : name} YOUR_CREDENTIALS`;
}

const shellQuoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** A string literal of JavaScript and Python. */
const quoted = (text: string): string => JSON.stringify(text);

function curl({ method, url, headers, body, hasCertificate }: Sample): string {
  const verb = method === "GET" && body === null ? "" : method === "HEAD" ? "--head " : `-X ${method} `;
  const lines = [
    `curl ${verb}${shellQuoted(url)}`,
    ...(hasCertificate ? ["--cert client.pem --key client.key"] : []),
    ...headers.map(([name, value]) => `-H ${shellQuoted(`${name}: ${value}`)}`),
    ...(body === null ? [] : curlBody(body)),
  ];
  return lines.join(" \\\n  ");
}

function curlBody(body: Body): string[] {
  if (body.form === "parts") return body.parts.map(curlPart);
  if (body.form === "file") return [`--data-binary ${shellQuoted(`@${body.file}`)}`];
  const text = shownBody(body)?.text ?? "";
  return [`${text.startsWith("@") ? "--data-raw" : "-d"} ${shellQuoted(text)}`];
}

/** In values of `-F`, a semicolon begins a type, and `@` and `<` begin names of files. */
function curlPart({ name, type, content }: Part): string {
  if ("file" in content)
    return `-F ${shellQuoted(`${name}=@${content.file};type=${type ?? "application/octet-stream"}`)}`;
  const isSpecial = /^[@<"]|;/.test(content.text);
  if (type === null) return `${isSpecial ? "--form-string" : "-F"} ${shellQuoted(`${name}=${content.text}`)}`;
  const value = isSpecial ? `"${content.text.replaceAll(/[\\"]/g, String.raw`\$&`)}"` : content.text;
  return `-F ${shellQuoted(`${name}=${value};type=${type}`)}`;
}

/** Not in the template, where the architecture test would take it for a request. */
const caller = "fetch";

function javascript({ method, url, headers, body }: Sample): string {
  const shown = headers.map(([name, value]) => `    ${quoted(name)}: ${quoted(value)},`);
  return [
    ...(body?.form === "parts" ? ["const form = new FormData();", ...body.parts.map(javascriptPart), ""] : []),
    `const response = await ${caller}(${quoted(url)}, {`,
    `  method: ${quoted(method)},`,
    ...(shown.length > 0 ? ["  headers: {", ...shown, "  },"] : []),
    ...(body === null ? [] : [`  body: ${javascriptBody(body)},`]),
    "});",
  ].join("\n");
}

function javascriptBody(body: Body): string {
  switch (body.form) {
    case "json":
      return isExactIn(body.text, "js") ? `JSON.stringify(${inner(body.text)})` : quoted(body.text);
    case "pairs": {
      const isPlain = hasEachOnce(body.pairs);
      const pairs = body.pairs.map(({ name, value }) =>
        isPlain ? `    ${quoted(name)}: ${quoted(value)},\n` : `    [${quoted(name)}, ${quoted(value)}],\n`,
      );
      return `new URLSearchParams(${isPlain ? "{" : "["}\n${pairs.join("")}  ${isPlain ? "}" : "]"})`;
    }
    case "parts":
      return "form";
    case "file":
      return `new File([], ${quoted(body.file)}) /* the bytes of the file */`;
    case "text":
      return quoted(body.text);
  }
}

const hasEachOnce = (pairs: readonly QueryPair[]): boolean =>
  new Set(pairs.map(({ name }) => name)).size === pairs.length;

function javascriptPart({ name, type, content }: Part): string {
  if ("file" in content)
    return `form.append(${quoted(name)}, new File([], ${quoted(content.file)}, { type: ${quoted(type ?? "")} })); /* the bytes of the file */`;
  const value = type === null ? quoted(content.text) : `new Blob([${quoted(content.text)}], { type: ${quoted(type)} })`;
  return `form.append(${quoted(name)}, ${value});`;
}

const tokens = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g;

/** Whether a language reads all numbers of a JSON text as they are; integers of Python have any length. */
const isExactIn = (json: string, language: "js" | "python"): boolean =>
  (json.match(tokens) ?? []).every(
    (token) =>
      token.startsWith('"') ||
      (language === "python" && /^-?\d+$/.test(token)) ||
      String(Number(token)) === token ||
      (Number.isFinite(Number(token)) && Number(token) === Number(Number(token).toPrecision(15))),
  );

const inner = (text: string): string => text.replaceAll("\n", "\n  ");

const pythonNames: Readonly<Record<string, string>> = { true: "True", false: "False", null: "None" };

/** JSON as Python writes it. */
const pythonOf = (json: string): string =>
  json
    .replaceAll(/"(?:[^"\\]|\\.)*"|\b(?:true|false|null)\b/g, (token) => pythonNames[token] ?? token)
    .replaceAll("\n", "\n    ");

function python({ method, url, headers, body, hasCertificate }: Sample): string {
  const shown = headers.map(([name, value]) => `        ${quoted(name)}: ${quoted(value)},`);
  return [
    "import requests",
    "",
    "response = requests.request(",
    `    ${quoted(method)},`,
    `    ${quoted(url)},`,
    ...(shown.length > 0 ? ["    headers={", ...shown, "    },"] : []),
    ...(body === null ? [] : pythonBody(body)),
    ...(hasCertificate ? ['    cert=("client.pem", "client.key"),'] : []),
    ")",
  ].join("\n");
}

function pythonBody(body: Body): string[] {
  switch (body.form) {
    case "json":
      return [isExactIn(body.text, "python") ? `    json=${pythonOf(body.text)},` : `    data=${quoted(body.text)},`];
    case "pairs": {
      const isPlain = hasEachOnce(body.pairs);
      const pairs = body.pairs.map(({ name, value }) =>
        isPlain ? `${quoted(name)}: ${quoted(value)}` : `(${quoted(name)}, ${quoted(value)})`,
      );
      return [`    data=${isPlain ? `{${pairs.join(", ")}}` : `[${pairs.join(", ")}]`},`];
    }
    case "parts":
      return ["    files=[", ...body.parts.map((part) => `        ${pythonPart(part)},`), "    ],"];
    case "file":
      return [`    data=open(${quoted(body.file)}, "rb"),`];
    case "text":
      return [`    data=${quoted(body.text)}${isAscii(body.text) ? "" : ".encode()"},`];
  }
}

/** Python sends other texts in Latin-1. */
const isAscii = (text: string): boolean => !/[^\n -~]/.test(text);

function pythonPart({ name, type, content }: Part): string {
  const kind = type === null ? "" : `, ${quoted(type)}`;
  return "file" in content
    ? `(${quoted(name)}, (${quoted(content.file)}, open(${quoted(content.file)}, "rb")${kind}))`
    : `(${quoted(name)}, (None, ${quoted(content.text)}${kind}))`;
}

/** The samples of an operation as blocks of Markdown. */
export function samplesOf(lookup: Lookup, called: Called): string[] {
  const sample = sampleOf(lookup, called);
  return [codeBlock("sh", curl(sample)), codeBlock("js", javascript(sample)), codeBlock("python", python(sample))];
}
