// Texts that a person chooses in place of both sides: which conflicts allow one, and what it may be.
import type { Disagreement } from "#src/features/content/model/merge/conflicts.ts";
import { pageTextChecks } from "#src/features/content/model/page-input.ts";
import { checkMarkdown, type TextCheck } from "#src/features/content/model/text.ts";
import { checkVariableValue } from "#src/features/content/model/variables.ts";

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
