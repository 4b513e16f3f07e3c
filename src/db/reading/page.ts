// Pages of lists: page arguments, the shape of a page (a Relay connection), and pages of lists in memory.
import { DomainError, invalidInput } from "#src/base/errors.ts";
import { sql } from "#src/db/connection/database.ts";
import { decodeCursor, encodeCursor, type ListPosition, type Order } from "#src/db/reading/cursor.ts";
import type { PageRequest } from "#src/db/reading/page-list.ts";

/** The default and the largest page size (spec 1, section 2.1; the same for REST and GraphQL). */
export const pageSize = { default: 50, max: 1000 } as const;

/** The requested page, in the terms of the Relay cursor connections specification. */
export interface PageArguments {
  readonly first?: number | null | undefined;
  readonly after?: string | null | undefined;
  readonly last?: number | null | undefined;
  readonly before?: string | null | undefined;
}

/** The parts of a page. Those that cost a further statement are functions, and run only when called. */
interface PageParts<Row> {
  readonly nodes: readonly Row[];
  cursorOf(row: Row): string;
  hasNextPage(): boolean | Promise<boolean>;
  hasPreviousPage(): boolean | Promise<boolean>;
  totalCount(): number | Promise<number>;
}

/** A page of a list, in the form of a Relay connection. */
export class Page<Row> {
  readonly nodes: readonly Row[];
  readonly #parts: PageParts<Row>;

  constructor(parts: PageParts<Row>) {
    this.nodes = parts.nodes;
    this.#parts = parts;
  }

  get edges(): readonly Edge<Row>[] {
    return this.nodes.map((node) => new Edge(node, this.#parts));
  }

  get pageInfo(): this {
    return this;
  }

  get hasNextPage(): boolean | Promise<boolean> {
    return this.#parts.hasNextPage();
  }

  get hasPreviousPage(): boolean | Promise<boolean> {
    return this.#parts.hasPreviousPage();
  }

  get startCursor(): string | null {
    return this.#cursorOf(this.nodes[0]);
  }

  get endCursor(): string | null {
    return this.#cursorOf(this.nodes.at(-1));
  }

  get totalCount(): number | Promise<number> {
    return this.#parts.totalCount();
  }

  /** The same page with these rows by id in place of its own; null removes a row that was deleted. */
  of<Other extends { id: string }>(this: Page<{ id: string }>, rows: readonly (Other | null)[]): Page<Other> {
    const parts = this.#parts;
    const places = new Map(parts.nodes.map((place) => [place.id, place]));
    return new Page<Other>({
      ...parts,
      nodes: rows.filter((row) => row !== null),
      cursorOf: (row) => parts.cursorOf(places.get(row.id) ?? row),
    });
  }

  #cursorOf(row: Row | undefined): string | null {
    return row === undefined ? null : this.#parts.cursorOf(row);
  }
}

class Edge<Row> {
  readonly node: Row;
  readonly #parts: PageParts<Row>;

  constructor(node: Row, parts: PageParts<Row>) {
    this.node = node;
    this.#parts = parts;
  }

  get cursor(): string {
    return this.#parts.cursorOf(this.node);
  }
}

/** The page of a list in which the viewer may see nothing. */
export const emptyPage = new Page<never>({
  nodes: [],
  cursorOf: () => "",
  hasNextPage: () => false,
  hasPreviousPage: () => false,
  totalCount: () => 0,
});

/** Checks page arguments. Throws INVALID_INPUT that names the argument and the limit. */
export function readPageArguments(order: Order, { first, after, last, before }: PageArguments): PageRequest {
  if (first != null && last != null) throw new DomainError("INVALID_INPUT", "Set either `first` or `last`, not both.");
  const backward = last != null || (first == null && before != null && after == null);
  const limit = first ?? last ?? pageSize.default;
  if (limit < 1 || limit > pageSize.max) {
    throw invalidInput(last == null ? "first" : "last", `must be from 1 to ${pageSize.max}, and is ${limit}.`);
  }
  return {
    limit,
    backward,
    after: after == null ? null : decodeCursor(order, after, "after"),
    before: before == null ? null : decodeCursor(order, before, "before"),
  };
}

/** The order of the list itself: nothing is sorted or compared by SQL, so that its ids may be any text. */
const byPlace: Order = { name: "place", key: sql`null`, type: "int4", direction: "asc", ids: "text" };

/** A page of `rows`; cursors name a row by id, and by index if it was removed. Throws INVALID_INPUT; costs no rows. */
export function slicePage<Row>(rows: readonly Row[], idOf: (row: Row) => string, asked: PageArguments): Page<Row> {
  const { limit, backward, after, before } = readPageArguments(byPlace, asked);
  /** How many rows are before a position, or, if `inclusive`, up to it. */
  const countTo = ({ key, id }: ListPosition, inclusive: boolean): number => {
    const place = rows.findIndex((row) => idOf(row) === id);
    if (place === -1) return Math.min(Math.max(Number(key), 0), rows.length);
    return inclusive ? place + 1 : place;
  };
  const from = after ? countTo(after, true) : 0;
  const to = Math.max(from, before ? countTo(before, false) : rows.length);
  const start = backward ? Math.max(from, to - limit) : from;
  const end = backward ? to : Math.min(to, from + limit);
  const nodes = rows.slice(start, end);
  return new Page<Row>({
    nodes,
    cursorOf: (row) => encodeCursor(byPlace, { key: start + nodes.indexOf(row), id: idOf(row) }),
    hasNextPage: () => end < rows.length,
    hasPreviousPage: () => start > 0,
    totalCount: () => rows.length,
  });
}
