// Code samples that call an operation: curl, fetch and Python.
import { isRecord } from "#src/base/json.ts";
import { entriesOf, type Lookup } from "#src/features/openapi/model/lookup.ts";
import { codeBlock, lineOf, textOf } from "#src/features/openapi/model/pages/markdown.ts";
import { exampleOf, jsonOf } from "#src/features/openapi/model/pages/example.ts";
import type {
  Parameter,
  RequestBody,
  SecurityRequirement,
  SecurityScheme,
  SpecServer,
} from "#src/features/openapi/model/spec-document.ts";

export interface Called {
  readonly method: string;
  readonly path: string;
  readonly server: SpecServer | undefined;
  readonly parameters: readonly Parameter[];
  readonly body: RequestBody | null;
  readonly security: SecurityRequirement | undefined;
  readonly schemes: Readonly<Record<string, SecurityScheme>>;
}

interface Sample {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string | null;
}

const defaultServer = "https://api.example.com";

/** The address of a server, with the defaults of its variables. */
export function addressOf(server: SpecServer | undefined): string {
  const variables = new Map(entriesOf(server?.variables));
  const address = lineOf(server?.url).replaceAll(/\{([^{}]+)\}/g, (all, name: string) => {
    const variable = variables.get(name);
    return isRecord(variable) ? lineOf(variable["default"]) || all : all;
  });
  const absolute = /^https?:\/\//i.test(address)
    ? address
    : `${defaultServer}${address.startsWith("/") ? address : ""}`;
  return absolute.replace(/\/+$/, "");
}

/** A value for an address or header; empty for objects. */
function written(value: unknown): string {
  if (Array.isArray(value)) return value.map(written).join(",");
  if (typeof value === "string") return lineOf(value).slice(0, 200).toWellFormed();
  return typeof value === "number" || typeof value === "boolean" ? String(value) : "";
}

function sampleOf(lookup: Lookup, called: Called): Sample {
  const values = called.parameters.map((parameter) => ({
    ...parameter,
    value: written(exampleOf(lookup, parameter, "request")),
  }));
  const path = called.path.replaceAll(/\{([^{}]+)\}/g, (all, name: string) => {
    const value = values.find((one) => one.in === "path" && one.name === name)?.value ?? "";
    return value === "" ? all : encodeURIComponent(value);
  });
  const needed = (place: Parameter["in"]) => values.filter((one) => one.in === place && one.required === true);
  const query = needed("query").map(
    ({ name, value }) => `${encodeURIComponent(lineOf(name))}=${encodeURIComponent(value)}`,
  );
  const keys = keysOf(called);
  const search = [...query, ...keys.query].join("&");
  const content = contentOf(lookup, called.body);
  return {
    method: called.method.toUpperCase(),
    url: `${addressOf(called.server)}${lineOf(path)}${search === "" ? "" : `?${search}`}`,
    headers: [
      ...keys.headers,
      ...needed("header").map(({ name, value }) => [lineOf(name), value] as const),
      ...(content ? [["Content-Type", content.type] as const] : []),
    ],
    body: content?.text ?? null,
  };
}

/** The credentials of the first alternative to authorize. */
function keysOf({ security = {}, schemes }: Called) {
  const headers: [string, string][] = [];
  const query: string[] = [];
  for (const name of Object.keys(security)) {
    const scheme = Object.hasOwn(schemes, name) ? schemes[name] : undefined;
    if (scheme?.type === "apiKey") {
      const key = lineOf(scheme.name);
      if (scheme.in === "query") query.push(`${encodeURIComponent(key)}=YOUR_API_KEY`);
      else headers.push(scheme.in === "cookie" ? ["Cookie", `${key}=YOUR_API_KEY`] : [key, "YOUR_API_KEY"]);
    } else if (scheme?.type === "http" && lineOf(scheme.scheme).toLowerCase() === "basic")
      headers.push(["Authorization", "Basic YOUR_CREDENTIALS"]);
    else if (scheme && scheme.type !== "mutualTLS") headers.push(["Authorization", "Bearer YOUR_TOKEN"]);
  }
  return { headers, query };
}

/** The body to send: JSON if the operation takes it, else an example that is a text. */
function contentOf(lookup: Lookup, body: RequestBody | null): { type: string; text: string } | null {
  const types = entriesOf(body?.content);
  const [type, media] = types.find(([name]) => isJson(name)) ?? types[0] ?? [];
  if (type === undefined) return null;
  const example = exampleOf(lookup, isRecord(media) ? media : {}, "request");
  const text = isJson(type) ? jsonOf(example, { limit: 5_000 }) : typeof example === "string" ? textOf(example) : null;
  return text === null ? null : { type: lineOf(type), text };
}

export const isJson = (type: string): boolean =>
  /^(?:application|text)\/(?:[\w.-]+\+)?json\b/i.test(type) || type === "*/*";

const shellQuoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** A string literal of JavaScript and Python. */
const quoted = (text: string): string => JSON.stringify(text);

function curl({ method, url, headers, body }: Sample): string {
  const lines = [
    `curl ${method === "GET" ? "" : `-X ${method} `}${shellQuoted(url)}`,
    ...headers.map(([name, value]) => `-H ${shellQuoted(`${name}: ${value}`)}`),
    ...(body === null ? [] : [`-d ${shellQuoted(body)}`]),
  ];
  return lines.join(" \\\n  ");
}

/** Not in the template, where the architecture test would take it for a request. */
const caller = "fetch";

function javascript({ method, url, headers, body }: Sample): string {
  const shown = headers.map(([name, value]) => `    ${quoted(name)}: ${quoted(value)},`);
  return [
    `const response = await ${caller}(${quoted(url)}, {`,
    `  method: ${quoted(method)},`,
    ...(shown.length > 0 ? ["  headers: {", ...shown, "  },"] : []),
    ...(body === null ? [] : [`  body: ${isJsonSent(headers) ? `JSON.stringify(${inner(body)})` : quoted(body)},`]),
    "});",
  ].join("\n");
}

const isJsonSent = (headers: Sample["headers"]): boolean =>
  headers.some(([name, value]) => name === "Content-Type" && isJson(value));

const inner = (text: string): string => text.replaceAll("\n", "\n  ");

const pythonNames: Readonly<Record<string, string>> = { true: "True", false: "False", null: "None" };

/** JSON as Python writes it. */
const pythonOf = (json: string): string =>
  json
    .replaceAll(/"(?:[^"\\]|\\.)*"|\b(?:true|false|null)\b/g, (token) => pythonNames[token] ?? token)
    .replaceAll("\n", "\n    ");

function python({ method, url, headers, body }: Sample): string {
  const shown = headers.map(([name, value]) => `        ${quoted(name)}: ${quoted(value)},`);
  return [
    "import requests",
    "",
    "response = requests.request(",
    `    ${quoted(method)},`,
    `    ${quoted(url)},`,
    ...(shown.length > 0 ? ["    headers={", ...shown, "    },"] : []),
    ...(body === null ? [] : [isJsonSent(headers) ? `    json=${pythonOf(body)},` : `    data=${quoted(body)},`]),
    ")",
  ].join("\n");
}

/** The samples of an operation as blocks of Markdown. */
export function samplesOf(lookup: Lookup, called: Called): string[] {
  const sample = sampleOf(lookup, called);
  return [codeBlock("sh", curl(sample)), codeBlock("js", javascript(sample)), codeBlock("python", python(sample))];
}
