// Random documents over the whole schema: compiled and interpreted execution return the same bytes for every viewer,
// and the compiled operation falls back only at errors.
import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { schema } from "#src/schema.ts";
import { useApp } from "#test/support/app.ts";
import { type EdgeCaseViewers, makeEdgeCaseViewers } from "#test/support/edge-case-viewers.ts";
import { answeredIn, RandomDocuments, selectedBy } from "#test/support/random-documents.ts";
import { isFullSize } from "#test/support/runs.ts";
import { allFields, coordinateOf } from "#test/support/schema-paths.ts";
import { recordWrites } from "#test/support/write-recorder.ts";
import { answerInterpreted, answerPlanned, prepareReady } from "#test/support/query-executions.ts";
import { times } from "#test/support/world.ts";

// On its own database: watches all tables for writes.
const { app, world } = await useApp({ own: true });
/**
 * Documents for fields not selected so far, or at full size for fields without a value so far, up to three
 * times each; the share of fields that have a value in the end; the number of documents also run by the guest.
 */
const size = isFullSize
  ? { rounds: 3, documents: 2_000, answered: 0.81, guestAsksEvery: 1 }
  : { rounds: 1, documents: 700, answered: 0.55, guestAsksEvery: 5 };
let valuesFor: EdgeCaseViewers["valuesFor"];
let written: () => Promise<string[]>;
let viewers: EdgeCaseViewers["viewers"];

beforeAll(async () => {
  ({ viewers, valuesFor } = await makeEdgeCaseViewers(app, world));
  written = await recordWrites(app.database);
});

test("random documents cover every field and return the same text compiled and interpreted", async () => {
  const fields = allFields(schema);
  const documents = new RandomDocuments(schema, valuesFor);
  const selected = new Set<string>();
  const answered = new Set<string>();
  const counts = { documents: 0, answers: 0, whole: 0, givenUp: 0 };
  const goals = times(size.rounds, () => fields).flat();
  for (const [index, goal] of goals.entries()) {
    const isFirstRound = index < fields.length;
    if (isFirstRound ? !isFullSize && selected.has(coordinateOf(goal)) : answered.has(coordinateOf(goal))) continue;
    const asking = counts.documents % size.guestAsksEvery === 0 ? viewers : viewers.slice(0, 1);
    const property = fc.asyncProperty(documents.towards(goal), async ({ text, variables, answer }) => {
      const operation = prepareReady(text);
      counts.documents++;
      // All at once: thousands of sequential round trips would cost too much time.
      const answers = asking.map((context) =>
        Promise.all([
          answerInterpreted(operation, context(), variables),
          answerPlanned(operation, context(), variables),
        ]),
      );
      for (const [interpreted, planned] of await Promise.all(answers)) {
        const { data, errors } = JSON.parse(interpreted) as { data: unknown; errors?: unknown };
        // A compiled operation may fall back without an error: at an argument that interpretation never reaches.
        if (planned === null && !errors) counts.givenUp++;
        else expect(planned, `${text}\n${JSON.stringify(variables)}`).toBe(errors ? null : interpreted);
        counts.answers++;
        if (data && !errors) counts.whole++;
        answeredIn(answer, data, answered);
      }
      for (const coordinate of selectedBy(answer)) selected.add(coordinate);
    });
    const seed = (fc.readConfigureGlobal().seed ?? 0) + index;
    await fc.assert(property, { numRuns: 1, seed, interruptAfterTimeLimit: 60_000 }); // it would shrink for minutes
  }
  const all = fields.map(coordinateOf);
  console.info(
    `${counts.documents} documents, ${counts.whole} of ${counts.answers} answers without errors; ` +
      `${answered.size} of ${all.length} fields had a value.`,
  );
  expect(all.filter((each) => !selected.has(each))).toEqual([]);
  expect(counts.documents).toBeGreaterThanOrEqual(size.documents);
  expect(counts.whole).toBeGreaterThan(counts.answers / 2);
  expect(counts.givenUp).toBeLessThan(counts.answers / 500);
  expect(answered.size).toBeGreaterThan(size.answered * all.length);
}, 600_000);

test("random queries write nothing", async () => {
  expect(await written()).toEqual([]);
});
