// Conditions of sections and site spaces: evaluation, invalid conditions, and any text or claims evaluate
// without exceptions, in bounded time.
import fc from "fast-check";
import { expect, test, vi } from "vitest";
import { bothOf, holds, outcomeOf, problemOf } from "#src/features/sites/model/condition.ts";

const names = ["customer", "is-beta", "", "trial", "toString"];
const declared = { signed: new Set(names), unsigned: new Set(names) };

test.each([
  ["visitor.claims.customer", { customer: true }, true],
  ["visitor.claims.customer == true", { customer: false }, false],
  [
    'visitor.claims["is-beta"] && !visitor.claims.unsigned.trial',
    { "is-beta": true, unsigned: { trial: false } },
    true,
  ],
  ['visitor["claims"]["unsigned"]["trial"]', { unsigned: { trial: true } }, true],
  ["has(visitor.claims.customer)", {}, false],
  ["!has(visitor.claims.customer) || visitor.claims.customer", {}, true],
  ["visitor.claims.customer || visitor.claims.trial", { trial: true }, true],
  ["visitor.claims.customer ? visitor.claims.trial : true // the others", { customer: false }, true],
  ["true != false", {}, true],
])("the condition %s with claims %o is %s", (condition, claims, expected) => {
  expect(problemOf(condition, declared)).toBeNull();
  expect(outcomeOf(condition, claims)).toBe(expected);
  expect(holds(condition, claims)).toBe(expected);
});

test.each([
  ["visitor.claims.customer", {}, 16],
  ["!visitor.claims.customer", { customer: "no" }, 17],
  ["visitor.claims.customer", { customer: 1 }, 16],
  ["visitor.claims.toString", {}, 16],
  ["visitor.claims.unsigned.trial", { unsigned: [true], trial: true }, 25],
  ["visitor.claims.unsigned.trial", { unsigned: null }, 25],
  ["true && (visitor.claims.customer == true)", { unsigned: { customer: true } }, 25],
])("the condition %s with claims %o fails and hides", (condition, claims, at) => {
  expect(problemOf(condition, declared)).toBeNull();
  expect(outcomeOf(condition, claims)).toMatchObject({ message: expect.stringContaining(`at character ${at} `) });
  expect(holds(condition, claims)).toBe(false);
});

test.each([
  ["visitor.claims.customer &&", 27],
  ["visitor.claims.other", 1],
  ["🌊 == true", 1],
  ["true /* 🌊 */", 7],
  ['"🌊" == "🌊" || visitor.claims.x', 1],
  ["has(visitor.claims.other)", 5],
  ["false || visitor.claims.unsigned.other", 10],
  ["visitor.claims.unsigned", 1],
  ["visitor.claims", 1],
  ["visitor", 1],
  ["claims.customer", 1],
  ["visitor.claims.customer.trial", 1],
  ["visitor.claims[visitor.claims.customer]", 16],
  ["visitor.claims[dyn('customer')]", 16],
  ['has(visitor.claims["customer"])', 5],
  ["has(visitor)", 5],
  ["has(visitor.claims.customer, true)", 1],
  ["visitor.claims.__proto__", 1],
  ["visitor.constructor", 1],
  ["1", 1],
  ["null", 1],
  ["'a'.matches('(a+)+$')", 1],
  ["[1, 2].all(x, [1, 2].all(y, true))", 1],
  ["cel.bind(x, true, x)", 1],
  ["timestamp('2026-01-01T00:00:00Z') == now()", 1],
  ["{'a': true}.a", 1],
  ["1 + 1 == 2", 1],
])("the condition %s is invalid and hides", (condition, at) => {
  const problem = problemOf(condition, declared);
  expect(problem?.message).toMatch(new RegExp(`^at character ${at}[ :]`));
  expect(holds(condition, { customer: true })).toBe(false);
});

test("conditions that are too long, too deep or have too many parts are invalid", () => {
  for (const [many, at] of [
    [`${"(".repeat(40)}true${")".repeat(40)}`, 33],
    [`${"!".repeat(1000)}true`, 489],
  ] as const)
    expect(problemOf(many, declared)?.message).toMatch(new RegExp(`^at character ${at}[ :]`));
  const long = `true${" ".repeat(1020)}`;
  expect(problemOf(long, declared)).toBeNull();
  expect(problemOf(`${long} `, declared)).not.toBeNull();
  expect(holds(`${long} `, {})).toBe(false);
});

test("a null condition is true for all visitors", () => expect(holds(null, {})).toBe(true));

test("two conditions are joined only if both parse, also with comments and alternatives in them", () => {
  expect(bothOf("true || false", "false")).toBe("(true || false) && (false)");
  expect(holds(bothOf("true // a", "true // b"), {})).toBe(true);
  expect(holds(bothOf("true || true", "false") ?? "true", {})).toBe(false);
  expect(bothOf("true) || (true", "false")).toBeNull();
  expect(bothOf(`${"(".repeat(31)}true${")".repeat(31)}`, "true")).toBeNull();
  expect(bothOf(`true${" ".repeat(600)}`, `true${" ".repeat(600)}`)).toBeNull();
});

