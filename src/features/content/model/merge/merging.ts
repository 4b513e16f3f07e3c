// The state of a merge of page trees, its kinds of conflicts, and the choices that resolve them.
import type { Choice, Choices, Fields, Json, Side, Sides } from "#src/features/content/model/merge/sides.ts";
import type { DocumentPlace, DocumentSides } from "#src/features/content/model/merge/text.ts";
import { createHash } from "node:crypto";
import {
  checkMarkdown,
  checkVariableValue,
  pageTextChecks,
  type TextCheck,
} from "#src/features/content/model/checks.ts";

interface Deleted {
  readonly deletedBy: Side;
}

type OfPage<Kind extends string> = { readonly kind: Kind; readonly page: string };

type OfReusable<Kind extends string> = { readonly kind: Kind; readonly reusableContent: string };

export type Disagreement =
  /** Both sides set one field to different values, undefined if unset; `colour.red` is the key `red` of `colour`. */
  | (OfPage<"field"> & Sides<Json | undefined> & { readonly field: string })
  /** Both sides changed the same lines. */
  | (OfPage<"document"> & DocumentPlace)
  /** The other side edited or moved the page; choosing that side restores it with its subpages. */
  | (OfPage<"deleted-edited"> & Deleted)
  /** To different parents; null is the top level. */
  | (OfPage<"both-moved"> & Sides<string | null>)
  /** Choosing the side that deleted the parent keeps the page where that side has it; the other restores the parent. */
  | (OfPage<"into-deleted"> & Deleted & { readonly parent: string })
  /** Together, the moves of both sides form a cycle of these pages. The chosen side decides their parents. */
  | (OfPage<"cycle"> & { readonly pages: readonly string[] })
  /** Two pages of one parent. The chosen side keeps the slug, the other gets a number; a text is the slug for ours. */
  | (OfPage<"slug"> & Record<"slug" | "ours" | "theirs", string> & { readonly parent: string | null })
  /** Contradictory orders of the same siblings. `page` is the parent, null for the top level. */
  | ({ readonly kind: "order"; readonly page: string | null } & Sides<readonly string[]>)
  /** Both sides set a variable of the whole content to different values, undefined if unset. */
  | ({ readonly kind: "variable"; readonly name: string } & Sides<string | undefined>)
  | (OfReusable<"reusable-title"> & Sides<string | undefined>)
  | (OfReusable<"reusable-document"> & DocumentPlace)
  | (OfReusable<"reusable-deleted-edited"> & Deleted);

/**
 * The id is a hash of all fields except line numbers, so a choice applies only to the conflict that the user saw. A
 * conflict stays open if its choice contradicts another one (a page restored under a page that is to be deleted).
 */
export type Conflict = Disagreement & { readonly id: string };

export interface PageNode {
  readonly parent: string | null;
  /** A sort key among its siblings. */
  readonly position: number;
  /** All fields except the document, including `slug`. Omits times, which follow from edits. */
  readonly fields: Fields;
  readonly document: string | null;
  /** A hash of the page and its subpages, including ids: equal subtrees are not compared. */
  readonly subtree?: string;
}

/** Pages by id, without those below equal subtrees (`differingPages`): the cost depends on what changed. */
export type PagesById = ReadonlyMap<string, PageNode>;

export type Trees = Sides<PagesById>;

export interface Merging extends Trees {
  readonly settlement: Settlement;
  readonly pages: Map<string, PageNode>;
  /** Documents that both sides changed, by page, to be merged by text; `pages` has our versions. */
  readonly documents: Map<string, DocumentSides>;
  /** Pages that differ in content or position between the three sides. */
  readonly changed: Set<string>;
  /** Pages that stay although one side deleted them: their ancestors stay, too. */
  readonly saved: Map<string, Side>;
  /** Pages that a choice leaves deleted although the other side edited them. */
  readonly givenUp: Set<string>;
}

export interface Settlement {
  /** Returns the choice for a conflict; without a valid one, the conflict stays open. INVALID_INPUT for a bad text. */
  readonly settle: (disagreement: Disagreement) => Choice | undefined;
  /** Leaves a conflict open regardless of the choice. */
  readonly keepOpen: (disagreement: Disagreement) => void;
  readonly open: () => Conflict[];
  readonly state: () => SettlementState;
  readonly unknown: () => string[];
}

/** The conflicts of a part of a merge: the open ones, and the ids of all. */
export interface SettlementState {
  readonly open: readonly Conflict[];
  readonly ids: readonly string[];
}

/** Starts a merge with these choices, or continues one that had conflicts `before`. */
export function settlementWith(choices: Choices, before: SettlementState = { open: [], ids: [] }): Settlement {
  const ids = new Set<string>(before.ids);
  const open = new Map(before.open.map((conflict) => [conflict.id, conflict]));
  const keepOpen = (disagreement: Disagreement) => {
    const id = idOf(disagreement);
    ids.add(id);
    open.set(id, { ...disagreement, id });
  };
  return {
    settle(disagreement) {
      const id = idOf(disagreement);
      const choice = choices.get(id);
      ids.add(id);
      if (typeof choice === "string") return choice;
      const check = choice && textCheckOf(disagreement);
      if (check) return { text: check(choice.at ?? "text", choice.text) };
      keepOpen(disagreement);
      return undefined;
    },
    keepOpen,
    open: () => [...open.values()],
    state: () => ({ open: [...open.values()], ids: [...ids] }),
    unknown: () => [...choices.keys()].filter((id) => !ids.has(id)),
  };
}

function idOf(disagreement: Disagreement): string {
  const shown = Object.entries(disagreement).filter(([name]) => !name.endsWith("Line"));
  return createHash("sha256").update(JSON.stringify(shown)).digest("hex").slice(0, 16);
}

/** The check of a text that resolves the conflict; undefined if only a side can be chosen. */
export function textCheckOf(disagreement: Disagreement): TextCheck | undefined {
  switch (disagreement.kind) {
    case "document":
    case "reusable-document":
      return checkMarkdown;
    case "slug":
      return pageTextChecks.slug;
    case "reusable-title":
      return pageTextChecks.title;
    case "variable":
      return checkVariableValue;
    case "field":
      return checkOfField(disagreement.field);
    default:
      return undefined;
  }
}

function checkOfField(field: string): TextCheck | undefined {
  if (field.startsWith("variables.")) return checkVariableValue;
  const checks: Readonly<Record<string, TextCheck>> = pageTextChecks;
  return Object.hasOwn(checks, field) ? checks[field] : undefined;
}
