// Which text columns are compared byte by byte (COLLATE "C"): Prisma's models cannot say it, so that migrations are
// given it by the columns' names.

/** Ids, arrays of ids, fractional positions and hashes: cursors compare them, and need one order in every database. */
const byteOrdered = String.raw`id|\w+Ids?|ancestors|parents|position|hash|\w+Hash`;

/** Whether a text column of this name is compared byte by byte. */
export function isByteOrdered(column: string): boolean {
  return new RegExp(`^(?:${byteOrdered})$`).test(column);
}

/** The script of a migration, with COLLATE "C" on every text column in it that is compared byte by byte. */
export function withByteOrder(script: string): string {
  const column = new RegExp(`"(?:${byteOrdered})"(?: SET DATA TYPE)?\\s+TEXT(?:\\[\\])?(?!\\[| COLLATE)`, "g");
  return script.replaceAll(column, `$& COLLATE "C"`);
}
