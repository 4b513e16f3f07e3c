// Lays out tables, so that no column leaves the sheet.
import type { Content, TableNode } from "pdfmake";
import { type Block, textOfNode } from "#src/documents/document.ts";
import { characterWidth, isLow, lineLength } from "#src/features/pdfs/model/layout.ts";
import { colours, tableSize } from "#src/features/pdfs/model/look.ts";

const padding = 6;

/** The smallest width of a column, unless its texts need less: a table with too many columns is split. */
const leastWidth = 36;

/** Points: the limits of the height of rows kept on one sheet, and of heads repeated on each sheet. */
const most = { row: 480, head: 150 } as const;

interface Cell {
  readonly block: Block;
  readonly text: string;
  readonly align: "left" | "center" | "right";
  readonly isHead: boolean;
}

type WriteCell = (cell: Block, width: number) => Content[];

/** A table that fits into a width: in several parts below each other if it has too many columns. */
export function tablesOf(table: Block, width: number, write: WriteCell): Content[] {
  const rows = cellsOf(table);
  const tables: Content[] = [];
  for (let from = 0, needs = needsOf(rows); from < needs.length;) {
    let to = from;
    for (let left = width; to < needs.length; to++) {
      left -= Math.min(needs[to]?.whole ?? 0, leastWidth) + 2 * padding;
      if (left < 0 && to > from) break;
    }
    const part = rows.map((row) => row.slice(from, to));
    const widths = widthsOf(needs.slice(from, to), width - 2 * padding * (to - from));
    tables.push(tableOf(part, widths, write));
    from = to;
  }
  return tables;
}

const sides: Readonly<Record<string, Cell["align"]>> = { center: "center", end: "right" };

function cellsOf({ nodes, data }: Block): Cell[][] {
  const given: readonly unknown[] = Array.isArray(data["columns"]) ? data["columns"] : [];
  const aligns = given.map((column) =>
    typeof column === "object" && column !== null && "align" in column
      ? (sides[String(column.align)] ?? "left")
      : "left",
  );
  return nodes.flatMap((row, index) => {
    if (row.object !== "block") return [];
    const cells = row.nodes.flatMap((block) => (block.object === "block" ? [block] : []));
    return [
      cells.map((block, at): Cell => ({
        block,
        text: textOfNode(block),
        align: aligns[at] ?? "left",
        isHead: index === 0,
      })),
    ];
  });
}

function tableOf(rows: readonly (readonly Cell[])[], widths: number[], write: WriteCell): TableNode {
  const isRowLow = (row: readonly Cell[], limit: number): boolean =>
    row.every(({ block }, at) => isLow(block.nodes, widths[at] ?? leastWidth, limit));
  const [head = []] = rows;
  const body = rows.map((row) =>
    widths.map((width, at): Content => {
      const cell = row[at];
      if (!cell) return { text: "" };
      const { align, isHead, block } = cell;
      const stack = write(block, width);
      return { stack, alignment: align, ...(isHead && { bold: true, color: colours.strong, fillColor: colours.wash }) };
    }),
  );
  return {
    table: {
      widths,
      body,
      headerRows: isRowLow(head, most.head) ? 1 : 0,
      dontBreakRows: rows.every((row) => isRowLow(row, most.row)),
    },
    layout,
    fontSize: tableSize,
    margin: [0, 2, 0, 12],
  };
}

interface Need {
  /** Without breaking lines. */
  readonly whole: number;
  /** Without breaking words. */
  readonly least: number;
}

function needsOf(rows: readonly (readonly Cell[])[]): Need[] {
  const count = rows.reduce((most, row) => Math.max(most, row.length), 0);
  const needs = Array.from({ length: count }, () => ({ whole: 0, least: 0 }));
  for (const row of rows)
    for (const [at, { text }] of row.entries()) {
      const need = needs[at];
      if (!need) continue;
      const word = text.split(/\s+/, 200).reduce((most, { length }) => Math.max(most, length), 0);
      need.whole = Math.max(need.whole, longestLine(text) * characterWidth + 4);
      need.least = Math.max(need.least, word * characterWidth + 4);
    }
  return needs;
}

/** The widths of columns: the required widths if they fit, else in proportion to their texts. */
function widthsOf(needs: readonly Need[], available: number): number[] {
  const sum = (widths: readonly number[]): number => widths.reduce((all, width) => all + width, 0);
  const whole = needs.map((need) => need.whole);
  if (sum(whole) <= available) return whole;
  const least = needs.map((need) => Math.min(need.least, available / 2));
  const more = (available - sum(least)) / (sum(whole) - sum(least));
  if (more <= 0) return least.map((width) => (width / sum(least)) * available);
  return least.map((width, at) => width + ((whole[at] ?? 0) - width) * more);
}

const longestLine = (text: string): number =>
  text.split("\n").reduce((longest, line) => Math.max(longest, lineLength(line)), 0);

const layout: TableNode["layout"] = {
  hLineWidth: (index) => (index === 0 ? 0 : 0.75),
  vLineWidth: () => 0,
  hLineColor: () => colours.line,
  paddingLeft: () => padding,
  paddingRight: () => padding,
  paddingTop: () => 4.5,
  paddingBottom: () => 4.5,
};
