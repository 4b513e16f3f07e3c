// The viewers of random documents in the edge-case world, and values for arguments.
import type { Context } from "#src/domain/context.ts";
import { schema } from "#src/schema.ts";
import type { TestApp } from "#test/support/app.ts";
import { makeEdgeCaseWorld } from "#test/support/edge-case-world.ts";
import { readCursors, readIds, valuesIn } from "#test/support/known-values.ts";
import type { ValuesFor } from "#test/support/random-arguments.ts";
import { answerInterpreted, contextsOf, prepareReady } from "#test/support/query-executions.ts";
import type { World } from "#test/support/world.ts";

export interface EdgeCaseViewers {
  /** Contexts of an admin, and of a guest with a role on one collection. */
  readonly viewers: readonly [() => Context, () => Context];
  readonly valuesFor: ValuesFor;
}

/** Makes the world and the viewers. */
export async function makeEdgeCaseViewers(app: TestApp, world: World): Promise<EdgeCaseViewers> {
  const made = await makeEdgeCaseWorld(app, world);
  const admin = await contextsOf(app, made.admin.token);
  const guest = await contextsOf(app, made.guest.token);
  const ids = await readIds(app.database, made.first);
  const cursors = await readCursors(schema, ids, (document, variables) =>
    answerInterpreted(prepareReady(document), admin(), variables),
  );
  return { viewers: [admin, guest], valuesFor: valuesIn(ids, cursors) };
}
