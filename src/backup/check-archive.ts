// The check of an archive without restoring it: all parts are there, and their bytes match their hashes.
import { createHash, type Hash } from "node:crypto";
import { ArchiveError, type Manifest, type Part, readArchive, type Summary } from "#src/backup/archive.ts";
import { former, readMigrations } from "#src/db/maintenance/migrate.ts";

/** How many files of an archive are damaged, and the first of them. */
export const damageOf = (hashes: readonly string[]): string =>
  `the archive has ${hashes.length} ${hashes.length === 1 ? "file" : "files"} with other bytes than their hashes say: ${hashes.slice(0, 5).join(", ")}${hashes.length > 5 ? " ..." : ""}`;

/**
 * Reads an archive to its end, and compares it with its summary. `damaged` are hashes of files with other bytes. Throws
 * {@link ArchiveError} for anything else that differs.
 */
export async function checkArchive(path: string, onRead: (bytes: number) => void) {
  const hashes = new Map<string, { hash: Hash; bytes: number }>();
  const files = { count: 0, bytes: 0 };
  const damaged: string[] = [];
  let [manifest, summary]: [Manifest | undefined, Summary | undefined] = [undefined, undefined];
  for await (const part of readArchive(path, onRead)) {
    if (part.kind === "manifest") ({ manifest } = part);
    else if (part.kind === "summary") ({ summary } = part);
    else if (part.kind === "rows") {
      const table = hashes.get(part.table) ?? { hash: createHash("sha256"), bytes: 0 };
      hashes.set(part.table, table);
      for await (const chunk of part.bytes) {
        table.hash.update(chunk);
        table.bytes += chunk.length;
      }
    } else {
      if (!(await isWhole(part))) damaged.push(part.hash);
      files.count += 1;
      files.bytes += part.size;
    }
  }
  if (!manifest || !summary) throw new ArchiveError("the archive is empty");
  const found = [...hashes].map(([name, { hash, bytes }]) => [name, bytes, hash.digest("hex")] as const);
  const expected = Object.entries(summary.tables).filter(([, { bytes }]) => bytes > 0);
  const isSame = found.every(([name, bytes, sha256]) => {
    const of = Object.hasOwn(summary.tables, name) ? summary.tables[name] : undefined;
    return of?.bytes === bytes && of.sha256 === sha256;
  });
  if (!isSame || expected.length !== found.length || files.count !== summary.files.count)
    throw new ArchiveError("the archive is damaged: its contents do not match its summary");
  return { manifest, summary, damaged };
}

/** Reads a file of an archive to its end; false if its bytes do not match its hash. */
export async function isWhole({ hash, bytes }: Extract<Part, { kind: "file" }>): Promise<boolean> {
  const found = createHash("sha256");
  for await (const chunk of bytes) found.update(chunk);
  return found.digest("hex") === hash;
}

/**
 * The migrations of the archive's database; the initial one for archives before 1.0. Throws {@link ArchiveError} if
 * this release does not know all of them.
 */
export async function knownMigrations({ migrations }: Manifest): Promise<ReadonlySet<string>> {
  const files = await readMigrations();
  if (migrations.at(-1)?.name === former.last) return new Set(files.slice(0, 1).map(({ name }) => name));
  const ours = new Map(files.map(({ name, checksum }) => [name, checksum]));
  const unknown = migrations.filter(({ name, checksum }) => ours.get(name) !== checksum).map(({ name }) => name);
  if (unknown.length > 0)
    throw new ArchiveError(
      `the archive was made by another release of docgraph, with migrations that this one does not know: ${unknown.slice(0, 3).join(", ")}; restore it with that release`,
    );
  return new Set(migrations.map(({ name }) => name));
}
