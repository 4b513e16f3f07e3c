// The messages of PostgreSQL that answer the preparation of a statement and a run of it, in their order.

/** The first step of each, and the last one of both. */
export const [preparing, running, ready] = [0, 4, 6];

/** For each message: the steps in which it is expected, and the step after it. An error leads to the last one. */
export const steps = new Map<string, readonly [now: number, next: number]>([
  ["3", [0, 1]], // CloseComplete
  ["1", [1, 2]], // ParseComplete
  ["t", [2, 3]], // ParameterDescription
  ["T", [3, ready]], // RowDescription
  ["n", [3, ready]], // NoData
  ["2", [4, 5]], // BindComplete
  ["D", [5, 5]], // DataRow
  ["C", [5, ready]], // CommandComplete
  ["I", [5, ready]], // EmptyQueryResponse
  ["Z", [ready, ready]], // ReadyForQuery
]);
