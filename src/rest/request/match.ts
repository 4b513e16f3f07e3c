// Matches the method and path of a request to its route, on find-my-way's radix tree.
import createRouter, { type HTTPMethod } from "find-my-way";
import { DomainError } from "#src/base/errors.ts";
import { percentDecoded } from "#src/base/url-text.ts";
import { mustBeDecodable } from "#src/rest/request/values.ts";

/** The decoded path parameters of a request. */
export type PathParameters = Readonly<Record<string, string | undefined>>;

interface Match<Target> {
  readonly target: Target;
  readonly parameters: PathParameters;
}

/** Finds the target of a request, or the methods that its path supports; null if no route has the path. */
export interface Matcher<Target> {
  /** Throws INVALID_INPUT for a path whose percent escapes cannot be decoded. */
  match(method: string, path: string): Match<Target> | { readonly allow: readonly string[] } | null;
}

/** Longest path parameter in characters; a longer one is not found. */
const parameterLimit = 1000;

/** A parameter at the end of a path that takes the rest of it, with slashes: `{pagePath}`. */
const restOfPath = /\{(\w+Path)\}$/;

interface Stored<Target> {
  readonly target: Target;
  /** The name of the parameter that takes the rest of the path. */
  readonly rest: string | undefined;
}

/** Builds the tree. Paths are those of the contract, such as `/v1/spaces/{spaceId}`; HEAD is served like GET. */
export function createMatcher<Target>(
  rows: readonly { readonly method: HTTPMethod; readonly path: string; readonly target: Target }[],
): Matcher<Target> {
  const router = createRouter({ maxParamLength: parameterLimit, querystringParser: () => ({}) });
  for (const { method, path, target } of rows) {
    const rest = restOfPath.exec(path)?.[1];
    const pattern = path.replace(restOfPath, "*").replaceAll(/\{(\w+)\}/g, ":$1");
    router.on(method, pattern, () => {}, { target, rest } satisfies Stored<Target>);
  }
  const methods = [...new Set(rows.map(({ method }) => method))].toSorted();

  function find(method: HTTPMethod, path: string): Match<Target> | null {
    const found = router.find(method, path);
    if (!found) return null;
    for (const name in found.params) if (found.params[name] === "") return null; // "/spaces/" does not name a space
    const { target, rest } = found.store as Stored<Target>; // set above
    if (rest === undefined) return { target, parameters: found.params };
    const { "*": value, ...parameters } = found.params;
    return { target, parameters: { ...parameters, [rest]: value } };
  }

  return {
    match(method, path) {
      // A method unknown to Node is not an HTTPMethod, and is not found either.
      const match = find((method === "HEAD" ? "GET" : method) as HTTPMethod, path);
      if (match) return match;
      if (percentDecoded(path) === null) throw new DomainError("INVALID_INPUT", `The path ${mustBeDecodable}`);
      const allow = methods.filter((other) => find(other, path) !== null);
      if (allow.length === 0) return null;
      return { allow: allow.flatMap((other) => (other === "GET" ? ["GET", "HEAD"] : [other])) };
    },
  };
}
