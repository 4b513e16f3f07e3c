// Rows for the demo and for tests: collected table by table, and written by one statement, without the commands.
import type { IdKind } from "#src/base/ids.ts";
import type { Prisma } from "#src/generated/prisma/client.ts";

/** A row of a table, as Prisma's `createMany` takes it. */
export type RowOf<Kind extends IdKind> = Kind extends Prisma.ModelName
  ? Exclude<Prisma.TypeMap["model"][Kind]["operations"]["createMany"]["args"]["data"], readonly unknown[]>
  : object;

/** Runs a statement: on a connection pool, or in a transaction. */
export type Run = (statement: string, values: string[]) => Promise<unknown>;

/** Collects rows; {@link insert} writes them. Foreign keys are checked after the statement, so the order is free. */
export class Rows {
  readonly #groups = new Map<string, { kind: IdKind; columns: string[]; rows: object[] }>();

  /** Adds a row and returns it. Undefined columns get their defaults; others may change until {@link insert}. */
  add<Kind extends IdKind, Row extends RowOf<Kind>>(kind: Kind, row: Row): Row {
    let key: string = kind; // with the columns, so that rows with the same ones share a group
    for (const name in row) if (row[name] !== undefined) key += `,${name}`;
    let group = this.#groups.get(key);
    if (!group) this.#groups.set(key, (group = { kind, columns: key.split(",").slice(1), rows: [] }));
    group.rows.push(row);
    return row;
  }

  /** Writes everything in one statement; if there are change requests, a second one counts them. */
  async insert(run: Run): Promise<void> {
    const groups = [...this.#groups.values()];
    if (groups.length === 0) return;
    const inserts = groups.map(({ kind, columns }, index) => {
      const names = columns.map((name) => `"${name}"`).join();
      return `t${index} as (insert into "${kind}" (${names})
        select ${names} from json_populate_recordset(null::"${kind}", $${index + 1}))`;
    });
    const values = groups.map(({ rows }) => JSON.stringify(rows, hasBytes(rows) ? bytesAsHex : undefined));
    await run(`with ${inserts.join()} select`, values);
    const numbered = groups.filter(({ kind }) => kind === "ChangeRequest").flatMap(({ rows }) => rows);
    if (numbered.length > 0) await run(countChangeRequests, [JSON.stringify(numbered)]);
    this.#groups.clear();
  }
}

/** Advances the counter for the next change request of a space. */
const countChangeRequests = `
  update "Space" s set "lastChangeRequestNumber" = c.last
  from (select "spaceId", max(number) as last from json_populate_recordset(null::"ChangeRequest", $1)
    group by "spaceId") c
  where s.id = c."spaceId" and s."lastChangeRequestNumber" < c.last`;

/** Whether a row has bytes; without them JSON is written at twice the speed. */
const hasBytes = (rows: readonly object[]): boolean =>
  rows.some((row) => Object.values(row).some((value) => value instanceof Uint8Array));

/** JSON has no bytes; PostgreSQL parses them in hex. JSON.stringify passes a Buffer as the object of its toJSON. */
function bytesAsHex(_key: string, value: unknown): unknown {
  const isBuffer = typeof value === "object" && value !== null && "type" in value && value.type === "Buffer";
  if (!isBuffer || !("data" in value) || !Array.isArray(value.data)) return value;
  return `\\x${Buffer.from(value.data).toString("hex")}`;
}
