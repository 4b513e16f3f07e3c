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
      "Id of the revision of the change request that the client has seen. CONFLICT, naming the current one, when it has moved on.",
  }),
  message: t.string({ description: "Message of the revision that it makes, at most 500 characters." }),
});

const changeRequest = (t: ObjectFields<{ id: string }>, description: string) =>
  t.row(changeRequests, "id", description);

const revision = (t: ObjectFields<{ revisionId: string }>, description: string) =>
  t.row(revisions, "revisionId", description);

defineMutation({
  name: "createChangeRequest",
  description: "Creates a draft that starts from the current main content of a space. Needs the role `edit` there.",
  input: (t) => ({
    spaceId: t.id({ required: true, description: "Id of the space." }),
    subject: t.string({
      extensions: ofLength(subjectLength),
      description: "What it is about, at most 100 characters; empty when left out.",
    }),
    agentTaskId: t.string({
      description:
        "Id of the task that an agent is to carry out in it, at most 100 characters; part of its event, too.",
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
    "Changes the subject and the status of a change request: the fields that are given. For its author and those with the role `review`. CONFLICT " +
    "once it is merged.",
  input: (t) => ({
    ...namedChangeRequest(t),
    subject: t.string({
      extensions: ofLength(subjectLength),
      description: "What it is about, at most 100 characters.",
    }),
    status: t.field({ type: ChangeRequestStatusChange, description: "Its state; only a merge makes it merged." }),
  }),
  run: (input, context) => updateChangeRequest(context, input),
  payload: (t) => ({ changeRequest: changeRequest(t, "The change request.") }),
});

defineMutation({
  name: "mergeChangeRequest",
  description:
    "Merges a change request, in any state but merged, into the main content of its space, as one revision. Needs the role `review`. A space that is locked " +
    "does not stop it. CONFLICT, with a detail for each conflict and nothing changed, where both changed the same in different ways " +
    "(`ChangeRequest.conflicts`); CONFLICT also once it is merged. INVALID_INPUT where comparing both takes more than five seconds.",
  input: (t) => ({
    ...namedChangeRequest(t),
    ...seen(t),
    refuseBrokenLinks: t.boolean({
      description:
        "Whether links that the merge would break refuse it: CONFLICT, with a detail for each of the first 100, and nothing changed.",
    }),
  }),
  run: (input, context) => mergeChangeRequest(context, input),
  payload: (t) => ({
    changeRequest: changeRequest(t, "The change request, which is merged."),
    revisionId: t.exposeID("revisionId", {
      description: "Id of the revision of the main content that the merge made.",
    }),
    revision: revision(t, "That revision."),
  }),
});

const updated = (t: ObjectFields<{ id: string; revisionId: string }>) => ({
  changeRequest: changeRequest(t, "The change request."),
  revisionId: t.exposeID("revisionId", { description: "Id of its active revision." }),
  revision: revision(t, "That revision."),
});

defineMutation({
  name: "pullChangeRequestUpdates",
  description:
    "Brings the main content into a change request, in any state but merged, as one revision of it. Needs the role `edit`. Where both changed the same in " +
    "different ways nothing changes, the result is CONFLICTS, and `ChangeRequest.conflicts` has them. CONFLICT once it is merged. INVALID_INPUT as when " +
    "merging.",
  input: (t) => ({ ...namedChangeRequest(t), ...seen(t) }),
  run: (input, context) => pullChangeRequestUpdates(context, input),
  payload: (t) => ({
    ...updated(t),
    result: t.expose("result", { type: PullOutcome, description: "The result: an update, or conflicts." }),
  }),
});

defineMutation({
  name: "resolveConflicts",
  description:
    "Brings the main content into a draft or open change request with a choice for each conflict, as one revision of it, which then merges. Needs the " +
    "role `edit`. CONFLICT, with a detail for each and nothing changed, where conflicts are left open (a choice can bring out another one), and for " +
    "choices of conflicts that are not there (any more); CONFLICT also once it is merged, and while it is archived. INVALID_INPUT as when " +
    "merging.",
  input: (t) => ({
    ...namedChangeRequest(t),
    ...seen(t),
    resolutions: t.field({
      type: [ConflictResolutionInput],
      description: "What to do about each conflict; at most 10,000.",
    }),
  }),
  run: (input, context) => resolveConflicts(context, input),
  payload: updated,
});
