// Texts as large as the memory of a script, passed to each function outside of it: the run ends, and the process lives.
import { expect, test } from "vitest";
import { useSandbox } from "#test/sandbox/sandboxed.ts";
import { sized } from "#test/support/runs.ts";

/** The small size has a fifth of the memory, and texts of a fifth. */
const megabytes = sized(12.8, 64);
const run = useSandbox({ cpuMs: 20_000, totalMs: 60_000, memoryBytes: megabytes * 1024 * 1024 });

/** Nearly half of the memory, so that no second copy fits beside the text and what the script needs. */
const texts = {
  letters: `"x".repeat(${Math.floor(megabytes * 484_375)})`,
  signs: `"\\u2603".repeat(${Math.floor(megabytes * 156_250)})`,
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
