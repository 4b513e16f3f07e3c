// An executor that compares compiled with interpreted execution once for each document that tests send, on the data of
// the tests.
import { type Context, makeContext } from "#src/domain/context.ts";
import { type Executor, isOperation, type Operation, type Variables } from "#src/graph/run/execute.ts";
import { answerInterpreted, answerPlanned } from "#test/support/query-executions.ts";

/** Whether all tests compare: `npm run prove -- --only plans` sets it. */
export const comparesPlans = process.env["COMPARE_PLANS"] !== undefined;

/** Compared documents of the process, by their text without ids. */
const compared = new Set<string>();

/** Differences that were not reported yet. */
const differences: string[] = [];

/** Longer responses are not worth comparing. */
const longestText = 100_000;

/** Throws with the first difference since the last call, if any. */
export function checkPlans(): void {
  const [first] = differences.splice(0);
  if (first !== undefined) throw new Error(`By its plan, this answered something else:\n${first}`);
}

/** Wraps an executor of our schema with the comparison. Its results do not change; see {@link checkPlans}. */
export function comparing(inner: Executor): Executor {
  const watched = (document: string, operation: Operation): Operation => {
    const key = document.replaceAll(/[a-z]{3}_[0-9a-z]{26}/g, "id");
    if (operation.kind !== "query" || compared.has(key)) return operation;
    return {
      document: operation.document,
      name: operation.name,
      kind: operation.kind,
      asks: operation.asks,
      isIncremental: operation.isIncremental,
      openness: operation.openness,
      estimate: operation.estimate,
      refusedBeforeFiles: (context, variables) => operation.refusedBeforeFiles(context, variables),
      planFor: (form) => operation.planFor(form),
      result: (context, variables) => operation.result(context, variables),
      writeEach: (context, variables, messages) => operation.writeEach(context, variables, messages),
      runInParts: (context, variables, receiver) => operation.runInParts(context, variables, receiver),
      run: (context, variables, root) => operation.run(context, variables, root),
      async write(context, variables) {
        const out = await operation.write(context, variables);
        if (!out || compared.has(key)) return out;
        compared.add(key);
        if (out.at > longestText) return out;
        differences.push(...(await differencesOf(operation, context, variables)));
        return out;
      },
    };
  };
  return {
    schema: inner.schema,
    openFields: inner.openFields,
    knows: (source) => inner.knows(source),
    prepare(source, operationName) {
      const prepared = inner.prepare(source, operationName);
      return isOperation(prepared) ? watched(source, prepared) : prepared;
    },
    prepareOwn(source) {
      const prepared = inner.prepareOwn(source);
      return isOperation(prepared) ? watched(source, prepared) : prepared;
    },
  };
}

/** Returns nothing if both give the same text or the data changes meanwhile. */
async function differencesOf(operation: Operation, context: Context, variables: Variables): Promise<string[]> {
  const fresh = () => ({ ...makeContext(context, context.viewer, context.requestId), began: context.began });
  const interpreted = await answerInterpreted(operation, fresh(), variables);
  const plan = () => answerPlanned(operation, fresh(), variables);
  const planned = (await plan()) ?? (await plan()); // it may also fall back temporarily
  if (planned === interpreted || interpreted !== (await answerInterpreted(operation, fresh(), variables))) return [];
  return [`${operation.document.loc?.source.body}\n${JSON.stringify(variables)}\n${interpreted}\n${planned}`];
}
