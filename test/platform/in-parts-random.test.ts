// Random documents over the whole schema with random @defer and @stream: their parts add up to the complete response,
// and cost the same statements if each field is in one part.
import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { meterStatements, StatementCounter } from "#src/db/connection/database.ts";
import { schema } from "#src/schema.ts";
import { useApp } from "#test/support/app.ts";
import { type EdgeCaseViewers, makeEdgeCaseViewers } from "#test/support/edge-case-viewers.ts";
import { merged, piecesOf, takenApart } from "#test/support/in-parts.ts";
import { RandomDocuments } from "#test/support/random-documents.ts";
import { isFullSize } from "#test/support/runs.ts";
import { allFields } from "#test/support/schema-paths.ts";
import { answerInterpreted, prepareReady } from "#test/support/query-executions.ts";

// On its own database: the demo is made once in a database.
const { app, world } = await useApp({ own: true });
let valuesFor: EdgeCaseViewers["valuesFor"];
let viewers: EdgeCaseViewers["viewers"];

beforeAll(async () => {
  ({ viewers, valuesFor } = await makeEdgeCaseViewers(app, world));
});

test("the parts of a random document with @defer and @stream add up to the complete response", async () => {
  const documents = new RandomDocuments(schema, valuesFor);
  const counts = { whole: 0, pieces: 0, failed: 0, statements: 0 };
  // Every 30th or 90th field: each is also selected on the way to others.
  for (const [index, goal] of allFields(schema).entries()) {
    if (index % (isFullSize ? 30 : 90) !== 0) continue;
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
