// The two ways in which a query is answered, for comparing their texts: field by field, which says what is right, and
// by a plan.
import { systemClock } from "#src/base/time.ts";
import { Viewers } from "#src/access/viewers.ts";
import { type Context, makeContext } from "#src/domain/context.ts";
import { Feed } from "#src/events/feed.ts";
import { silentWakeups } from "#src/events/wakeups.ts";
import { createExecutor, isOperation, type Operation, type Variables } from "#src/graph/execute.ts";
import type { Refusal } from "#src/graph/documents.ts";
import { schema } from "#src/schema.ts";
import { graphqlForm } from "#src/plan/form.ts";
import { pino } from "pino";
import type { Database } from "#src/db/database.ts";
import type { FileStore } from "#src/files/file-store.ts";

/** One operation of a document of our schema, ready to run in both ways. */
export interface TwoWays {
  readonly interpreted: Operation;
  readonly planned: Operation;
}

const interpreting = createExecutor(schema, { plans: false });
const planning = createExecutor(schema);

/** The operation of a document, or the errors that keep it from running. */
export function prepareTwoWays(document: string, operationName?: string): TwoWays | Refusal {
  const interpreted = interpreting.prepare(document, operationName);
  const planned = planning.prepare(document, operationName);
  if (!isOperation(interpreted)) return interpreted;
  return isOperation(planned) ? { interpreted, planned } : planned;
}

/** The operation of a document that must be valid. */
export function prepareReady(document: string): TwoWays {
  const prepared = prepareTwoWays(document);
  if (areReady(prepared)) return prepared;
  throw new Error(`${JSON.stringify(prepared)}\nin ${document}`);
}

/** Whether {@link prepareTwoWays} gave an operation. */
export function areReady(prepared: TwoWays | Refusal): prepared is TwoWays {
  return !Array.isArray(prepared);
}

/** The answer of an interpreted run, as JSON. */
export async function answerInterpreted(ways: TwoWays, context: Context, variables: Variables): Promise<string> {
  return JSON.stringify(await ways.interpreted.run(context, variables));
}

/** The answer of a plan, as JSON; null where it gives up. */
export async function answerPlanned(ways: TwoWays, context: Context, variables: Variables): Promise<string | null> {
  const out = await ways.planned.write(context, variables);
  if (!out) return null;
  const text = out.bytes.toString();
  out.free();
  return text;
}

interface Answered {
  readonly data?: unknown;
  readonly errors?: readonly { readonly path?: readonly (string | number)[] }[];
}

/**
 * The form in which answers of the two ways are compared: the text itself, where there are no errors. Errors come in the
 * order in which reads end, which is another one in each run, so they are sorted; and of those that take away one object
 * together GraphQL tells any, so that they count as one.
 */
export function comparable(answer: string): string {
  if (!answer.includes('"errors":[')) return answer;
  const parsed = JSON.parse(answer) as Answered;
  const errors = parsed.errors && [...new Set(parsed.errors.map((error) => told(parsed.data, error)))].toSorted();
  return JSON.stringify({ ...parsed, ...(errors && { errors }) });
}

/** What must be the same of an error: all of one whose own field is null, else only what was taken away. */
function told(data: unknown, error: { readonly path?: readonly (string | number)[] }): string {
  const { path = [] } = error;
  let value: unknown = data;
  for (const [index, key] of path.entries()) {
    if (typeof value !== "object" || value === null) return JSON.stringify({ takenAway: path.slice(0, index) });
    value = (value as Record<string | number, unknown>)[key]; // an object or a list
  }
  return JSON.stringify(error);
}

/** Whether the operation is run by a plan, with these variables. */
export function runsAsPlan(operation: Operation, variables: Variables): boolean {
  return operation.planIn(graphqlForm)?.fits(variables) ?? false;
}

interface Ground {
  readonly database: Database;
  readonly files: FileStore;
  readonly url: string;
}

/** Makes contexts of operations of one viewer, one for each run. The rights are those of the moment of this call. */
export async function contextsOf(app: Ground, token: string): Promise<() => Context> {
  const { database, files, url: publicUrl } = app;
  const viewers = new Viewers(database, systemClock);
  const log = pino({ level: "silent" });
  const feed = new Feed({ database, wakeups: silentWakeups, log });
  const environment = { database, files, viewers, feed, clock: systemClock, log, publicUrl };
  const viewer = await viewers.byAuthorization(`Bearer ${token}`);
  return () => makeContext(environment, viewer, "test");
}
