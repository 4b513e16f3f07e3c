// The steps up and down of an entry in the structure of a site, and how a form contains its order.
import { expect, test } from "vitest";
import { linesIn, moved, orderText, structureOf } from "#src/features/sites/views/structure/order.ts";

/** A structure in short: `G` a group, `I` a section in it, `S` a section without a group, `a` ... `f` site spaces. */
const kinds: Readonly<Record<string, string>> = { G: "group", I: "inner", S: "section" };
const linesOf = (text: string) => {
  let count = 0;
  const nameOf = (sign: string) => (kinds[sign] ? `n${count++}` : sign);
  return linesIn(Array.from(text, (sign) => `${kinds[sign] ?? "space"} ${nameOf(sign)}`).join(","));
};
const signs = { group: "G", inner: "I", section: "S" } as const;
const shortOf = (lines: ReturnType<typeof linesOf>) =>
  lines.map(({ kind, id }) => (kind === "space" ? id : signs[kind])).join("");

test.each([
  ["ab", 1, "up", "ba"],
  ["ab", 0, "up", null],
  ["ab", 0, "down", "ba"],
  ["ab", 1, "down", null],
  ["SabSc", 2, "up", "SbaSc"],
  ["SabSc", 4, "up", "SabcS"],
  ["SabSc", 2, "down", "SaSbc"],
  ["SaSb", 1, "up", null],
  ["SaSb", 3, "down", null],
  ["SSa", 2, "up", "SaS"],
  ["SaGIb", 1, "down", "SGIab"],
  ["SaGIb", 4, "up", "SabGI"],
  ["GIa", 2, "up", null],
  ["SaGGIb", 5, "up", "SabGGI"],
  ["SaSb", 2, "up", "SbSa"],
  ["SaSb", 0, "down", "SbSa"],
  ["SaSb", 0, "up", null],
  ["SaSb", 2, "down", null],
  ["GIaSb", 3, "up", "GIaIb"],
  ["GIaIb", 3, "up", "GIbIa"],
  ["GIaIb", 1, "up", "SaGIb"],
  ["GIaIb", 1, "down", "GIbIa"],
  ["GIaIb", 3, "down", "GIaSb"],
  ["SaGIb", 0, "down", "GIaIb"],
  ["SaG", 0, "down", "GIa"],
  ["SaGIb", 2, "up", "GIbSa"],
  ["GIaSb", 0, "down", "SbGIa"],
  ["GIaGIb", 0, "down", "GIbGIa"],
  ["GIaGIb", 3, "up", "GIbGIa"],
  ["GIa", 0, "up", null],
  ["GIa", 0, "down", null],
  ["", 0, "up", null],
] as const)("of %s, entry %d moves %s to %s", (text, index, direction, after) => {
  const lines = moved(linesOf(text), index, direction);
  expect(lines && shortOf(lines)).toBe(after);
});

test.each(["SabSc", "GIaIbSc", "SaGIbGScd", "abc"])(
  "of %s, steps up and steps down lead everywhere and back",
  (text) => {
    const lines = linesOf(text);
    for (const { id } of lines) {
      let now = lines;
      const step = (direction: "up" | "down") => {
        const index = now.findIndex((line) => line.id === id);
        const after = moved(now, index, direction);
        if (after) now = after;
        return after;
      };
      let count = 0;
      while (step("down")) count++;
      expect(now.map((line) => line.id).toSorted()).toEqual(lines.map((line) => line.id).toSorted());
      while (step("up")) expect(count).toBeLessThan(50);
      while (step("down")) expect(count).toBeLessThan(50);
    }
  },
);

test("the text of a field contains the order, and parts of another form are ignored", () => {
  const lines = linesOf("SaGIb");
  expect(linesIn(orderText(lines))).toEqual(lines);
  expect(linesIn("")).toEqual([]);
  expect(linesIn("space,space ,else x,__proto__ y,section s z,, ,space a")).toEqual([
    { kind: "section", id: "s" },
    { kind: "space", id: "a" },
  ]);
  expect(structureOf(linesIn("space a"))).toEqual([{ siteSpaceId: "a" }]);
  expect(structureOf(lines)).toEqual([
    { section: { siteSectionId: "n0", siteSpaceIds: ["a"] } },
    { sectionGroup: { siteSectionGroupId: "n1", sections: [{ siteSectionId: "n2", siteSpaceIds: ["b"] }] } },
  ]);
  expect(structureOf(linesIn("inner i,space a"))).toEqual([{ section: { siteSectionId: "i", siteSpaceIds: ["a"] } }]);
});
