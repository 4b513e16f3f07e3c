// Executors of the schema for all tests of a worker: what one test has prepared the next one need not.
import { createExecutor, type Executor } from "#src/graph/run/execute.ts";
import { schema } from "#src/schema.ts";
import { comparesPlans, comparing } from "#test/support/comparing-executor.ts";
import { withNullableTop } from "#test/support/nullable-top.ts";

/** Of all applications that take no other. */
export const sharedExecutor: Executor = comparesPlans ? comparing(createExecutor(schema)) : createExecutor(schema);

let lenient: Executor | undefined;

/** One in which each root field of a document fails on its own. */
export const lenientExecutor = (): Executor => (lenient ??= createExecutor(withNullableTop(schema)));
