// The order of the structure of a site as a form contains it: one line for each group, section and site space, and the
// steps up and down that buttons make, also into and out of groups and sections.

/** `inner` is a section in the group above it. A site space is in the section above it, or at the root. */
type Kind = "group" | "section" | "inner" | "space";

export interface Line {
  readonly kind: Kind;
  readonly id: string;
}

export type Direction = "up" | "down";

const kinds: readonly string[] = ["group", "section", "inner", "space"] satisfies Kind[];

/** The text of a field that contains the order. */
export const orderText = (lines: readonly Line[]): string => lines.map(({ kind, id }) => `${kind} ${id}`).join(",");

/** The lines of such a text; parts that have another form are ignored. */
export const linesIn = (text: string): Line[] =>
  text.split(",").flatMap((part) => {
    const [kind = "", id = ""] = part.split(" ");
    return kinds.includes(kind) && id !== "" ? [{ kind: kind as Kind, id }] : []; // one of them
  });

/** The order as `sortSiteStructure` takes it. */
export function structureOf(lines: readonly Line[]): object[] {
  const entries: object[] = [];
  let sections: object[] | null = null;
  let spaces: string[] | null = null;
  for (const { kind, id } of lines) {
    if (kind === "space" && !spaces) entries.push({ siteSpaceId: id });
    else if (kind === "space") spaces?.push(id);
    else if (kind === "group") {
      [sections, spaces] = [[], null];
      entries.push({ sectionGroup: { siteSectionGroupId: id, sections } });
    } else {
      spaces = [];
      const section = { siteSectionId: id, siteSpaceIds: spaces };
      if (kind === "inner" && sections) sections.push(section);
      else entries.push({ section });
    }
  }
  return entries;
}

/** The order after the entry at `index` has moved by one step; null if it is the first or the last. */
export function moved(lines: readonly Line[], index: number, direction: Direction): Line[] | null {
  const line = lines[index];
  if (!line) return null;
  if (line.kind === "space") return movedSpace(lines, index, direction);
  return (direction === "up" ? raised : lowered)(lines, index, line);
}

const endsBlock: Readonly<Record<Kind, readonly Kind[]>> = {
  group: ["group", "section"],
  section: ["group", "section", "inner"],
  inner: ["group", "section", "inner"],
  space: kinds as readonly Kind[],
};

/** The index after the entry at `index` and everything in it. */
function endOf(lines: readonly Line[], index: number): number {
  const ends = endsBlock[lines[index]?.kind ?? "space"];
  const next = lines.findIndex(({ kind }, place) => place > index && ends.includes(kind));
  return next === -1 ? lines.length : next;
}

/** The index of the last line before `index` of one of these kinds; -1 without one. */
const lastBefore = (lines: readonly Line[], index: number, wanted: readonly Kind[]): number =>
  lines.findLastIndex(({ kind }, place) => place < index && wanted.includes(kind));

/** A site space changes its section at the end of it. The line of a group takes none. */
function movedSpace(lines: readonly Line[], index: number, direction: Direction): Line[] | null {
  const others = lines.toSpliced(index, 1);
  const isAtRoot = lines.every(({ kind }) => kind === "space");
  const isPlace = (place: number) => (isAtRoot ? place >= 0 : place > 0 && others[place - 1]?.kind !== "group");
  const step = direction === "up" ? -1 : 1;
  for (let place = index + step; place >= 0 && place <= others.length; place += step)
    if (isPlace(place)) return others.toSpliced(place, 0, ...lines.slice(index, index + 1));
  return null;
}

function raised(lines: readonly Line[], index: number, line: Line): Line[] | null {
  const isInner = line.kind === "inner";
  const before = lastBefore(lines, index, isInner ? ["inner", "group"] : ["group", "section"]);
  if (before === -1) return null;
  const isGroup = lines[before]?.kind === "group";
  if (line.kind === "section" && isGroup) return lines.with(index, { ...line, kind: "inner" });
  const block = lines.slice(index, endOf(lines, index));
  const first: Line = isInner && isGroup ? { ...line, kind: "section" } : line;
  return lines.toSpliced(index, block.length).toSpliced(before, 0, first, ...block.slice(1));
}

function lowered(lines: readonly Line[], index: number, line: Line): Line[] | null {
  const end = endOf(lines, index);
  const next = lines[end];
  if (line.kind === "inner" && next?.kind !== "inner") return lines.with(index, { ...line, kind: "section" });
  if (!next) return null;
  const block = lines.slice(index, end);
  const isIntoGroup = line.kind === "section" && next.kind === "group";
  const first: Line = isIntoGroup ? { ...line, kind: "inner" } : line;
  const place = (isIntoGroup ? end + 1 : endOf(lines, end)) - block.length;
  return lines.toSpliced(index, block.length).toSpliced(place, 0, first, ...block.slice(1));
}
