// The views of tables: scrolling within the page, or as the cards that GitBook writes as tables.
import type { Element, ElementContent } from "hast";
import { cardView } from "#src/documents/html/block-views.ts";
import { element, isBlank, textOf, textProperty } from "#src/documents/html/elements.ts";

/** A table in a region that scrolls, or cards. */
export function tableView(table: Element): Element {
  if (textProperty(table, "dataView") === "cards") return cardsOf(table);
  return element("div", { className: ["table"], tabIndex: 0 }, [table]);
}

const elementsIn = ({ children }: Element, ...names: readonly string[]): Element[] =>
  children.filter((child) => child.type === "element" && names.includes(child.tagName)) as Element[];

const rowsIn = (table: Element, part: string): Element[][] =>
  elementsIn(table, part).flatMap((body) => elementsIn(body, "tr").map((row) => elementsIn(row, "td", "th")));

/** The columns say what cells are: the target of the card, its picture, hidden, or else content. */
function cardsOf(table: Element): Element {
  const [columns = []] = rowsIn(table, "thead");
  const cards = rowsIn(table, "tbody").map((cells) => {
    const content = cells.filter((_cell, index) => !isHidden(columns[index]));
    const [first, ...others] = content.map(({ children }) => children).filter((children) => !children.every(isBlank));
    return cardView({
      href: addressIn(cells, columns, "dataCardTarget", "a"),
      image: addressIn(cells, columns, "dataCardCover", "img") ?? addressIn(cells, columns, "dataCardCover", "a"),
      title: first ?? [],
      body: others.map((children): ElementContent => element("div", { className: ["card-text"] }, children)),
    });
  });
  return element("div", { className: ["cards"] }, cards);
}

const isHidden = (column: Element | undefined): boolean =>
  column !== undefined && ["dataHidden", "dataCardTarget", "dataCardCover"].some((name) => name in column.properties);

function addressIn(
  cells: readonly Element[],
  columns: readonly Element[],
  column: string,
  tagName: "a" | "img",
): string | null {
  const at = columns.findIndex((one) => column in one.properties);
  const cell = cells[at];
  const found = cell && findIn(cell, tagName);
  return found ? textProperty(found, tagName === "a" ? "href" : "src") : null;
}

function findIn({ children }: Element, tagName: string): Element | null {
  for (const child of children) {
    if (child.type !== "element") continue;
    const found = child.tagName === tagName ? child : findIn(child, tagName);
    if (found) return found;
  }
  return null;
}

/** A cell without text is not the head of a column for readers by ear. */
export const cellView = (cell: Element): Element =>
  cell.tagName === "th" && textOf(cell.children).trim() === "" ? { ...cell, tagName: "td" } : cell;
