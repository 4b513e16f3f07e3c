// Where API tokens are asked for: `apiTokens`.
import { tokensOfViewer } from "#src/features/tokens/reads.ts";
import { builder } from "#src/graph/builder.ts";

builder.queryField("apiTokens", (t) =>
  t.list(tokensOfViewer, "The viewer's API tokens that are not revoked, newest first."),
);
