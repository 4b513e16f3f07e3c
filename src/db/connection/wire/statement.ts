// A statement that is prepared on the connections for hot reads: what is known of it by all of them.
import { type NamedType, Shape } from "#src/db/connection/wire/rows.ts";

/** A statement's text, its name on each connection, and the shape of its rows when it was last prepared. */
export interface Statement {
  readonly name: string;
  readonly text: string;
  shape: Shape | null;
  /** The least time that it took on an idle connection, in milliseconds; Infinity if it never ran on one. */
  leastMs: number;
}

/** A statement that takes at most so many milliseconds shares a connection, and a group, with others. */
export const quickMs = 0.5;

/** The shape for these columns: the one that the statement has, as long as they are the same. */
export function shapeOf(statement: Statement, columns: readonly NamedType[]): Shape {
  const shape = new Shape(columns);
  const isSame = JSON.stringify(statement.shape?.columns) === JSON.stringify(shape.columns);
  return isSame && statement.shape ? statement.shape : (statement.shape = shape);
}
