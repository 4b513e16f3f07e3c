// Reading the parsed files of a version, which are in the file storage.
import { json } from "node:stream/consumers";
import type { Context } from "#src/domain/context.ts";

/**
 * The parsed files of a version by their paths: `filesystem` is where they are in the file storage. Throws
 * INVALID_INPUT beyond what is left of the budget of the operation.
 */
export async function readFilesystem({ files, reader }: Context, filesystem: string): Promise<unknown> {
  const [stored, bytes] = [await files.find(filesystem), await files.open(filesystem)];
  if (!stored || !bytes) throw new Error(`The files ${filesystem} are not in the store`);
  try {
    reader.budget.takeText(stored.size);
  } catch (error) {
    bytes.destroy();
    throw error;
  }
  return json(bytes);
}
