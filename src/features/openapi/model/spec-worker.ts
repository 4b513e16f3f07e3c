// The worker that processes specifications: one made to be slow or large holds up only itself here, and can be stopped.
import { serveTasks } from "#src/runtime/threads.ts";
import { processSpec } from "#src/features/openapi/model/process.ts";

serveTasks(processSpec);
