// The two ways in which a query is answered, for comparing their texts: interpreted, which says what is right, and
// compiled. What is particular of the compiled way stands in this file alone.
import { compileQuery, isCompiledQuery } from "graphql-jit";
import { systemClock } from "#src/base/time.ts";
import { Viewers } from "#src/access/viewers.ts";
import { type Context, makeContext } from "#src/domain/context.ts";
import { Feed } from "#src/events/feed.ts";
import { silentWakeups } from "#src/events/wakeups.ts";
import { createExecutor, isOperation, type Operation, type Variables } from "#src/graph/execute.ts";
import type { Refusal } from "#src/graph/documents.ts";
import { schema } from "#src/schema.ts";
import { pino } from "pino";
import type { Database } from "#src/db/database.ts";
import type { FileStore } from "#src/files/file-store.ts";

/** One operation of a document of our schema, ready to run in both ways. */
export interface TwoWays {
  readonly interpreted: Operation;
  readonly compiled: Operation;
}

const interpreting = createExecutor(schema, { compile: "never" });
const compiling = createExecutor(schema, { compile: "at once" });

/**
 * Whether graphql-jit is known to answer something else: a directive of a fragment, or of a field with others below it,
 * goes for all that is merged with these, or is forgotten where they are merged.
 */
const isWrongWhenCompiled = (document: string): boolean => /\.\.\.( on)? ?\w* ?@|@\w+\(if: [^)]+\) \{/.test(document);

/** The operation of a document, or the errors that keep it from running. */
export function prepareTwoWays(document: string, operationName?: string): TwoWays | Refusal {
  const interpreted = interpreting.prepare(document, operationName);
  const executor = isWrongWhenCompiled(document) ? interpreting : compiling;
  const compiled = executor.prepare(document, operationName);
  if (!isOperation(interpreted)) return interpreted;
  return isOperation(compiled) ? { interpreted, compiled } : compiled;
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

/** The answer of a compiled run, as JSON: where that gives up, of the interpreted one that takes its place. */
export async function answerCompiled(ways: TwoWays, context: Context, variables: Variables): Promise<string> {
  return JSON.stringify(await ways.compiled.run(context, variables));
}

/**
 * Whether compiled answers have their keys in the order of interpreted ones. Those of graphql-jit have not, where a
 * field is selected twice and left out the first time, as in `{ id @skip(if: true) title id }`.
 */
const keepsOrder = false;

interface Answered {
  readonly data?: unknown;
  readonly errors?: readonly { readonly path?: readonly (string | number)[] }[];
}

/**
 * The form in which answers of the two ways are compared: the text itself, where there are no errors. Errors come in
 * the order in which reads end, which is another one in each run, so they are sorted; and of those that take away one
 * object together GraphQL tells any, so that they count as one.
 */
export function comparable(answer: string): string {
  if (!answer.includes('"errors":[') && keepsOrder) return answer;
  const parsed = JSON.parse(answer) as Answered;
  const errors = parsed.errors && [...new Set(parsed.errors.map((error) => told(parsed.data, error)))].toSorted();
  return JSON.stringify({ ...parsed, ...(errors && { errors }) }, keepsOrder ? undefined : sorted);
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

function sorted(_key: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

/** Whether the operation is run in the compiled way. */
export function runsAsPlan({ document, name, kind }: Operation): boolean {
  return kind === "query" && isCompiledQuery(compileQuery(schema, document, name));
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
