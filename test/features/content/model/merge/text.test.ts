// Three-way merge of documents, case by case and compared with git if it is installed.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { mergeText, type TextMerge } from "#src/features/content/model/merge/text.ts";
import { runs } from "#test/support/runs.ts";

const text = (...lines: string[]) => lines.map((line) => `${line}\n`).join("");
const merged = (merge: TextMerge) => ("merged" in merge ? merge.merged : undefined);
const conflicts = (merge: TextMerge) => ("merged" in merge ? [] : merge.conflicts);

describe("a merge of texts", () => {
  const base = text("a", "b", "c", "d", "e");

  it("takes changes by either side in different lines", () => {
    expect(merged(mergeText(base, text("A", "b", "c", "d", "e"), text("a", "b", "d", "e", "f")))).toBe(
      text("A", "b", "d", "e", "f"),
    );
  });

  it("takes equal changes once, also beside others", () => {
    expect(merged(mergeText(base, text("a", "X", "c", "d", "e"), text("a", "X", "c", "d", "E")))).toBe(
      text("a", "X", "c", "d", "E"),
    );
  });

  it("reports a conflict for a line that both sides changed", () => {
    const merge = mergeText(base, text("new", "a", "b", "ours", "d", "e"), text("a", "b", "theirs", "d", "e"));
    expect(merge).toMatchObject({
      conflicts: [{ base: "c\n", ours: "ours\n", theirs: "theirs\n", baseLine: 3, oursLine: 4, theirsLine: 3 }],
      pieces: ["new\na\nb\n", { base: "c\n" }, "d\ne\n"],
    });
  });

  it.each([
    ["changed lines that follow each other", text("a", "B", "c", "d", "e"), text("a", "b", "C", "d", "e")],
    ["a deleted line and one changed after it", text("a", "c", "d", "e"), text("a", "b", "C", "d", "e")],
    ["two additions in one place", text("a", "o", "b", "c", "d", "e"), text("a", "t", "b", "c", "d", "e")],
    ["two additions at the end", `${base}o\n`, `${base}t\n`],
    ["a deletion around a change", text("a", "e"), text("a", "b", "C", "d", "e")],
  ])("conflicts for %s", (_, ours, theirs) => {
    expect(conflicts(mergeText(base, ours, theirs))).toHaveLength(1);
    expect(conflicts(mergeText(base, theirs, ours))).toHaveLength(1);
  });

  it("joins adjacent changes into one conflict, and keeps separate changes apart", () => {
    const merge = mergeText(
      text("a", "b", "c", "d", "e", "f", "g", "h"),
      text("a", "X", "Y", "d", "e", "f", "G", "h"),
      text("a", "b", "Z", "d", "e", "f", "g", "H"),
    );
    expect(conflicts(merge).map(({ base: was, ours, theirs }) => [was, ours, theirs])).toEqual([
      ["b\nc\n", "X\nY\n", "b\nZ\n"],
      ["g\nh\n", "G\nh\n", "g\nH\n"],
    ]);
  });

  it("treats a final newline as part of the last line", () => {
    expect(merged(mergeText("a\nb\nc", "A\nb\nc", "a\nb\nc\n"))).toBe("A\nb\nc\n");
    expect(conflicts(mergeText("a\nb", "a\nB", "a\nb\n"))).toHaveLength(1);
    expect(merged(mergeText("", "", "a"))).toBe("a");
    expect(conflicts(mergeText("", "o", "t"))).toMatchObject([{ base: "", ours: "o", theirs: "t" }]);
  });

  it("merges line endings as a property of the document if each side is consistent", () => {
    const windows = (lines: string) => lines.replaceAll("\n", "\r\n");
    expect(merged(mergeText(base, windows(base), text("a", "b", "C", "d", "e")))).toBe(
      windows(text("a", "b", "C", "d", "e")),
    );
    expect(merged(mergeText(windows(base), text("a", "b", "C", "d", "e"), windows(`${base}f\n`)))).toBe(
      text("a", "b", "C", "d", "e", "f"),
    );
    expect(conflicts(mergeText(base, windows(text("o", "b")), text("t", "b")))).toMatchObject([
      { base: "a\r\n", ours: "o\r\n" },
    ]);
    expect(conflicts(mergeText(base, "a\r\nb\nc\nd\ne\n", text("A", "b", "c", "d", "e")))).toHaveLength(1);
  });

  it("is one conflict of the whole document where the texts are too far apart to compare", () => {
    const lines = Array.from({ length: 6_000 }, (_, index) => `${index}\n`);
    const shuffled = lines.toSorted((one, other) => (Number(one) % 77) - (Number(other) % 77)).join("");
    const theirs = `${lines.join("")}end\n`;
    expect(mergeText(lines.join(""), shuffled, theirs)).toMatchObject({
      conflicts: [{ base: lines.join(""), ours: shuffled, theirs, baseLine: 1 }],
    });
  });

  it("merges 80,000 edited and rewritten lines in less than quadratic time", () => {
    const count = 80_000;
    const lines = Array.from({ length: count }, (_, index) => (index % 3 ? `line ${index}\n` : "\n"));
    const edited = (every: number) =>
      lines.map((line, index) => (index % every === 7 ? `edit of ${every} at ${index}\n` : line)).join("");
    const [was, theirs] = [lines.join(""), edited(333)];
    expect(conflicts(mergeText(was, edited(500), theirs))).toHaveLength(2); // lines 7 and 1006
    const rewritten = text(...lines.map((_, index) => `new ${index}`));
    expect(conflicts(mergeText(was, rewritten, theirs))).toHaveLength(1);
  });
});

