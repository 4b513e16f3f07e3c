// Random documents over the whole schema: compiled and interpreted execution return the same bytes for every viewer,
// and the compiled operation falls back only at errors. With random @defer and @stream, their parts add up to the
// complete response, and cost the same statements if each field is in one part. At the small size there are documents
// for a third of the fields with arguments, and one document for all fields without arguments of the same type.
import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { meterStatements, StatementCounter } from "#src/db/connection/database.ts";
import { schema } from "#src/schema.ts";
import { useApp } from "#test/support/app.ts";
import { type EdgeCaseViewers, makeEdgeCaseViewers } from "#test/support/edge-case-viewers.ts";
import { merged, piecesOf, takenApart } from "#test/support/in-parts.ts";
import { answeredIn, RandomDocuments, selectedBy } from "#test/support/random-documents.ts";
import { isFullSize } from "#test/support/runs.ts";
import { allFields, coordinateOf, type Step } from "#test/support/schema-paths.ts";
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
  : { rounds: 1, documents: 390, answered: 0.54, guestAsksEvery: 5 };
let valuesFor: EdgeCaseViewers["valuesFor"];
let written: () => Promise<string[]>;
let viewers: EdgeCaseViewers["viewers"];

beforeAll(async () => {
  ({ viewers, valuesFor } = await makeEdgeCaseViewers(app, world));
  written = await recordWrites(app.database);
});

/** Whether documents select a field at any size. */
const isAlwaysSelected = ({ field }: Step) => isFullSize || field.args.length === 0;

/** The fields that documents are made for if none selected them so far. */
const goalsOf = (fields: readonly Step[]) =>
  fields.filter((field, index) => isAlwaysSelected(field) || index % 3 === 0);

/** Whether a field is another one of the object of the goal, without arguments, and not selected so far. */
const isSibling = (goal: Step, other: Step, selected: ReadonlySet<string>) =>
  other.type === goal.type && other !== goal && other.field.args.length === 0 && !selected.has(coordinateOf(other));

test("random documents cover the fields and return the same text compiled and interpreted", async () => {
  const fields = allFields(schema);
  const documents = new RandomDocuments(schema, valuesFor);
  const selected = new Set<string>();
  const answered = new Set<string>();
  const counts = { documents: 0, answers: 0, whole: 0, givenUp: 0 };
  const goals = times(size.rounds, () => goalsOf(fields)).flat();
  for (const [index, goal] of goals.entries()) {
    const isFirstRound = index < fields.length;
    if (isFirstRound ? !isFullSize && selected.has(coordinateOf(goal)) : answered.has(coordinateOf(goal))) continue;
    const siblings = isFullSize ? [] : fields.filter((field) => isSibling(goal, field, selected));
    const asking = counts.documents % size.guestAsksEvery === 0 ? viewers : viewers.slice(0, 1);
    const property = fc.asyncProperty(documents.towards(goal, siblings), async ({ text, variables, answer }) => {
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
  expect(
    fields
      .filter(isAlwaysSelected)
      .map(coordinateOf)
      .filter((each) => !selected.has(each)),
  ).toEqual([]);
  expect(counts.documents).toBeGreaterThanOrEqual(size.documents);
  expect(counts.whole).toBeGreaterThan(counts.answers / 2);
  expect(counts.givenUp).toBeLessThan(counts.answers / 500);
  expect(answered.size).toBeGreaterThan(size.answered * all.length);
}, 600_000);

test("the parts of a random document with @defer and @stream add up to the complete response", async () => {
  const documents = new RandomDocuments(schema, valuesFor);
  const counts = { whole: 0, pieces: 0, failed: 0, statements: 0 };
  // Every 30th or 180th field: each is also selected on the way to others.
  for (const [index, goal] of allFields(schema).entries()) {
    if (index % (isFullSize ? 30 : 180) !== 0) continue;
    const given = fc.tuple(documents.towards(goal), fc.array(fc.nat(999), { minLength: 50, maxLength: 50 }));
    const property = fc.asyncProperty(given, async ([{ text, variables }, numbers]) => {
      let at = 0;
      const apart = takenApart(schema, text, () => (numbers[at++ % numbers.length] ?? 0) / 1000);
      const [plain, inParts] = [prepareReady(text), prepareReady(apart)];
      for (const context of viewers) {
        const cost = { whole: new StatementCounter(), pieces: new StatementCounter() };
        const text = await meterStatements(cost.whole, () => answerInterpreted(plain, context(), variables));
        const whole = JSON.parse(text) as { data: unknown; errors?: [] };
        const pieces = await meterStatements(cost.pieces, () => piecesOf(inParts, context(), variables));
        let twice = 0;
        const { data, errors } = merged(pieces, () => twice++);
        if (whole.errors) {
          expect(errors.length, apart).toBeGreaterThan(0);
          counts.failed++;
          continue;
        }
        expect({ data, errors }, `${apart}\n${JSON.stringify(variables)}`).toEqual({ data: whole.data, errors: [] });
        if (twice === 0) {
          // Rows first read by the complete response may be cached for the parts: then it runs again.
          const isWarmer = cost.pieces.statements < cost.whole.statements;
          const whole = isWarmer ? new StatementCounter() : cost.whole;
          if (isWarmer) await meterStatements(whole, () => answerInterpreted(plain, context(), variables));
          expect(cost.pieces, `${apart}\n${JSON.stringify(variables)}`).toEqual(whole);
          counts.statements += cost.whole.statements;
        }
        counts.whole++;
        counts.pieces += pieces.length;
      }
    });
    const seed = (fc.readConfigureGlobal().seed ?? 0) + index;
    await fc.assert(property, { numRuns: 1, seed, interruptAfterTimeLimit: 60_000 });
  }
  console.info(
    `${counts.whole} answers in ${counts.pieces} pieces (${counts.statements} statements for documents without repeated fields), ${counts.failed} with errors.`,
  );
  expect(counts.statements).toBeGreaterThan(counts.whole / 3);
  expect(counts.whole).toBeGreaterThan(counts.failed);
  expect(counts.pieces).toBeGreaterThan(1.3 * counts.whole);
}, 300_000);

test("random queries write nothing", async () => {
  expect(await written()).toEqual([]);
});
