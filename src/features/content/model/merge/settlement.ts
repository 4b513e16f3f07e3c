// Keeps count of the conflicts of one merge: which ones a choice settles, with what text, and which ones stay open.
import { createHash } from "node:crypto";
import { checkMarkdown, checkVariableValue, type TextCheck } from "#src/features/content/model/checks.ts";
import type { Conflict, Disagreement } from "#src/features/content/model/merge/conflicts.ts";
import type { Choice, Choices } from "#src/features/content/model/merge/sides.ts";
import { pageTextChecks } from "#src/features/content/model/page-input.ts";

export interface Settlement {
  /**
   * The choice for a conflict; without one (or with a text where none fits) the conflict stays open. Throws
   * INVALID_INPUT for a text that is not allowed there.
   */
  readonly settle: (disagreement: Disagreement) => Choice | undefined;
  /** Leaves a conflict open whatever was chosen. */
  readonly leave: (disagreement: Disagreement) => void;
  readonly open: () => Conflict[];
  readonly met: () => Met;
  /** Ids of choices for conflicts that there are not (any more). */
  readonly unknown: () => string[];
}

/** What a part of a merge has met: the conflicts that it leaves open, and the ids of all. */
export interface Met {
  readonly open: readonly Conflict[];
  readonly asked: readonly string[];
}

/** Begins a merge with these choices, or goes on with one that has met conflicts `before`. */
export function settlementWith(choices: Choices, before: Met = { open: [], asked: [] }): Settlement {
  const asked = new Set<string>(before.asked);
  const open = new Map(before.open.map((conflict) => [conflict.id, conflict]));
  const leave = (disagreement: Disagreement) => {
    const id = idOf(disagreement);
    asked.add(id);
    open.set(id, { ...disagreement, id });
  };
  return {
    settle(disagreement) {
      const id = idOf(disagreement);
      const choice = choices.get(id);
      asked.add(id);
      if (typeof choice === "string") return choice;
      const check = choice && textCheckOf(disagreement);
      if (check) return { text: check(choice.at ?? "text", choice.text) };
      leave(disagreement);
      return undefined;
    },
    leave,
    open: () => [...open.values()],
    met: () => ({ open: [...open.values()], asked: [...asked] }),
    unknown: () => [...choices.keys()].filter((id) => !asked.has(id)),
  };
}

function idOf(disagreement: Disagreement): string {
  const shown = Object.entries(disagreement).filter(([name]) => !name.endsWith("Line"));
  return createHash("sha256").update(JSON.stringify(shown)).digest("hex").slice(0, 16);
}

/** The check of a text that settles the conflict; undefined when only the sides can be chosen. */
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
