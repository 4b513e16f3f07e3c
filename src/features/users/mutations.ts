// Mutations on users.
import { updateViewer } from "#src/features/users/commands/profile.ts";
import { EmailNotice } from "#src/features/users/type.ts";
import { namedUsers } from "#src/features/users/reads.ts";
import { defineMutation, rowPayload } from "#src/graph/schema/mutations.ts";

defineMutation({
  name: "updateViewer",
  reach: "account",
  description: "Changes the given fields of the viewer's own profile.",
  input: (t) => ({
    displayName: t.string({ description: "Display name, 1 to 255 characters." }),
    photoURL: t.string({ description: "Address of a picture, with https or http; null removes it." }),
    mutedEmails: t.field({
      type: [EmailNotice],
      description: "The kinds of e-mails that the viewer does not want; all others are sent.",
    }),
  }),
  run: (input, context) => updateViewer(context, input),
  payload: rowPayload("viewer", namedUsers, "The viewer."),
});
