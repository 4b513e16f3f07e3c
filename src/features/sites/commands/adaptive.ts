// Setting the adaptive schema of a site, and checking conditions against it.
import { DomainError, type ErrorDetail, invalidInput } from "#src/base/errors.ts";
import type { Transaction } from "#src/domain/change.ts";
import type { Context } from "#src/domain/context.ts";
import { mayUpdateSite } from "#src/features/sites/access.ts";
import { loadSite, type Within } from "#src/features/sites/commands/load.ts";
import { onSite, rearrange } from "#src/features/sites/commands/rearrange.ts";
import type { HeldSite } from "#src/features/sites/commands/structure.ts";
import { siteEvents } from "#src/features/sites/events.ts";
import {
  type AdaptiveSchema,
  checkAdaptiveSchema,
  claimNames,
  declaredBy,
} from "#src/features/sites/model/adaptive-schema.ts";
import { type DeclaredClaims, problemOf } from "#src/features/sites/model/condition.ts";

/** The first schema turns adaptive content on. CONFLICT lists the conditions whose claims would no longer exist. */
export async function setSiteAdaptiveSchema(
  context: Context,
  input: Within & { readonly siteId: string; readonly jsonSchema?: unknown },
): Promise<{ id: string }> {
  const adaptiveSchema = await checkAdaptiveSchema("jsonSchema", input.jsonSchema);
  const site = await loadSite(context, input.siteId, input);
  const { id } = site;
  return rearrange(context, onSite(mayUpdateSite, site), async (held, transaction) => {
    const { schema: before, adaptiveContentEnabled } = await schemaOf(transaction, id);
    const subject = { type: siteEvents.updated, subjectId: id };
    if (JSON.stringify(before) === JSON.stringify(adaptiveSchema)) return { result: { id }, event: subject };
    requireConditionsHold(held, declaredBy(before), declaredBy(adaptiveSchema));
    const enabled = adaptiveContentEnabled || before === null;
    const data = { adaptiveSchemaUpdatedAt: context.clock.now(), adaptiveContentEnabled: enabled };
    const json: object = adaptiveSchema; // as Prisma takes it
    await transaction.site.update({ where: { id }, data: { ...data, adaptiveSchema: json } });
    const changes = [
      { field: "adaptiveSchema", before: claimNames(before), after: claimNames(adaptiveSchema) },
      ...(enabled === adaptiveContentEnabled ? [] : [{ field: "adaptiveContent.enabled", before: false, after: true }]),
    ];
    return { result: { id }, event: { ...subject, payload: { changes } }, isWritten: true };
  });
}

async function schemaOf(
  transaction: Transaction,
  id: string,
): Promise<{ schema: AdaptiveSchema | null; adaptiveContentEnabled: boolean }> {
  const { adaptiveSchema, adaptiveContentEnabled } = await transaction.site.findUniqueOrThrow({
    where: { id },
    select: { adaptiveSchema: true, adaptiveContentEnabled: true },
  });
  return { schema: adaptiveSchema as AdaptiveSchema | null, adaptiveContentEnabled }; // written only when checked
}

const listLimit = 100;

/** CONFLICT, listing them, if the change invalidates conditions that were valid before. */
function requireConditionsHold({ structure }: HeldSite, before: DeclaredClaims, after: DeclaredClaims): void {
  const broken = (kind: string, of: readonly { readonly id: string; readonly condition: string | null }[]) =>
    of.flatMap(({ id, condition }): ErrorDetail[] => {
      const problem = condition === null || problemOf(condition, before) ? null : problemOf(condition, after);
      return problem ? [{ path: `${kind}/${id}/condition`, message: problem.message }] : [];
    });
  const details = [...broken("sections", structure.sections), ...broken("siteSpaces", structure.places.flat())];
  if (details.length === 0) return;
  const message = `The schema would remove claims that ${details.length} conditions on the site use: change these conditions first.`;
  throw new DomainError("CONFLICT", message, details.slice(0, listLimit));
}

/** INVALID_INPUT, with its path, for a changed condition that is invalid or uses an undeclared claim. */
export async function requireCondition(
  transaction: Transaction,
  { siteId, condition }: { readonly siteId: string; readonly condition: string | null },
  wished: string | null | undefined,
): Promise<void> {
  if (wished == null || wished === condition) return;
  const { schema } = await schemaOf(transaction, siteId);
  const problem = problemOf(wished, declaredBy(schema));
  if (problem) throw invalidInput("condition", problem.message);
}
