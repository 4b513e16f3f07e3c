// Parsing a history file: refused files, and truncated subjects.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { beforeEach, describe, expect, test } from "vitest";
import { cutLine } from "#src/base/text/cut.ts";
import { readHistory } from "#src/history/history-file.ts";
import { smallHistory } from "#test/features/history/small-history.ts";

describe("subjects of a history file", () => {
  test("of up to 100 characters are kept, on one line", () => {
    expect(cutLine("🦀".repeat(100), 100)).toBe("🦀".repeat(100));
    expect(cutLine(" two\n lines ", 100)).toBe("two lines");
  });

  test("are truncated to 100 characters between whole ones, with an ellipsis", () => {
    expect(cutLine("a".repeat(101), 100)).toBe(`${"a".repeat(99)}…`);
    const family = "👨‍👩‍👧"; // one character to people, five code points to the database
    expect(cutLine(family.repeat(30), 100)).toBe(`${family.repeat(19)}…`);
  });
});

describe("a history file", () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "docgraph-history-"));
    return () => rm(folder, { recursive: true });
  });

  async function refusalOf(content: string | Buffer | null): Promise<unknown> {
    const path = join(folder, "history.json.gz");
    if (content !== null) await writeFile(path, content);
    return readHistory(path).then(
      () => "read",
      (error: unknown) => error,
    );
  }
  const invalid = (message: RegExp): unknown =>
    expect.objectContaining({ code: "INVALID_INPUT", message: expect.stringMatching(message) });

  test("that is missing, truncated or not JSON is refused with its name", async () => {
    expect(await refusalOf(null)).toEqual(invalid(/history\.json\.gz cannot be read/));
    expect(await refusalOf("plain")).toEqual(invalid(/is not valid JSON/));
    expect(await refusalOf(gzipSync("{}").subarray(0, 12))).toEqual(invalid(/is not a valid gzip file/));
    expect(await refusalOf(gzipSync("{"))).toEqual(invalid(/is not valid JSON/));
  });

  test("of another structure is refused with the path of the error", async () => {
    const [first, ...steps] = smallHistory().steps;
    const refuse = (changed: object) => refusalOf(gzipSync(JSON.stringify({ ...smallHistory(), ...changed })));
    expect(await refuse({ blobs: undefined })).toEqual(invalid(/blobs: /));
    expect(await refuse({ steps: [{ ...first, date: "soon" }, ...steps] })).toEqual(invalid(/steps\.0\.date: /));
    expect(await refuse({ end: { "a.md": "b1" } })).toEqual(invalid(/blobs: b1 is missing/));
    expect(await refuse({ start: { " ": "a" }, blobs: { a: "" } })).toEqual(invalid(/start/));
    expect(await refuse({ blobs: { a: "\0" } })).toEqual(invalid(/blobs\.a: .*cannot be stored/));
    expect(await refuse({ steps: [{ ...first, subject: "\0" }, ...steps] })).toEqual(
      invalid(/steps\.0\.subject: .*cannot be stored/),
    );
    expect(
      await refuse({ steps: [...steps, first].toReversed().filter((step) => step?.kind === "changeRequest") }),
    ).toEqual(invalid(/startedAfter: must be at most the index/));
    const twice = steps.map((step) => (step.kind === "edit" ? step : { ...step, number: 7 }));
    expect(await refuse({ steps: [first, ...twice] })).toEqual(
      invalid(/7 must be unique, but two change requests have this number/),
    );
    expect(await refuse({})).toBe("read");
  });
});
