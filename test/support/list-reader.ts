// Reads the rows of a list as a viewer.
import { expect } from "vitest";
import type { HttpClient } from "#test/support/client.ts";

interface Found {
  readonly node: Readonly<Record<string, { totalCount: number; nodes: Readonly<Record<string, string>>[] }>>;
}

/**
 * Reads a list below a node, such as `spaces(nested: false)` below `Organization` and its id: the ids of its rows in
 * order, or another text field. Checks that `totalCount` equals their number.
 */
export async function readList(
  client: HttpClient,
  [type, id]: readonly [type: string, id: string],
  list: string,
  field = "id",
): Promise<string[]> {
  const { node } = await client.query<Found>(
    `query ($id: ID!) { node(id: $id) { ... on ${type} { list: ${list} { totalCount nodes { ${field} } } } } }`,
    { id },
  );
  const rows = node["list"];
  if (!rows) throw new Error(`${type} has no list ${list}`);
  expect(rows.totalCount).toBe(rows.nodes.length);
  return rows.nodes.map((row) => row[field] ?? "");
}
