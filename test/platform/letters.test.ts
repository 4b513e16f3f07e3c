// E-mails when the process stops: those that are under way are sent, and tried once more where that fails.
import { pino } from "pino";
import { expect, test } from "vitest";
import { Background } from "#src/jobs/background.ts";
import { Letters } from "#src/jobs/letters.ts";

test("a letter that is under way is sent, and one that failed is tried once more", async () => {
  const tries: { readonly to: string; readonly ending: AbortSignal; readonly end: (error?: Error) => void }[] = [];
  const mail = {
    send: ({ to }: { to: string }, ending: AbortSignal) =>
      new Promise<void>((resolve, reject) => {
        tries.push({ to, ending, end: (error) => (error ? reject(error) : resolve()) });
      }),
  };
  const background = new Background();
  const lines: string[] = [];
  const log = pino({}, { write: (line) => void lines.push(line) });
  const letters = new Letters({ mail, background, log, waitsMs: [3_600_000, 3_600_000] });
  const letter = (to: string) => letters.post({ to, subject: "Hello", text: "Words" }, "the letter");
  letter("under-way@example.com");
  letter("refused@example.com");
  tries[1]?.end(new Error("The server is busy."));
  await new Promise(setImmediate); // it waits for an hour now
  const closed = background.close();
  await new Promise(setImmediate);
  expect(tries.map(({ to, ending }) => [to, ending.aborted])).toEqual([
    ["under-way@example.com", false],
    ["refused@example.com", false],
    ["refused@example.com", false],
  ]);
  tries[0]?.end();
  tries[2]?.end(new Error("The server is still busy."));
  await closed;
  expect(tries).toHaveLength(3);
  expect(lines).toHaveLength(1);
});
