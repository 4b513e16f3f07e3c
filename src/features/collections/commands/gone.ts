// Deletions of what somebody else deleted in between: the same answer as for what was never there.
import { DomainError } from "#src/base/errors.ts";

/** Whether the deletion did it: false when the row was gone by the time of its transaction (NOT_FOUND). Other errors pass. */
export async function deletedUnlessGone(deletion: Promise<unknown>): Promise<{ deleted: boolean }> {
  try {
    await deletion;
    return { deleted: true };
  } catch (error) {
    if (error instanceof DomainError && error.code === "NOT_FOUND") return { deleted: false };
    throw error;
  }
}
