// The object types of adaptive content: which claims of visitors conditions may ask for, ready-made conditions, and
// what the conditions on a site come to.
import { claimsOn } from "#src/access/visitor.ts";
import type { Claims } from "#src/base/visitor-claims.ts";
import { adaptiveSchemaForm, type TemplateCondition } from "#src/features/sites/model/adaptive-schema.ts";
import { outcomeOf } from "#src/features/sites/model/condition.ts";
import type { PlacedCondition } from "#src/features/sites/reads.ts";
import { builder } from "#src/graph/schema/builder.ts";
import { limited, type RestResourceExtensions } from "#src/graph/schema/rest-forms.ts";
import { defineEnum } from "#src/graph/schema/scalars.ts";

const resource = "site-adaptive-schema";

export const SiteAdaptiveSchema = builder
  .objectRef<{ jsonSchema: unknown; updatedAt: string | null }>("SiteAdaptiveSchema")
  .implement({
    description: "Which claims of visitors the conditions on a site may ask for.",
    extensions: { restResource: resource } satisfies RestResourceExtensions,
    fields: (t) => ({
      object: t.value("String", `Always \`${resource}\`.`, () => resource),
      jsonSchema: t.expose("jsonSchema", {
        extensions: limited(adaptiveSchemaForm),
        type: "JSON",
        description:
          "A JSON schema (draft 07) of an object of truth values, with those that visitors make of themselves in the object `unsigned`. Both come in the visitor's token alone.",
      }),
      updatedAt: t.expose("updatedAt", {
        type: "DateTime",
        nullable: true,
        description: "When it was set; null where that is not known.",
      }),
    }),
  });

export const SiteTemplateCondition = builder.objectRef<TemplateCondition>("SiteTemplateCondition").implement({
  description: "A ready-made condition.",
  fields: (t) => ({
    description: t.exposeString("description", { description: "For which visitors it holds." }),
    condition: t.exposeString("condition", { description: "The condition, as sections and site spaces take it." }),
  }),
});

const ConditionOutcome = defineEnum("ConditionOutcome", "What a condition comes to for a visitor.", {
  shown: "It holds: what has it is shown, a site space only where its section is, too.",
  hidden: "It does not hold: what has it is hidden.",
  failed: "It cannot be evaluated: what has it is hidden.",
});

interface ConditionCheck extends PlacedCondition {
  readonly outcome: "shown" | "hidden" | "failed";
  readonly error: string | null;
}

export const SiteConditionCheck = builder.objectRef<ConditionCheck>("SiteConditionCheck").implement({
  description: "What the condition of a section or site space comes to for a visitor.",
  fields: (t) => ({
    condition: t.exposeString("condition", { description: "The condition." }),
    outcome: t.expose("outcome", { type: ConditionOutcome, description: "What it comes to." }),
    error: t.exposeString("error", {
      nullable: true,
      description: "Why it cannot be evaluated, with the place in it; null unless it has failed.",
    }),
  }),
});

/** What the conditions on a site come to for a visitor with these claims. */
export function checksOf(
  site: { readonly adaptiveContentEnabled: boolean; readonly conditions: readonly PlacedCondition[] },
  claims: Claims,
): ConditionCheck[] {
  const counted = claimsOn(site, claims);
  return site.conditions.map((placed) => {
    const outcome = outcomeOf(placed.condition, counted);
    if (typeof outcome !== "boolean") return { ...placed, outcome: "failed", error: outcome.message };
    return { ...placed, outcome: outcome ? "shown" : "hidden", error: null };
  });
}
