// Mutations on users.
import { updateViewer } from "#src/features/users/commands.ts";
import { namedUsers } from "#src/features/users/reads.ts";
import { defineMutation, rowPayload } from "#src/graph/schema/mutations.ts";

defineMutation({
  name: "updateViewer",
  reach: "account",
  description: "Changes the given fields of the viewer's own profile.",
  input: (t) => ({
    displayName: t.string({ description: "Display name, 1 to 255 characters." }),
    photoURL: t.string({ description: "Address of a picture, with https or http; null removes it." }),
  }),
  run: (input, context) => updateViewer(context, input),
  payload: rowPayload("viewer", namedUsers, "The viewer."),
});
