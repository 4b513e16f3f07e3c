// Splits a page into segments for engines, and fills in translations; everything else stays. Runs in threads.
import { hash } from "node:crypto";
import type { Nodes } from "mdast";
import type { GlossaryTerm } from "#src/base/translator.ts";
import { readFrontMatter } from "#src/features/imports/model/front-matter.ts";
import { type Piece, readAnswer, textOf } from "#src/features/translations/model/placeholders.ts";
import { plainSpot, type SegmentKind, type Spot, spotsOf } from "#src/features/translations/model/spots.ts";
import { writePlain, writeSpot } from "#src/features/translations/model/write-spot.ts";
import { parseMarkdown } from "#src/documents/markdown.ts";
import { expressionsIn } from "#src/features/translations/model/masks.ts";
import { serveTasks } from "#src/runtime/threads.ts";

export type PageText = { readonly title: string; readonly description?: string; readonly markdown: string };

/** A unit of translation: a paragraph, a heading, a cell of a table. */
export interface Segment {
  readonly kind: SegmentKind;
  /** With placeholders (`placeholders.ts`). */
  readonly text: string;
}

/** A translated page, and the untranslated segments with the reasons. */
export interface Filled {
  readonly page: PageText;
  readonly failed: readonly { readonly index: number; readonly problem: string }[];
}

/** The limits of characters of fields of pages. */
const longest = { title: 200, description: 1000 } as const;

type Field = keyof typeof longest;
type Place = { readonly spot: Spot; readonly field?: Field };

/** The segments of a page in order; always the same for the same page. */
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

function bodyOf({ markdown }: PageText): { head: string; body: string } {
  const { end } = readFrontMatter(markdown);
  return { head: markdown.slice(0, end), body: markdown.slice(end) };
}

type Edit = { readonly index: number; readonly spot: Spot; readonly pieces: readonly Piece[] };

/** Segments without a translation, and those whose translation would change the structure, stay. */
export function fill(page: PageText, translations: readonly (string | null)[]): Filled {
  const failed: { index: number; problem: string }[] = [];
  const edits: Edit[] = [];
  const fields: Partial<Record<Field, string>> = {};
  for (const [index, { spot, field }] of placesOf(page).entries()) {
    const answer = translations[index] ?? null;
    if (answer === null || answer === textOf(spot.pieces)) continue;
    const pieces = inOrder(spot, readAnswer(spot.pieces, answer));
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

/** The pieces of an answer if tags without a counterpart have their order, or a fault. */
function inOrder({ parts }: Spot, pieces: readonly Piece[] | string): readonly Piece[] | string {
  if (typeof pieces === "string") return pieces;
  const tags = idsIn(pieces).filter((id) => {
    const part = parts.get(id);
    return part?.kind === "source" && part.isTag === true;
  });
  const isSorted = tags.every((id, index) => index === 0 || id > (tags[index - 1] ?? 0));
  return isSorted ? pieces : "its tags are in another order than in the source";
}

const idsIn = (pieces: readonly Piece[]): number[] =>
  pieces.flatMap((piece) => (typeof piece === "string" ? [] : [piece.id, ...idsIn(piece.inside ?? [])]));

/** The limit of parses to find the edits that change the structure; remaining edits are dropped. */
const mostParses = 200;

/** The edits that keep the structure of the text: all, or those found by bisection. */
function soundEdits(body: string, edits: readonly Edit[]): readonly Edit[] {
  if (edits.length === 0) return [];
  const structure = structureOf(body);
  let sound: readonly Edit[] = [];
  let parses = 0;
  const take = (some: readonly Edit[]): void => {
    if (some.length === 0 || parses++ >= mostParses) return;
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

/** Alternative texts of images are inside the source that placeholders of paragraphs represent. */
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
    if (spot.start < at) continue; // inside of the previous edit
    text += body.slice(at, spot.start) + writeSpot(spot, pieces, sourceAt);
    at = spot.end;
  }
  return text + body.slice(at, end);
}

export interface SegmentOrigin {
  readonly text: string;
  readonly from: string;
  readonly to: string;
  readonly instructions: string;
  readonly engine: string;
  /** The terms of the glossary that are in the text. */
  readonly terms: readonly GlossaryTerm[];
}

/** The key of a segment in the translation memory: a hash of all inputs of its translation. */
export function segmentHash({ text, from, to, instructions, engine, terms }: SegmentOrigin): string {
  const words = terms.map(({ term, translation }) => [term, translation]);
  return hash("sha256", JSON.stringify([text, from, to, instructions, engine, words]), "base64url");
}

/** The structure of a text without its words, which a translation must not change. */
export function structureOf(markdown: string): string {
  return JSON.stringify([structureOfNode(parseMarkdown(markdown)), expressionsIn(markdown)]);
}

/** The order of inline nodes may change with the language. */
const isFlowing = (type: string): boolean =>
  ["paragraph", "heading", "tableCell", "strong", "emphasis", "delete", "link", "linkReference"].includes(type);

/** Properties that contain words or depend on the notation. */
const without = new Set(["type", "position", "children", "data", "alt", "label", "referenceType"]);

function structureOfNode(node: Nodes): unknown {
  const own = Object.entries(node).filter(([name, value]) => !without.has(name) && value !== null);
  const { type } = node;
  if (!("children" in node)) return [type, own];
  const inside = node.children.filter((child) => child.type !== "text").map((child) => structureOfNode(child));
  const sorted = isFlowing(type) ? inside.map((one) => JSON.stringify(one)).toSorted() : inside;
  return [type, own, sorted];
}

/** A page to segment, or with `translations` to fill. */
export type PageTask = { readonly page: PageText; readonly translations?: readonly (string | null)[] };

serveTasks(({ page, translations }: PageTask) => (translations ? fill(page, translations) : segmentsOf(page)));
