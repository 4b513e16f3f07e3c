// The body of a GraphQL request in tests: JSON, or a multipart request if the variables contain files.
import type { Variables } from "#src/graph/run/execute.ts";

/** The `fetch` options of an operation. */
export function requestBody(
  query: string,
  variables: Variables,
): { body: string | FormData; headers: Record<string, string> } {
  const files = new Map<string, File>();
  const json = JSON.stringify({ query, variables: withoutFiles(variables, "variables", files) });
  if (files.size === 0) return { body: json, headers: { "content-type": "application/json" } };
  const form = new FormData();
  form.set("operations", json);
  form.set("map", JSON.stringify(Object.fromEntries([...files.keys()].map((path, index) => [index, [path]]))));
  for (const [index, file] of [...files.values()].entries()) form.set(String(index), file);
  return { body: form, headers: {} };
}

/** Whether the variables contain a file. */
export function hasFile(variables: Variables): boolean {
  const files = new Map<string, File>();
  withoutFiles(variables, "variables", files);
  return files.size > 0;
}

/** The value with null in place of each file, which is recorded by its path. */
function withoutFiles(value: unknown, path: string, files: Map<string, File>): unknown {
  if (value instanceof File) {
    files.set(path, value);
    return null;
  }
  if (Array.isArray(value)) return value.map((item, index) => withoutFiles(item, `${path}.${index}`, files));
  if (typeof value !== "object" || value === null || value instanceof Date) return value;
  const entries = Object.entries(value).map(([name, inner]) => [name, withoutFiles(inner, `${path}.${name}`, files)]);
  return Object.fromEntries(entries);
}
