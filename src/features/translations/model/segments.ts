// A page as segments that engines translate, and back: what is not translated stays byte for byte.
import { hash } from "node:crypto";
import type { GlossaryTerm } from "#src/base/translator.ts";
import { readFrontMatter } from "#src/features/imports/model/front-matter.ts";
import { type Piece, readAnswer, textOf } from "#src/features/translations/model/placeholders.ts";
import { plainSpot, type SegmentKind, type Spot, spotsOf } from "#src/features/translations/model/spots.ts";
import { structureOf } from "#src/features/translations/model/structure.ts";
import { writePlain, writeSpot } from "#src/features/translations/model/written.ts";

/** What of a page is translated. */
export interface PageText {
  readonly title: string;
  readonly description?: string;
  readonly markdown: string;
}

/** Text that is translated as one: a paragraph, a heading, a cell of a table. */
export interface Segment {
  readonly kind: SegmentKind;
  /** With placeholders for what is held out (`placeholders.ts`). */
  readonly text: string;
}

/** A page with translations in it, and which segments stayed as they are in the source, and why. */
export interface Filled {
  readonly page: PageText;
  readonly failed: readonly { readonly index: number; readonly problem: string }[];
}

/** The most characters of these, as pages have them. */
const longest = { title: 200, description: 1000 } as const;

type Field = keyof typeof longest;

/** A spot with what it is in: a field, or the text of the page. */
interface Place {
  readonly spot: Spot;
  readonly field?: Field;
}

/** The segments of a page, in its order. The same page always has the same segments. */
export function segmentsOf(page: PageText): Segment[] {
  return placesOf(page).map(({ spot: { kind, pieces } }) => ({ kind, text: textOf(pieces) }));
}

function placesOf(page: PageText): Place[] {
  const fields = (["title", "description"] as const).flatMap((field): Place[] => {
    const spot = plainSpot(page[field] ?? "", field);
    return spot ? [{ spot, field }] : [];
  });
  return [...fields, ...spotsOf(bodyOf(page).body).map((spot) => ({ spot }))];
}

/** What a text says about itself is no text of the page. */
function bodyOf({ markdown }: PageText): { head: string; body: string } {
  const { end } = readFrontMatter(markdown);
  return { head: markdown.slice(0, end), body: markdown.slice(end) };
}

/** A translated spot of the body. */
interface Edit {
  readonly index: number;
  readonly spot: Spot;
  readonly pieces: readonly Piece[];
}

/**
 * Puts translations in the places of the segments, which they are of by index; those without one, and those that would
 * change more than words, stay as they are in the source.
 */
export function fill(page: PageText, translations: readonly (string | null)[]): Filled {
  const failed: { index: number; problem: string }[] = [];
  const edits: Edit[] = [];
  const fields: Partial<Record<Field, string>> = {};
  for (const [index, { spot, field }] of placesOf(page).entries()) {
    const answer = translations[index] ?? null;
    if (answer === null || answer === textOf(spot.pieces)) continue;
    const pieces = readAnswer(spot.pieces, answer);
    if (typeof pieces === "string") failed.push({ index, problem: pieces });
    else if (!field) edits.push({ index, spot, pieces });
    else {
      const text = writePlain(spot, pieces, (start, end) => (page[field] ?? "").slice(start, end));
      if (Array.from(text).length <= longest[field]) fields[field] = text;
      else failed.push({ index, problem: `it has more than ${longest[field]} characters` });
    }
  }
  const { head, body } = bodyOf(page);
  const sound = soundEdits(body, edits);
  for (const { index } of edits)
    if (!sound.some((edit) => edit.index === index))
      failed.push({ index, problem: "it would change the structure of the page" });
  return {
    page: { ...page, ...fields, markdown: head + edited(body, sound) },
    failed: failed.toSorted((one, other) => one.index - other.index),
  };
}

/** How often a text is read to find the edits that change its structure; the rest are then given up. */
const mostReadings = 200;

/** The edits that leave the structure of the text as it is: all of them, or what is left when halves are tried. */
function soundEdits(body: string, edits: readonly Edit[]): readonly Edit[] {
  if (edits.length === 0) return [];
  const structure = structureOf(body);
  let sound: readonly Edit[] = [];
  let readings = 0;
  const take = (some: readonly Edit[]): void => {
    if (some.length === 0 || readings++ >= mostReadings) return;
    const tried = [...sound, ...some];
    if (structureOf(edited(body, tried)) === structure) sound = tried;
    else if (some.length > 1) {
      take(some.slice(0, some.length >> 1));
      take(some.slice(some.length >> 1));
    }
  };
  take(edits);
  return sound;
}

/** The text with these edits. That of an image's alternative text is in the source that its paragraph holds out. */
function edited(body: string, edits: readonly Edit[]): string {
  const alts = edits.filter(({ spot }) => spot.kind === "alternative text");
  const sourceAt = (start: number, end: number): string => replaced(body, { start, end }, alts, plainly);
  const plainly = (start: number, end: number): string => body.slice(start, end);
  return replaced(body, { start: 0, end: body.length }, edits, sourceAt);
}

function replaced(
  body: string,
  { start, end }: { readonly start: number; readonly end: number },
  edits: readonly Edit[],
  sourceAt: (start: number, end: number) => string,
): string {
  const inside = edits
    .filter(({ spot }) => spot.start >= start && spot.end <= end)
    .toSorted(({ spot: one }, { spot: other }) => one.start - other.start || other.end - one.end);
  let at = start;
  let text = "";
  for (const { spot, pieces } of inside) {
    if (spot.start < at) continue; // is in the one before
    text += body.slice(at, spot.start) + writeSpot(spot, pieces, sourceAt);
    at = spot.end;
  }
  return text + body.slice(at, end);
}

/** What a translation of a segment depends on. */
export interface SegmentOrigin {
  readonly text: string;
  readonly from: string;
  readonly to: string;
  readonly instructions: string;
  readonly engine: string;
  /** Those of the glossary that are in the text. */
  readonly terms: readonly GlossaryTerm[];
}

/** The hash by which the translation of a segment is remembered: another one for anything that it depends on. */
export function segmentHash({ text, from, to, instructions, engine, terms }: SegmentOrigin): string {
  const words = terms.map(({ term, translation }) => [term, translation]);
  return hash("sha256", JSON.stringify([text, from, to, instructions, engine, words]), "base64url");
}
