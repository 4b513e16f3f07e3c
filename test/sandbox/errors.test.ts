// The texts of errors in traces: name, message, frames of the script and causes, whatever was thrown and logged.
import { expect, test } from "vitest";
import { faultOf, useSandbox } from "#test/sandbox/sandboxed.ts";

const run = useSandbox();

const frame = String.raw`\n    at .*script\.js:\d+:\d+\)?`;

test.each([
  [
    "of the engine",
    "try { null.x } catch (e) { console.error(e.stack) }",
    `^TypeError: cannot read property 'x' of null${frame}`,
  ],
  ["of the script", "console.error(new RangeError('far').stack)", `^RangeError: far${frame}`],
  [
    "of a class of its own",
    "class Own extends Error { name = 'Own' }; console.error(new Own('mine'))",
    `^Own: mine${frame}`,
  ],
  ["whose message was changed", "const e = new Error('a'); e.message = 'b'; console.error(e)", `^Error: b${frame}`],
  ["without a message", "console.error(new Error())", `^Error${frame}`],
  [
    "with causes",
    "console.error(new Error('a', { cause: new TypeError('b', { cause: 'c' }) }))",
    `^Error: a(${frame})+\\nCaused by: TypeError: b(${frame})+\\nCaused by: c$`,
  ],
  [
    "of several",
    "await Promise.any([Promise.reject(new Error('a')), Promise.reject(1)]).catch((e) => console.error(e))",
    "^AggregateError.*(\\n    at .*)*\\nOne of them: Error: a[^]*\\nOne of them: 1$",
  ],
  [
    "of a promise",
    "await Promise.reject(new Error('late')).catch((e) => console.error(e.stack))",
    `^Error: late${frame}`,
  ],
  [
    "that causes itself",
    "const e = new Error('a'); e.cause = e; console.error(e)",
    `^Error: a(${frame})+(\\nCaused by: Error: a.*(${frame})+){1,5}`,
  ],
  ["whose stack a script wrote", "const e = new Error('a'); e.stack = 'nothing'; console.error(e)", "^Error: a$"],
])("the log of an error %s", async (_name, body, comes) => {
  const { logs } = await run(body);
  expect(logs[0]?.message).toMatch(new RegExp(comes));
});

test.each([
  ["an error", "throw new TypeError('wrong')", `^error: TypeError: wrong${frame}$`],
  [
    "an error of a function",
    "function f() { null.x } f()",
    `^error: TypeError: cannot read property 'x' of null\\n    at f .*${frame}$`,
  ],
  ["a rejection", "await Promise.reject(new Error('late'))", `^error: Error: late${frame}$`],
  ["a text", "throw 'a text'", "^error: a text$"],
  ["an object", "throw { code: 7 }", '^error: {"code":7}$'],
  ["nothing", "throw undefined", "^error: undefined$"],
  ["a cause", "throw new Error('a', { cause: { code: 7 } })", `^error: Error: a${frame}\\nCaused by: {"code":7}$`],
  ["an error while it loads", "throw new Error('early'); export const handle = 1", `^script: Error: early${frame}$`],
])("the fault of a script that throws %s", async (_name, body, comes) => {
  expect(faultOf(await run(body))).toMatch(new RegExp(comes));
});
