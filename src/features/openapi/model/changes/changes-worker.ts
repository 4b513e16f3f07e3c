// The worker that compares versions of specifications: those made to be slow or large hold up only themselves here, and
// can be stopped.
import { serveTasks } from "#src/runtime/threads.ts";
import type { Pair, SpecChanges } from "#src/features/openapi/model/changes/change.ts";
import { compareDocuments } from "#src/features/openapi/model/changes/compare.ts";
import type { SpecDocument } from "#src/features/openapi/model/spec-document.ts";

const parsed = (json: Uint8Array) => JSON.parse(new TextDecoder().decode(json)) as SpecDocument; // as it was processed

serveTasks(({ before, after }: Pair<Uint8Array>): SpecChanges => compareDocuments(parsed(before), parsed(after)));
