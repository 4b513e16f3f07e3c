// The object types of adaptive content: the claims of visitors that conditions may use, ready-made conditions, and
// the outcomes of the conditions on a site.
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
    description: "The claims of visitors that conditions on a site may use.",
    extensions: { restResource: resource } satisfies RestResourceExtensions,
    fields: (t) => ({
      object: t.value("String", `Always \`${resource}\`.`, () => resource),
      jsonSchema: t.expose("jsonSchema", {
        extensions: limited(adaptiveSchemaForm),
        type: "JSON",
        description:
          "A JSON schema (draft 07) of an object with boolean properties, and the claims that visitors make themselves in the object `unsigned`. Both are read only from the visitor's token.",
      }),
      updatedAt: t.expose("updatedAt", {
        type: "DateTime",
        nullable: true,
        description: "When it was set; null if unknown.",
      }),
    }),
  });

export const SiteTemplateCondition = builder.objectRef<TemplateCondition>("SiteTemplateCondition").implement({
  description: "A ready-made condition.",
  fields: (t) => ({
    description: t.exposeString("description", { description: "The visitors for whom it is true." }),
    condition: t.exposeString("condition", { description: "The condition in the syntax of sections and site spaces." }),
  }),
});

const ConditionOutcome = defineEnum("ConditionOutcome", "The outcome of a condition for a visitor.", {
  shown: "The condition is true: its section or site space is shown, a site space only if its section is shown, too.",
  hidden: "The condition is false: its section or site space is hidden.",
  failed: "The condition cannot be evaluated: its section or site space is hidden.",
});

interface ConditionCheck extends PlacedCondition {
  readonly outcome: "shown" | "hidden" | "failed";
  readonly error: string | null;
}

export const SiteConditionCheck = builder.objectRef<ConditionCheck>("SiteConditionCheck").implement({
  description: "The outcome of the condition of a section or site space for a visitor.",
  fields: (t) => ({
    condition: t.exposeString("condition", { description: "The condition." }),
    outcome: t.expose("outcome", { type: ConditionOutcome, description: "The outcome." }),
    error: t.exposeString("error", {
      nullable: true,
      description: "The reason why it cannot be evaluated, with the position; null unless it failed.",
    }),
  }),
});

/** The outcomes of the conditions on a site for a visitor with these claims. */
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
