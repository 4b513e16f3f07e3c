// Interpreted execution, which is the reference, and compiled execution of queries, for comparisons of their texts.
import { systemClock } from "#src/base/time.ts";
import { Viewers } from "#src/access/viewers.ts";
import { type Context, makeContext } from "#src/domain/context.ts";
import { Feed } from "#src/events/event-log.ts";
import { silentWakeups } from "#src/events/wakeups.ts";
import { createExecutor, isOperation, type Operation, type Variables } from "#src/graph/run/execute.ts";
import { graphqlShape } from "#src/plan/response-shape.ts";
import type { ByteWriter } from "#src/plan/byte-writer.ts";
import { schema } from "#src/schema.ts";
import { pino } from "pino";
import type { Database } from "#src/db/connection/database.ts";
import type { FileStore } from "#src/files/file-store.ts";
import { testServices } from "#test/support/test-services.ts";

const executor = createExecutor(schema);

/** The operation of a document that must be valid. */
export function prepareReady(document: string): Operation {
  const prepared = executor.prepare(document);
  if (isOperation(prepared)) return prepared;
  throw new Error(`${JSON.stringify(prepared)}\nin ${document}`);
}

/** The interpreted result as JSON. */
export async function answerInterpreted(operation: Operation, context: Context, variables: Variables): Promise<string> {
  return JSON.stringify(await operation.run(context, variables));
}

/** The compiled result as JSON; null if it falls back. */
export async function answerPlanned(
  operation: Operation,
  context: Context,
  variables: Variables,
): Promise<string | null> {
  return textOf(await operation.write(context, variables));
}

/** The written bytes as text. */
export function textOf(out: ByteWriter | null): string | null {
  const text = out && out.bytes.toString();
  out?.free();
  return text;
}

/** Whether an operation runs compiled with these variables. */
export function runsAsPlan(operation: Operation, variables: Variables): boolean {
  return operation.planFor(graphqlShape)?.fits(variables) ?? false;
}

interface AppParts {
  readonly database: Database;
  readonly files: FileStore;
  readonly url: string;
}

/**
 * Makes contexts of operations of one viewer, one for each run. Rights and time are those of this call: expiring URLs
 * would differ between two runs otherwise.
 */
export async function contextsOf(app: AppParts, token: string): Promise<() => Context> {
  const { database, files, url: publicUrl } = app;
  const viewers = new Viewers(database, systemClock);
  const log = pino({ level: "silent" });
  const feed = new Feed({ database, wakeups: silentWakeups, log });
  const now = new Date();
  const clock = { now: () => now };
  const environment = { database, files, ...testServices(database), viewers, feed, clock, log, publicUrl };
  const viewer = await viewers.byAuthorization(`Bearer ${token}`);
  return () => makeContext(environment, viewer, "test");
}
