// Statements that took longer than the sessions of the database allow.

/** The longest that a statement may take, in milliseconds. */
export const statementTimeOut = 30_000;

/** The state by which PostgreSQL says that a statement was ended before it was done (query_canceled). */
const ended = "57014";

/** Whether a statement took too long, be it one of ours or of Prisma's, which has the error of PostgreSQL inside. */
export function isTimeOut(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  const codes = ["code", "originalCode"].map((name): unknown => Reflect.get(error, name));
  return codes.includes(ended) || isTimeOutInside(error.cause) || isTimeOutInside(Reflect.get(error, "meta"));
}

function isTimeOutInside(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (value instanceof Error) return isTimeOut(value);
  return Object.entries(value).some(([name, one]) =>
    name === "driverAdapterError" ? isTimeOut(one) : /^(originalC|c)ode$/.test(name) && one === ended,
  );
}
