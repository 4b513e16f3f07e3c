// Abuse of the budget of an operation: a refused operation is cheap and leaves no work after its response; and
// refused documents without a token.
import { addSpace } from "#test/features/spaces/factory.ts";
import {
  type Answer,
  asks,
  type Check,
  held,
  type Outcome,
  post,
  refused,
  type Target,
} from "#test/live/abuse/target.ts";
import { times } from "#test/support/world.ts";

/** Nested lists of `depth` levels with `first` rows each. */
const nested = (first: number, depth = 8): string =>
  depth === 0 ? "id" : `spaces(first: ${first}) { nodes { organization { ${nested(first, depth - 1)} } } }`;

/** The query of the review, and variants that neither the estimate nor the plan refuses. */
const byPlan = `{ organizations { nodes { ${nested(20)} } } }`;
const fieldByField = `{ organizations { nodes { ${nested(20)} } } x: space(id: "x") { id } }`;
const byEstimate = `{ organizations { nodes { ${nested(1000)} } } }`;

/** Tokens of users, each the only member of an organization with eleven spaces. */
async function tokens({ world }: Target, count: number): Promise<string[]> {
  const people = [];
  for (let person = 0; person < count; person++) {
    const { organization, admin } = await world.organization();
    await world.insert((rows) => times(11, () => addSpace(rows, { organizationId: organization.id })));
    people.push(admin.token);
  }
  return people;
}

/** Passes if the operation is refused with one error. */
const isRefusedOnce = (answer: Answer): boolean => refused(answer).holds && answer.text.length < 500;

/** The statuses of responses, each with its count. */
const counted = (answers: readonly Answer[]): string => {
  const statuses = answers.map(({ status }) => status);
  return [...new Set(statuses)].map((one) => `${statuses.filter((each) => each === one).length} x ${one}`).join(", ");
};

async function refusedFor(target: Target, users: number, query: string): Promise<Outcome> {
  const answers = await Promise.all((await tokens(target, users)).map((token) => post(target, query, { token })));
  return { holds: answers.every(isRefusedOnce), evidence: `${counted(answers)}; ${answers[0]?.text.slice(0, 90)}` };
}

/** Documents without a token that are parsed per client and minute. */
const parsedAtMost = 60;

/** A document that was never sent before, of 53,000 characters at full size. */
function document({ size }: Target, inner: string, index: number): string {
  const fields = times(size(3_500), (alias) => `a${alias}: displayName`);
  return `query Q${Date.now()}x${index} { ${inner} viewer { ${fields.join(" ")} } }`;
}

/** Sends more of them than are parsed, ten at a time. */
async function anonymous(target: Target, inner: string): Promise<Answer[]> {
  const answers: Answer[] = [];
  const rounds = Math.max(target.size(300), parsedAtMost + 10) / 10;
  for (let round = 0; round < rounds; round++) {
    const some = times(10, (index) => post(target, document(target, inner, 10 * round + index), { token: null }));
    answers.push(...(await Promise.all(some)));
  }
  return answers;
}

export const budgetChecks: readonly Check[] = [
  asks("fail", "nested lists beyond the row budget, by 1 user", (target) => refusedFor(target, 1, byPlan)),
  asks("fail", "nested lists beyond the row budget, by 6 users at once", (target) =>
    refusedFor(target, Math.max(2, target.size(6)), byPlan),
  ),
  held(
    asks(
      "fail",
      "the same by interpreted execution, by 6 users at once",
      (target) => refusedFor(target, 6, fieldByField),
      { healthMs: 3_000 }, // the fields of 100,000 rows are resolved in one go before the limit ends them
    ),
    ["platform/budget.test.ts", "nested lists stop at the first row over the budget with one error: %s"],
  ),
  asks("fail", "the query of the review, by 6 users at once", (target) => refusedFor(target, 6, byEstimate)),
  asks("weak", "300 documents of 53 KB without a token", async (target) => {
    const answers = await anonymous(target, "");
    return { holds: answers.every(({ status }) => status === 401), evidence: counted(answers) };
  }),
  asks("weak", "300 documents of 53 KB without a token that name an open field", async (target) => {
    const answers = await anonymous(target, 'ssoLogins: space(id: "x") { id }');
    const parsed = answers.filter(({ status }) => status !== 429).length;
    return {
      holds: parsed <= parsedAtMost && answers.every((answer) => refused(answer).holds),
      evidence: counted(answers),
    };
  }),
];