test.each(["!", "true && ", "true ? ", "visitor.claims.trial || ", "false == "])(
  "evaluating a condition of repeated %s takes time linear in its length",
  (part) => {
    const times = { "!": 500, "true ? ": 31 }[part] ?? Math.floor(1000 / part.length);
    const condition = `${part.repeat(times)}true${part.includes("?") ? " : false".repeat(times) : ""}`;
    expect(problemOf(condition, declared)).toBeNull();
    const looksUp = vi.spyOn(Map.prototype, "get"); // one step reads: its operator's kinds, a variable, a claim
    holds(condition, { trial: false });
    const steps = looksUp.mock.calls.length;
    looksUp.mockRestore();
    expect(steps).toBeLessThan(4 * 512);
  },
);

const aName = fc.constantFrom(...names);
const { condition: aCondition } = fc.letrec<{ condition: Expression }>((tie) => ({
  condition: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.boolean().map((value): Expression => ({ text: `${value}`, value: () => value })),
    fc.tuple(aName, fc.boolean()).map(([name, isUnsigned]) => claimOf(name, isUnsigned)),
    tie("condition").map(({ text, value }) => ({
      text: `!(${text})`,
      value: (claims: Given) => not(value(claims)),
    })),
    fc.tuple(tie("condition"), tie("condition"), fc.constantFrom("&&", "||", "==", "!=")).map(joinExpressions),
    fc.tuple(tie("condition"), tie("condition"), tie("condition")).map(([one, two, three]) => ({
      text: `(${one.text} ? ${two.text} : ${three.text})`,
      value: (claims: Given) => {
        const chosen = one.value(claims);
        return chosen === null ? null : (chosen ? two : three).value(claims);
      },
    })),
  ),
}));

type Value = boolean | null; // null is an error
type Given = Readonly<Record<string, unknown>> & { readonly unsigned: Readonly<Record<string, unknown>> };
interface Expression {
  readonly text: string;
  readonly value: (claims: Given) => Value;
}

const not = (value: Value): Value => (value === null ? null : !value);

function claimOf(name: string, isUnsigned: boolean): Expression {
  const group = isUnsigned ? "visitor.claims.unsigned" : "visitor.claims";
  return {
    text: `${group}[${JSON.stringify(name)}]`,
    value: (claims) => {
      const of = isUnsigned ? claims.unsigned : claims;
      const value = Object.hasOwn(of, name) ? of[name] : null;
      return typeof value === "boolean" ? value : null;
    },
  };
}

function joinExpressions([one, other, operator]: [Expression, Expression, string]): Expression {
  const decides = operator === "||";
  return {
    text: `(${one.text} ${operator} ${other.text})`,
    value: (claims) => {
      const [left, right] = [one.value(claims), other.value(claims)];
      if (operator === "&&" || operator === "||") {
        if (left === decides || right === decides) return decides;
        return left === null || right === null ? null : !decides;
      }
      return left === null || right === null ? null : (left === right) === (operator === "==");
    },
  };
}

const someClaims = fc.dictionary(aName, fc.oneof({ weight: 4, arbitrary: fc.boolean() }, fc.jsonValue()));

test("random conditions evaluate as in CEL, including errors", () => {
  fc.assert(
    fc.property(aCondition, someClaims, someClaims, ({ text, value }, claims, unsigned) => {
      fc.pre(text.length <= 1024 && problemOf(text, declared) === null);
      const given = { ...claims, unsigned };
      const outcome = outcomeOf(text, given);
      expect(typeof outcome === "boolean" ? outcome : null).toBe(value(given));
      expect(holds(text, given)).toBe(value(given) === true);
    }),
    { numRuns: 1000 },
  );
});

const pieces = [
  "visitor",
  ".claims",
  ".unsigned",
  ".customer",
  '["trial"]',
  "has(",
  "(",
  ")",
  "!",
  "&&",
  "||",
  "==",
  "?",
];
const more = [
  ":",
  "true",
  "1",
  "'a'",
  "[",
  "]",
  ".all(x, ",
  ".matches('(a+)+')",
  "//",
  "\n",
  " ",
  "{",
  "}",
  "\\",
  "💥",
];

test("random texts as conditions never throw, and invalid ones hide", () => {
  const aText = fc.oneof(
    fc.array(fc.constantFrom(...pieces, ...more), { maxLength: 60 }).map((parts) => parts.join("")),
    fc.string({ unit: "binary", maxLength: 1200 }),
  );
  fc.assert(
    fc.property(aText, fc.oneof(someClaims, fc.object()), (text, claims) => {
      const isShown = holds(text, claims);
      if (problemOf(text, declared) !== null && !text.includes("visitor")) expect(isShown).toBe(false);
    }),
    { numRuns: 3000 },
  );
});
