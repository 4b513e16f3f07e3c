// Where sessions are asked for: `sessions`.
import { sessionsOfViewer } from "#src/features/sessions/reads.ts";
import { builder } from "#src/graph/schema/builder.ts";

builder.queryField("sessions", (t) =>
  t.list(sessionsOfViewer, "Where the viewer is signed in by a browser, newest first."),
);
