// Variables: those of the operation, read from the path, query and body of one request.
import { DomainError, type ErrorDetail } from "#src/base/errors.ts";
import type { Variables } from "#src/graph/execute.ts";
import { type JsonObject, readProperties } from "#src/rest/body.ts";
import type { PathParameters } from "#src/rest/match.ts";
import type { Inputs, Parameter } from "#src/rest/parameters.ts";
import { refusalOf } from "#src/rest/readings.ts";

/**
 * Reads variables. `search` is what follows the question mark, `body` the JSON object of the request, undefined when it has none.
 * Throws INVALID_INPUT with a detail for each parameter and property that is refused.
 */
export type VariableReader = (path: PathParameters, search: string, body?: JsonObject) => Variables;

/** The reader of a route. Query parameters that it does not know are ignored: clients and caches add their own. Properties are not. */
export function variableReader({ parameters, properties, isBodyRequired }: Inputs): VariableReader {
  const inPath = parameters.filter(({ place }) => place === "path");
  const inQuery = parameters.filter(({ place }) => place === "query");
  return (path, search, body) => {
    const variables: Record<string, unknown> = {};
    const refused: ErrorDetail[] = [];
    const take = (parameter: Parameter, text: string): unknown => {
      const reading = parameter.read(text);
      if ("value" in reading) return reading.value;
      refused.push({ path: parameter.name, message: reading.refusal });
      return undefined;
    };
    for (const parameter of inPath) variables[parameter.variable] = take(parameter, path[parameter.name] ?? "");
    const query = parseQuery(search);
    for (const parameter of inQuery) {
      const texts = query.get(parameter.name);
      if (!texts) {
        if (parameter.required) refused.push({ path: parameter.name, message: "must be given." });
      } else if (parameter.isList) {
        variables[parameter.variable] = texts.map((text) => take(parameter, text));
      } else if (texts.length > 1) {
        refused.push({ path: parameter.name, message: "must be given once." });
      } else {
        variables[parameter.variable] = take(parameter, texts[0] ?? "");
      }
    }
    if (properties) readProperties(properties, body, { variables, refused });
    if (refused.length > 0) throw refusalOf(refused);
    if (isBodyRequired && !body) throw new DomainError("INVALID_INPUT", "A JSON object is needed as the body.");
    return variables;
  };
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

/** Decodes as forms do: a plus is a space. Throws INVALID_INPUT for a percent escape that is none. */
function decode(text: string, name?: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    const message = "holds a percent escape that is none.";
    throw name === undefined
      ? new DomainError("INVALID_INPUT", `The query ${message}`)
      : refusalOf([{ path: name, message }]);
  }
}
