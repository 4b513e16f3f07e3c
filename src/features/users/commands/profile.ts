// The command that changes the viewer's own profile.
import { type Action, changeIfAny } from "#src/domain/change.ts";
import type { Context } from "#src/domain/context.ts";
import { checkText, checkWebAddress, given, ifGiven, type Optional } from "#src/domain/input.ts";
import type { NoticeKind } from "#src/features/users/commands/notices.ts";
import { settingChanges } from "#src/events/event.ts";
import { userEvents } from "#src/features/users/events.ts";

export const mayUpdateViewer: Action<null> = {
  name: "user.update",
  isAllowed: () => true, // the command always targets the viewer
  refusal: "You may not change this user.",
};

const auditedColumns = { displayName: "displayName", photoURL: "photoURL", mutedEmails: "mutedEmails" } as const;

/**
 * Changes the viewer's display name, picture and e-mails; null removes the picture. INVALID_INPUT for invalid values.
 */
export async function updateViewer(
  context: Context,
  input: Optional<{ displayName: string; photoURL: string; mutedEmails: readonly NoticeKind[] }>,
): Promise<{ id: string }> {
  const { userId: id } = context.viewer;
  const data = given({
    displayName: ifGiven("displayName", input.displayName, (name) =>
      checkText("displayName", name, { min: 1, max: 255 }),
    ),
    mutedEmails: ifGiven("mutedEmails", input.mutedEmails, (kinds) => [...new Set(kinds)].toSorted()),
    photoURL: input.photoURL == null ? input.photoURL : checkWebAddress("photoURL", input.photoURL),
  });
  if (Object.keys(data).length === 0) return { id };
  return changeIfAny(context, mayUpdateViewer, null, async (transaction) => {
    await transaction.$queryRaw`select from "User" where id = ${id} for no key update`;
    const before = await transaction.user.findUniqueOrThrow({ where: { id } });
    const changes = settingChanges(before, data, auditedColumns);
    if (changes.length === 0) return { result: { id }, events: [] };
    await transaction.user.update({ where: { id }, data, select: { id: true } });
    return { result: { id }, events: [{ type: userEvents.updated, subjectId: id, payload: { changes } }] };
  });
}
