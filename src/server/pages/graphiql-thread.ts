// The code of the thread of `graphiql.ts`: splits the package into its parts.
import { css, editorWorkerService, graphqlWorker, js, jsonWorker } from "@graphql-yoga/render-graphiql/graphiql";
import { serveTasks } from "#src/runtime/threads.ts";
import type { Parts } from "#src/server/pages/graphiql.ts";

serveTasks((): Parts => {
  const parts = {
    "graphiql/package.js": js,
    "graphiql/package.css": css,
    "graphiql/editor-worker.js": editorWorkerService,
    "graphiql/json-worker.js": jsonWorker,
    "graphiql/graphql-worker.js": graphqlWorker,
  };
  const encoder = new TextEncoder();
  return Object.fromEntries(Object.entries(parts).map(([name, text]) => [name, encoder.encode(text)]));
});
