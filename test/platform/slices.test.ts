// Pages of lists in memory: each row is returned once from either end, and cursors of deleted rows stay valid.
import { describe, expect, test } from "vitest";
import { newId } from "#src/base/ids.ts";
import { type PageArguments, slicePage } from "#src/db/reading/page.ts";
import { times } from "#test/support/world.ts";

const ids = times(11, () => newId("Page"));
const page = (asked: PageArguments, rows: readonly string[] = ids) => {
  const slice = slicePage(rows, (id) => id, asked);
  const { nodes, pageInfo, totalCount: total } = slice;
  const { startCursor: start, endCursor: end, hasPreviousPage, hasNextPage } = pageInfo;
  return { nodes, start, end, more: [hasPreviousPage, hasNextPage], total };
};

describe("paging through a list in memory", () => {
  test.each([1, 2, 3, 10, 11, 12])("forward by %i", (first) => {
    const seen: string[] = [];
    for (let after: string | null = null; ;) {
      const found = page({ first, after });
      seen.push(...found.nodes);
      expect(found.more).toEqual([after !== null, seen.length < 11]);
      expect(found.total).toBe(11);
      if (seen.length >= 11) break;
      after = found.end;
    }
    expect(seen).toEqual(ids);
  });

  test.each([1, 2, 3, 10, 11, 12])("backward by %i", (last) => {
    const seen: string[] = [];
    for (let before: string | null = null; ;) {
      const found = page({ last, before });
      seen.unshift(...found.nodes);
      expect(found.more).toEqual([seen.length < 11, before !== null]);
      if (seen.length >= 11) break;
      before = found.start;
    }
    expect(seen).toEqual(ids);
  });

  test("between two cursors, from either end and reversed", () => {
    const [after, before] = [page({ first: 3 }).end, page({ last: 3 }).start];
    expect(page({ first: 2, after, before }).nodes).toEqual(ids.slice(3, 5));
    expect(page({ last: 2, after, before }).nodes).toEqual(ids.slice(6, 8));
    expect(page({ after: before, before: after }).nodes).toEqual([]);
  });
});

test("continues at the position of a deleted row", () => {
  const { end } = page({ first: 4 });
  expect(page({ first: 2, after: end }, ids.toSpliced(3, 1)).nodes).toEqual(ids.slice(4, 6));
  expect(page({ first: 2, after: end }, ids.slice(0, 2)).nodes).toEqual([]);
  expect(page({ last: 2, before: end }, ids.toSpliced(3, 1)).nodes).toEqual(ids.slice(1, 3));
});

test("continues after a moved row", () => {
  const { end } = page({ first: 4 });
  expect(page({ first: 2, after: end }, [ids[3] ?? "", ...ids.toSpliced(3, 1)]).nodes).toEqual(ids.slice(0, 2));
});

test("an empty list has an empty page", () => {
  expect(page({}, [])).toEqual({ nodes: [], start: null, end: null, more: [false, false], total: 0 });
});

test.each([{ first: 0 }, { first: 1001 }, { last: -1 }, { first: 1, last: 1 }, { after: "x" }, { before: "" }])(
  "refuses the arguments %o",
  (asked) => {
    expect(() => page(asked)).toThrow(/must be from|not both|must be a cursor/);
  },
);
