// Who sends the models of a document: clients, the server, or both.
import type { Sender } from "#src/features/openapi/model/changes/rules.ts";
import { type Lookup, modelNameOf } from "#src/features/openapi/model/lookup.ts";

/** A value and who sends what is in it. */
export interface Sent {
  readonly sender: Sender;
  readonly value: unknown;
}

/** Who sends each model that is reached from these values. Each reference is followed once for each sender. */
export function sendersOfModels(lookup: Lookup, sent: readonly Sent[]): ReadonlyMap<string, ReadonlySet<Sender>> {
  const models = new Map<string, Set<Sender>>();
  for (const sender of ["client", "server"] as const) {
    const met = new Set<unknown>();
    const open = sent.flatMap((one) => (one.sender === sender ? [one.value] : []));
    while (open.length > 0) {
      const value = open.pop();
      if (typeof value !== "object" || value === null || met.has(value)) continue;
      met.add(value);
      const { $ref } = value as { $ref?: unknown };
      if (typeof $ref === "string" && !met.has($ref)) {
        met.add($ref);
        const model = modelNameOf($ref);
        if (model !== null) models.set(model, (models.get(model) ?? new Set()).add(sender));
        open.push(lookup.at($ref));
      }
      for (const inner of Object.values(value)) if (typeof inner === "object") open.push(inner);
    }
  }
  return models;
}
