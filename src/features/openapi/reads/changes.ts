// The changes from one version of a specification to another: compared in a thread, and cached.
import { buffer } from "node:stream/consumers";
import { cacheOf } from "#src/runtime/cache-budget.ts";
import { idOf } from "#src/base/ids.ts";
import { DomainError, found } from "#src/base/errors.ts";
import { ThreadPool } from "#src/runtime/threads.ts";
import { project, type Projection } from "#src/db/reading/entity.ts";
import { comparisonMs, comparisonTimeOf } from "#src/domain/comparison-time.ts";
import type { Context } from "#src/domain/context.ts";
import type { Pair, SpecChange, SpecChanges } from "#src/features/openapi/model/changes/change.ts";
import { openSpecDocument, openApiSpecVersions, versionsOfSpec } from "#src/features/openapi/reads/specs.ts";

const pool = new ThreadPool<Pair<Uint8Array>, SpecChanges>(new URL("../model/changes/compare.ts", import.meta.url), {
  threads: 1,
  megabytes: 640,
  needs: ([pair]) => 64 + (pair ? pair.before.length + pair.after.length : 0) / 20_000,
});

const cached = cacheOf<string, SpecChanges>("specifications", 16, ({ changes }) => 200 + 800 * changes.length);

export type VersionChanges = SpecChanges & { readonly beforeId: string; readonly afterId: string };
type ComparedVersion = { readonly id: string; readonly specId: string; readonly number: number };

/** Null for the first version. Throws NOT_FOUND, INVALID_INPUT if the comparison takes too long. */
export async function changesSince(
  context: Context,
  version: ComparedVersion,
  since: string | null,
): Promise<VersionChanges | null> {
  const before = await findBefore(context, version, since);
  if (!before) return null;
  const key = `${before.id} ${version.id}`;
  const changes =
    cached.get(key) ?? (await context.reader.once(compare, key, () => compare(context, before.id, version.id)));
  cached.keep(key, changes);
  return { ...changes, beforeId: before.id, afterId: version.id };
}

async function findBefore({ reader }: Context, { specId, number }: ComparedVersion, since: string | null) {
  const projection: Projection = project(["specId"]);
  if (since === null) return reader.pick(versionsOfSpec, { id: specId }, { key: { number: number - 1 }, projection });
  const before = await reader.found(openApiSpecVersions, since, projection);
  return found(before.specId === specId ? before : null, openApiSpecVersions.noun);
}

async function compare(context: Context, beforeId: string, afterId: string): Promise<SpecChanges> {
  const [before, after] = await Promise.all([beforeId, afterId].map((id) => readJson(context, id)));
  if (!before || !after) throw found(null, "document");
  const { answers } = await comparisonTimeOf(context).inThread((ms) => pool.run([{ before, after }], ms));
  if (!answers[0])
    throw new DomainError(
      "INVALID_INPUT",
      `Comparing these versions takes more than ${comparisonMs / 1000} seconds or too much memory: compare fewer versions at a time.`,
    );
  return answers[0];
}

async function readJson(context: Context, versionId: string): Promise<Uint8Array> {
  return buffer(found(await openSpecDocument(context, versionId), "document"));
}

/** A change with an id for cursors: its index in the whole list. */
export type ListedChange = SpecChange & { readonly id: string };

/** The changes; `isBreaking` selects those that break clients, or those that do not. */
export function listChanges(
  { changes, beforeId, afterId }: VersionChanges,
  isBreaking: boolean | null,
): ListedChange[] {
  const listed = changes.map((change, index) => ({
    ...change,
    id: idOf("OpenApiSpecVersion", `${beforeId} ${afterId} ${index}`),
  }));
  return isBreaking === null ? listed : listed.filter((change) => change.isBreaking === isBreaking);
}
