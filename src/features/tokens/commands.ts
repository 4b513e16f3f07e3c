// Creating and revoking API tokens.
import { newId } from "#src/base/ids.ts";
import { newToken } from "#src/access/tokens.ts";
import { want } from "#src/db/entity.ts";
import { change } from "#src/domain/change.ts";
import type { Context } from "#src/domain/context.ts";
import { checkFuture, checkText } from "#src/domain/input.ts";
import { mayCreateApiToken, mayRevokeApiToken } from "#src/features/tokens/access.ts";
import { tokenEvents } from "#src/features/tokens/events.ts";
import { tokens } from "#src/features/tokens/reads.ts";

/** Makes a token for the viewer; its text is in the answer only. INVALID_INPUT for a bad name or a time in the past. */
export async function createApiToken(
  context: Context,
  input: { name: string; expiresAt?: Date | null | undefined },
): Promise<{ id: string; token: string }> {
  const { userId } = context.viewer;
  const name = checkText("name", input.name, { min: 1, max: 100 });
  const expiresAt = input.expiresAt ? checkFuture("expiresAt", input.expiresAt, context.clock.now()) : null;
  const { token, hash } = newToken();
  const id = newId("ApiToken");
  return change(context, mayCreateApiToken, { userId }, async (transaction) => {
    await transaction.apiToken.create({ data: { id, userId, name, hash, expiresAt, createdAt: context.clock.now() } });
    return { result: { id, token }, events: [{ type: tokenEvents.created, subjectId: id }] };
  });
}

/** Revokes a token of the viewer's at once. Revoking it again changes nothing. NOT_FOUND for any other. */
export async function revokeApiToken(context: Context, id: string): Promise<{ id: string }> {
  const token = await context.reader.found(tokens, id, want(["userId"]));
  return change(context, mayRevokeApiToken, token, async (transaction) => {
    await transaction.apiToken.updateMany({ where: { id, revokedAt: null }, data: { revokedAt: context.clock.now() } });
    return { result: { id }, events: [{ type: tokenEvents.revoked, subjectId: id }] };
  });
}
