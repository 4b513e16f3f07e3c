// Mutations on change requests.
import { found } from "#src/base/errors.ts";
import { createChangeRequest, updateChangeRequest } from "#src/features/change-requests/commands.ts";
import { findChangeRequest } from "#src/features/change-requests/reads.ts";
import { ChangeRequest, ChangeRequestStatusChange } from "#src/features/change-requests/type.ts";
import type { GraphTypes } from "#src/graph/builder.ts";
import { defineMutation } from "#src/graph/mutations.ts";
import { wantedRows } from "#src/graph/selection.ts";

type PayloadFields = PothosSchemaTypes.ObjectFieldBuilder<
  PothosSchemaTypes.ExtendDefaultTypes<GraphTypes>,
  { id: string }
>;

const payload = (description: string) => (t: PayloadFields) => ({
  changeRequest: t.field({
    type: ChangeRequest,
    description,
    resolve: async ({ id }, _args, context, info) =>
      found(await findChangeRequest(context, id, wantedRows(info, "ChangeRequest")), "change request"),
  }),
});

defineMutation({
  name: "createChangeRequest",
  description: "Makes a draft that starts from the current main content of a space. Needs the role `edit` there.",
  input: (t) => ({
    spaceId: t.id({ required: true, description: "Id of the space." }),
    subject: t.string({ description: "What it is about, at most 100 characters; empty when left out." }),
    agentTaskId: t.string({ description: "Id of the task that an agent is to carry out in it; told in its event." }),
  }),
  run: (input, context) => createChangeRequest(context, input),
  payload: payload("The new change request."),
});

defineMutation({
  name: "updateChangeRequest",
  description:
    "Changes the subject and the status of a change request: the fields that are given. For its author and those with the role `review`. CONFLICT " +
    "once it is merged.",
  input: (t) => ({
    spaceId: t.id({ required: true, description: "Id of its space." }),
    changeRequestId: t.id({ required: true, description: "Id of the change request, or its number as text." }),
    subject: t.string({ description: "What it is about, at most 100 characters." }),
    status: t.field({ type: ChangeRequestStatusChange, description: "Its state; only a merge makes it merged." }),
  }),
  run: (input, context) => updateChangeRequest(context, input),
  payload: payload("The change request."),
});
