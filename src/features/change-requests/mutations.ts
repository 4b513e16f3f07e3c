// Mutations on change requests.
import { ofLength } from "#src/graph/schema/rest-forms.ts";
import {
  createChangeRequest,
  subjectLength,
  updateChangeRequest,
} from "#src/features/change-requests/commands/change-request.ts";
import {
  mergeChangeRequest,
  pullChangeRequestUpdates,
  resolveConflicts,
} from "#src/features/change-requests/commands/merge.ts";
import { changeRequests, changeRequestsOfSpace } from "#src/features/change-requests/reads/change-requests.ts";
import {
  ChangeRequestStatusChange,
  ConflictResolutionInput,
  PullOutcome,
} from "#src/features/change-requests/type/change-request.ts";
import { revisions } from "#src/features/content/reads/revisions.ts";
import type { InputFields, ObjectFields } from "#src/graph/schema/builder.ts";
import { createdPayload, defineMutation } from "#src/graph/schema/mutations.ts";

export const namedChangeRequest = (t: InputFields) => ({
  changeRequestId: t.id({ required: true, description: "Id of the change request." }),
});

const seen = (t: InputFields) => ({
  expectedRevisionId: t.id({
    description:
      "Id of the revision of the change request that the client has seen. CONFLICT, with the current id in the message, if a newer revision exists.",
  }),
  message: t.string({ description: "Message of the new revision, at most 500 characters." }),
});

const changeRequest = (t: ObjectFields<{ id: string }>, description: string) =>
  t.row(changeRequests, "id", description);

const revision = (t: ObjectFields<{ revisionId: string }>, description: string) =>
  t.row(revisions, "revisionId", description);

defineMutation({
  name: "createChangeRequest",
  description:
    "Creates a draft that starts from the current main content of a space. Requires the role `edit` on the space.",
  input: (t) => ({
    spaceId: t.id({ required: true, description: "Id of the space." }),
    subject: t.string({
      extensions: ofLength(subjectLength),
      description: "Subject, at most 100 characters; empty by default.",
    }),
    agentTaskId: t.string({
      description:
        "Id of the task of an agent that works in the change request, at most 100 characters. Its event includes the id.",
    }),
  }),
  run: (input, context) => createChangeRequest(context, input),
  payload: createdPayload("changeRequest", changeRequestsOfSpace, {
    description: "The new change request.",
    in: "Space.changeRequests",
  }),
});

defineMutation({
  name: "updateChangeRequest",
  description:
    "Changes the subject or status of a change request; omitted fields stay unchanged. Only for its author and users with the role `review`. CONFLICT " +
    "if it is merged.",
  input: (t) => ({
    ...namedChangeRequest(t),
    subject: t.string({
      extensions: ofLength(subjectLength),
      description: "Subject, at most 100 characters.",
    }),
    status: t.field({
      type: ChangeRequestStatusChange,
      description: "Status; the status `MERGED` is set only by a merge.",
    }),
  }),
  run: (input, context) => updateChangeRequest(context, input),
  payload: (t) => ({ changeRequest: changeRequest(t, "The change request.") }),
});

defineMutation({
  name: "mergeChangeRequest",
  description:
    "Merges a change request of any status except merged into the main content of its space, as one revision. Requires the role `review`; allowed in a locked space. " +
    "CONFLICT, with a detail for each conflict and without any change, if both sides contradict each other " +
    "(`ChangeRequest.conflicts`), or if it is already merged. INVALID_INPUT if the comparison takes more than five seconds.",
  input: (t) => ({
    ...namedChangeRequest(t),
    ...seen(t),
    refuseBrokenLinks: t.boolean({
      description:
        "If true, a merge that would break links fails: CONFLICT, with a detail for each of the first 100 links and without any change. False by default.",
    }),
  }),
  run: (input, context) => mergeChangeRequest(context, input),
  payload: (t) => ({
    changeRequest: changeRequest(t, "The merged change request."),
    revisionId: t.exposeID("revisionId", {
      description: "Id of the revision of the main content that the merge created.",
    }),
    revision: revision(t, "The revision with the id `revisionId`."),
  }),
});

const updated = (t: ObjectFields<{ id: string; revisionId: string }>) => ({
  changeRequest: changeRequest(t, "The change request."),
  revisionId: t.exposeID("revisionId", { description: "Id of the current revision of the change request." }),
  revision: revision(t, "The revision with the id `revisionId`."),
});

defineMutation({
  name: "pullChangeRequestUpdates",
  description:
    "Merges the main content into a change request of any status except merged, as one revision of it. Requires the role `edit`. If both sides contradict each " +
    "other, nothing changes, the result is CONFLICTS, and `ChangeRequest.conflicts` lists them. CONFLICT if it is already merged. INVALID_INPUT if the " +
    "comparison takes more than five seconds.",
  input: (t) => ({ ...namedChangeRequest(t), ...seen(t) }),
  run: (input, context) => pullChangeRequestUpdates(context, input),
  payload: (t) => ({
    ...updated(t),
    result: t.expose("result", { type: PullOutcome, description: "Outcome of the update." }),
  }),
});

defineMutation({
  name: "resolveConflicts",
  description:
    "Merges the main content into a draft or open change request with a choice for each conflict, as one revision of it, which can then be merged. Requires the " +
    "role `edit`. CONFLICT, with a detail for each and without any change, if conflicts stay open (a choice can cause another conflict) or choices name " +
    "conflicts that do not exist; CONFLICT also if it is merged or archived. INVALID_INPUT if the comparison takes more than five " +
    "seconds.",
  input: (t) => ({
    ...namedChangeRequest(t),
    ...seen(t),
    resolutions: t.field({
      type: [ConflictResolutionInput],
      description: "Resolutions of the conflicts, one each; at most 10,000.",
    }),
  }),
  run: (input, context) => resolveConflicts(context, input),
  payload: updated,
});
