// Rows that remember how they were read, so that a decision can be repeated with their current state.
import type { Entity, Projection } from "#src/db/reading/entity.ts";

export interface RowSource<Scope> {
  readonly entity: Entity<{ id: string }, Scope>;
  readonly projection: Projection;
  /** When the statement was sent, as `performance.now()` says it. */
  readonly readAt: number;
}

/** A copy of a row by `{ ...row }` keeps it; JSON does not show it. */
const sourceKey = Symbol("source");

/** Makes rows remember how they were read. */
export function rememberSource<Scope>(rows: readonly object[], source: RowSource<Scope>): void {
  for (const row of rows) (row as { [sourceKey]?: RowSource<Scope> })[sourceKey] = source;
}

const sourceOf = <Scope>(value: object) => (value as { [sourceKey]?: RowSource<Scope> })[sourceKey];

/** Whether something has parts that may be rows: a row, an object of the code, or a list of them. */
const hasParts = (value: unknown): value is object =>
  typeof value === "object" &&
  value !== null &&
  (Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype);

/** When the first of the rows in a value was read; Infinity without rows. */
export function oldestRead(value: unknown): number {
  if (!hasParts(value)) return Infinity;
  let oldest = sourceOf(value)?.readAt ?? Infinity;
  for (const part of Object.values(value)) if (typeof part === "object") oldest = Math.min(oldest, oldestRead(part));
  return oldest;
}

/** The value with each row in it replaced by the result of `read`; everything else is unchanged. */
export async function readRowsAgain<Scope, Value>(
  value: Value,
  read: (source: RowSource<Scope>, id: string) => Promise<object>,
): Promise<Value> {
  if (!hasParts(value)) return value;
  const parts = Object.entries(value).map(async ([name, part]) => [name, await readRowsAgain(part, read)] as const);
  const again = await Promise.all(parts);
  if (Array.isArray(value)) return again.map(([, part]) => part) as Value; // a list of the same parts
  const source = sourceOf<Scope>(value);
  const row = source && (await read(source, (value as unknown as { id: string }).id)); // every row that is read has one
  return { ...value, ...Object.fromEntries(again), ...row };
}
