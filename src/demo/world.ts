// The rows of the demo besides its stories: those of the YAML files in `tables/`, by the names used in references.
import { createHash, randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { type IdKind, newId } from "#src/base/ids.ts";
import { instantOf, isInstant } from "#src/demo/story.ts";
import type { RowOf, Rows } from "#src/demo/rows.ts";

type Columns = Record<string, unknown>;

const readTable = (file: string): Buffer => readFileSync(new URL(`tables/${file}`, import.meta.url));

export class World {
  /** The files that rows reference by their hashes, for the file storage. */
  readonly blobs: Buffer[] = [];
  readonly #rows: Rows;
  readonly #named = new Map<string, { readonly kind: IdKind; readonly row: Columns }>();

  constructor(rows: Rows) {
    this.#rows = rows;
  }

  /**
   * Adds the rows of a file: by table, in a list or each under a name. `every row` has columns of all rows of a table.
   * In values `@name` is the id of a row above, `@name.column` its column, and `12 9:05` an instant of the story.
   */
  add(file: string): void {
    const tables = parse(readTable(file).toString("utf8"), { merge: true }) as Record<string, object>;
    for (const [kind, table] of Object.entries(tables)) {
      const { "every row": every, ...rows } = table as Record<string, Columns>;
      for (const [name, columns] of Object.entries(rows))
        this.#addRow(kind as IdKind, Array.isArray(table) ? null : name, { ...every, ...columns });
    }
  }

  /** The rows of a table that have names, in their order. */
  of<Kind extends IdKind>(kind: Kind): [name: string, row: RowOf<Kind>][] {
    return [...this.#named].flatMap(([name, of]) => (of.kind === kind ? [[name, of.row as RowOf<Kind>]] : []));
  }

  /** The id of a row. Throws for an unknown name. */
  readonly id = (name: string): string => String(this.#row(name)["id"]);

  #row(name: string): Columns {
    const named = this.#named.get(name);
    if (!named) throw new Error(`The demo does not have the row ${name}`);
    return named.row;
  }

  #addRow(kind: IdKind, name: string | null, columns: Columns): void {
    const row = { id: newId(kind), ...(this.#valueOf(columns) as Columns) };
    this.#rows.add(kind, row as RowOf<typeof kind>); // PostgreSQL rejects other columns and values
    if (name !== null) this.#named.set(name, { kind, row });
  }

  #valueOf(value: unknown): unknown {
    if (typeof value === "string") return this.#textOf(value);
    if (Array.isArray(value)) return value.map((one) => this.#valueOf(one));
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, this.#valueOf(one)]));
  }

  #textOf(text: string): unknown {
    if (isInstant(text)) return instantOf(text);
    if (!text.startsWith("@")) return text;
    if (text === "@now") return new Date();
    if (text === "@secret") return Buffer.from(randomBytes(32).toString("base64url")); // secrets.reseal encrypts it
    if (text.startsWith("@hash of ")) return this.#hashOf(readTable(text.slice("@hash of ".length)));
    if (text.startsWith("@size of ")) return readTable(text.slice("@size of ".length)).length;
    const [name = "", column = "id"] = text.slice(1).split(".");
    return this.#row(name)[column];
  }

  #hashOf(bytes: Buffer): string {
    this.blobs.push(bytes);
    return createHash("sha256").update(bytes).digest("hex");
  }
}
