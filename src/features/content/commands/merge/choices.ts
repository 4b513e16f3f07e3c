// Texts that a person chooses in the place of both sides: which conflicts take one, and what it may be.
import type { Disagreement } from "#src/features/content/commands/merge/conflicts.ts";
import { pageTextChecks } from "#src/features/content/commands/page-input.ts";
import { checkMarkdown, type TextCheck } from "#src/features/content/commands/text.ts";
import { checkVariableValue } from "#src/features/content/commands/variables.ts";

/** The check of a text that settles the conflict; undefined where only the sides can be chosen. */
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
