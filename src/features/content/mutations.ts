// Mutations on content.
import { found } from "#src/base/errors.ts";
import { editContent, restoreRevision } from "#src/features/content/commands/edit.ts";
import { findRevision } from "#src/features/content/reads/revisions.ts";
import { ContentEditInput } from "#src/features/content/type/input.ts";
import { Revision } from "#src/features/content/type/revision.ts";
import type { GraphTypes } from "#src/graph/builder.ts";
import { defineMutation } from "#src/graph/mutations.ts";
import { wantedRows } from "#src/graph/selection.ts";

type Types = PothosSchemaTypes.ExtendDefaultTypes<GraphTypes>;
type InputFields = PothosSchemaTypes.InputFieldBuilder<Types, "InputObject">;
type PayloadFields = PothosSchemaTypes.ObjectFieldBuilder<Types, { revisionId: string }>;

const target = (t: InputFields) => ({
  spaceId: t.id({
    description: "Id of the space whose main content it is. Exactly one of this and `changeRequestId`.",
  }),
  changeRequestId: t.id({ description: "Id of the change request whose content it is, a draft or open one." }),
  expectedRevision: t.id({
    description:
      "Id of the revision that the client has seen. CONFLICT, naming the current one, when the content has moved on.",
  }),
  message: t.string({ description: "What to say of it, at most 500 characters." }),
});

const payload = (t: PayloadFields) => ({
  revision: t.field({
    type: Revision,
    description: "The revision that is now active: the one before where nothing has changed.",
    resolve: async ({ revisionId }, _args, context, info) =>
      found(await findRevision(context, revisionId, wantedRows(info, "Revision")), "revision"),
  }),
});

defineMutation({
  name: "editContent",
  description:
    "Edits content: all edits, one after the other, become one revision, or none does. Needs the role `edit`. CONFLICT for the main content of a " +
    "locked space, and for a change request that is archived or merged.",
  input: (t) => ({
    ...target(t),
    edits: t.field({ type: [ContentEditInput], description: "What to do, in this order; at most 1,000." }),
  }),
  run: (input, context) => editContent(context, input),
  payload,
});

defineMutation({
  name: "restoreRevision",
  description:
    "Brings back the content of an earlier revision of the space, as a new revision. Needs the role `edit`. CONFLICT as for `editContent`.",
  input: (t) => ({
    ...target(t),
    revisionId: t.id({ required: true, description: "Id of the revision to bring back." }),
  }),
  run: (input, context) => restoreRevision(context, input),
  payload,
});
