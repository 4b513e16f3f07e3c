// Variables: those of the operation, read from the path, query and body of one request.
import { DomainError, type ErrorDetail } from "#src/base/errors.ts";
import { percentDecoded } from "#src/base/url-text.ts";
import type { Variables } from "#src/graph/run/execute.ts";
import type { JsonObject } from "#src/rest/request/body.ts";
import { mustBeDecodable, readFields, refusalOf } from "#src/rest/request/values.ts";
import type { Inputs } from "#src/rest/request/route-inputs.ts";
import type { PathParameters } from "#src/rest/request/match.ts";
import type { Parameter } from "#src/rest/request/parameters.ts";

/** Reads variables from the query string and body object. Throws INVALID_INPUT with a detail for each bad one. */
export type VariableReader = (path: PathParameters, search: string, body?: JsonObject) => Variables;

/** The reader of a route. Unknown query parameters are ignored, since caches add some ({@link unknownParametersOf}). */
export function variableReader({ parameters, properties, isBodyRequired }: Inputs): VariableReader {
  const inPath = parameters.filter(({ place }) => place === "path");
  const inQuery = parameters.filter(({ place }) => place === "query");
  return (path, search, body) => {
    const variables: Record<string, unknown> = {};
    const refused: ErrorDetail[] = [];
    for (const parameter of inPath)
      variables[parameter.variable] = readOne(parameter, path[parameter.name] ?? "", refused);
    const query = parseQuery(search);
    for (const parameter of inQuery) {
      const texts = query.get(parameter.name);
      if (texts) variables[parameter.variable] = readAll(parameter, texts, refused);
      else if (parameter.required) refused.push({ path: parameter.name, message: "must be given." });
    }
    const inBody = properties ? readFields(properties, body ?? {}, { pointer: "", refused }) : {};
    for (const [name, value] of Object.entries(inBody)) if (value !== undefined) variables[name] = value;
    if (refused.length > 0) throw refusalOf(refused);
    if (isBodyRequired && !body)
      throw new DomainError("INVALID_INPUT", "This operation needs a JSON object as its body.");
    return variables;
  };
}

/** Names the query parameters of a request that a route does not know, some of them where they are many. */
export type UnknownParameters = (search: string) => string[];

const mostNamed = 10;

/** Finds the unknown query parameters of a route. */
export function unknownParametersOf({ parameters }: Inputs): UnknownParameters {
  const known = new Set(parameters.filter(({ place }) => place === "query").map(({ name }) => name));
  return (search) => [...parseQuery(search).keys()].filter((name) => !known.has(name)).slice(0, mostNamed);
}

function readOne({ name, read }: Parameter, text: string, refused: ErrorDetail[]): unknown {
  const reading = read(text);
  if ("value" in reading) return reading.value;
  refused.push({ path: name, message: reading.refusal });
  return undefined;
}

function readAll(parameter: Parameter, texts: readonly string[], refused: ErrorDetail[]): unknown {
  if (parameter.isList) return texts.map((text) => readOne(parameter, text, refused));
  const [text = "", ...others] = texts;
  if (others.length === 0) return readOne(parameter, text, refused);
  refused.push({ path: parameter.name, message: "must be given only once." });
  return undefined;
}

const noQuery: ReadonlyMap<string, string[]> = new Map();

function parseQuery(search: string): ReadonlyMap<string, string[]> {
  if (search === "") return noQuery;
  const query = new Map<string, string[]>();
  for (const part of search.split("&")) {
    if (part === "") continue;
    const equals = part.indexOf("=");
    const name = decode(equals < 0 ? part : part.slice(0, equals));
    const text = equals < 0 ? "" : decode(part.slice(equals + 1), name);
    const texts = query.get(name);
    if (texts) texts.push(text);
    else query.set(name, [text]);
  }
  return query;
}

/** Decodes as forms do: a plus is a space. `name` is that of the parameter, when it is its value. */
function decode(text: string, name?: string): string {
  const decoded = percentDecoded(text.replaceAll("+", " "));
  if (decoded !== null) return decoded;
  if (name !== undefined) throw refusalOf([{ path: name, message: mustBeDecodable }]);
  throw new DomainError("INVALID_INPUT", `The query ${mustBeDecodable}`);
}
