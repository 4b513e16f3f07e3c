// Texts as large as the memory of a script, passed to each function outside of it: the run ends, and the process lives.
import { expect, test } from "vitest";
import { useSandbox } from "#test/sandbox/sandboxed.ts";

const run = useSandbox({ cpuMs: 20_000, totalMs: 60_000 });

const texts = {
  letters: `"x".repeat(31_000_000)`,
  signs: `"\\u2603".repeat(10_000_000)`,
};

const calls = {
  encode: "new TextEncoder().encode(text).length",
  log: "console.log(text)",
  answer: "text",
  throw: "(() => { throw new Error(text); })()",
  fetch: `await fetch("https://example.com/", { method: "POST", body: text }).then(() => 1, () => 2)`,
  digest: `(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))).byteLength`,
};

const cases = Object.keys(calls).flatMap((call) => Object.keys(texts).map((text) => [call, text] as const));

test.each(cases as readonly (readonly [keyof typeof calls, keyof typeof texts])[])("%s of %s", async (call, text) => {
  const { end } = await run(`const text = ${texts[text]}; return ${calls[call]};`);
  if (!end.ok) expect(["size", "error"]).toContain(end.problem);
  expect((await run("return 1")).end).toMatchObject({ ok: true });
});