const hasGit = spawnSync("git", ["--version"]).status === 0;
if (!hasGit) console.warn("git is not installed: the comparison with git merge-file is skipped.");

describe.skipIf(!hasGit)("a merge of texts compared with git merge-file", () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "merge-"));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  function gitMerge(base: string, ours: string, theirs: string): string | undefined {
    const files = Object.entries({ ours, base, theirs }).map(([name, content]) => {
      writeFileSync(join(folder, name), content);
      return join(folder, name);
    });
    const { status, stdout } = spawnSync("git", ["merge-file", "-p", ...files], { encoding: "utf8" });
    return status === 0 ? stdout : undefined;
  }

  type Edit = readonly [kind: "delete" | "insert" | "replace", place: number, line: number];
  const edits = fc.array(
    fc.tuple(fc.constantFrom("delete", "insert", "replace"), fc.nat(1_000), fc.nat(5)) satisfies fc.Arbitrary<Edit>,
    { maxLength: 4 },
  );

  function apply(lines: readonly string[], changes: readonly Edit[], written: (line: number) => string): string[] {
    const after = [...lines];
    for (const [kind, place, line] of changes) {
      const at = place % (after.length + 1);
      if (kind === "insert") after.splice(at, 0, written(line));
      else after.splice(at, 1, ...(kind === "replace" && at < after.length ? [written(line)] : []));
    }
    return after;
  }

  const ends = fc.tuple(fc.boolean(), fc.boolean(), fc.boolean());
  const joined = (lines: readonly string[], isEnded: boolean) =>
    lines.join("\n") + (isEnded && lines.length ? "\n" : "");

  it("has the same outcome and text for distinct lines", () => {
    fc.assert(
      fc.property(fc.nat(14), edits, edits, ends, (count, ours, theirs, [endBase, endOurs, endTheirs]) => {
        const lines = Array.from({ length: count }, (_, index) => `line ${index}`);
        const base = joined(lines, endBase);
        const our = joined(
          apply(lines, ours, (line) => `new ${line}`),
          endOurs,
        );
        const their = joined(
          apply(lines, theirs, (line) => `new ${line}`),
          endTheirs,
        );
        const merge = mergeText(base, our, their);
        expect(merged(merge)).toBe(gitMerge(base, our, their));
      }),
      { numRuns: runs(150), seed: 1 },
    );
  });

  it("has the same outcome and text in 98 of 100 cases with repeated lines", () => {
    // Several shortest differences can be equally valid there, and git may choose another.
    const line = fc.constantFrom("", "", "a", "b", "c", "d");
    let same = 0;
    const samples = fc.sample(fc.tuple(fc.array(line, { maxLength: 14 }), edits, edits), {
      numRuns: runs(150),
      seed: 2,
    });
    for (const [lines, ours, theirs] of samples) {
      const written = (number: number) => ["", "a", "b", "c", "d", "e"][number] ?? "";
      const [base, our, their] = [lines, apply(lines, ours, written), apply(lines, theirs, written)].map((each) =>
        joined(each, true),
      );
      const outcome = merged(mergeText(base ?? "", our ?? "", their ?? ""));
      if (outcome === gitMerge(base ?? "", our ?? "", their ?? "")) same++;
    }
    expect(same / samples.length).toBeGreaterThanOrEqual(0.98);
  });
});
