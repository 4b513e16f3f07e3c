// Normalizes the responses of all systems, so that the run can check that all return the same before it measures
// them.

const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/;
const enumFields = new Set(["status", "visibility", "editMode"]);
/** Values that may differ: cursors, and links with the server's address. */
const ownForm = new Set(["endCursor", "next", "urls"]);

/** The comparable text of a response. Rivals have no permissions; `without` omits such fields. */
export function comparable(answer: unknown, without: readonly string[] = []): string {
  return JSON.stringify(normalise(answer, new Set([...without, ...ownForm])));
}

function normalise(value: unknown, left: ReadonlySet<string>, field = ""): unknown {
  if (Array.isArray(value)) return value.map((item) => normalise(item, left));
  if (typeof value === "string") return plainText(value, field);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value);
  const [only] = entries;
  if (entries.length === 1 && only && ["nodes", "body", "totalCount", "data"].includes(only[0]))
    return normalise(only[1], left, only[0]);
  return Object.fromEntries(
    entries
      .filter(([name]) => !left.has(name))
      .flatMap(([name, inner]): [string, unknown][] =>
        name === "body" ? Object.entries(normalise(inner, left) as object) : [[name, normalise(inner, left, name)]],
      )
      .toSorted(([one], [other]) => (one < other ? -1 : 1)),
  );
}

function plainText(value: string, field: string): string {
  if (enumFields.has(field)) return value.toLowerCase().replaceAll("-", "_");
  return instant.test(value) ? new Date(value).toISOString() : value;
}
