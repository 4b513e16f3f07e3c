// The worker that makes pages of specifications: one made to be slow or large holds up only itself here, and can be
// stopped.
import { serveTasks } from "#src/runtime/threads.ts";
import { makePages } from "#src/features/openapi/model/pages/made-pages.ts";

serveTasks(makePages);
