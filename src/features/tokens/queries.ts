// Where API tokens are asked for: `apiTokens`.
import { pageTokens } from "#src/features/tokens/reads.ts";
import { ApiTokenConnection } from "#src/features/tokens/type.ts";
import { builder } from "#src/graph/builder.ts";
import { pageArguments } from "#src/graph/connections.ts";
import { wantedRows } from "#src/graph/selection.ts";

builder.queryField("apiTokens", (t) =>
  t.field({
    type: ApiTokenConnection,
    description: "The viewer's API tokens that are not revoked, newest first.",
    args: pageArguments,
    resolve: (_root, args, context, info) => pageTokens(context, args, wantedRows(info, "ApiToken")),
  }),
);
