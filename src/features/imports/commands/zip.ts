// Opens untrusted ZIP archives; files are unpacked lazily.
import { isUtf8 } from "node:buffer";
import { buffer } from "node:stream/consumers";
import { crc32 } from "node:zlib";
import { type Entry, fromBufferPromise, getFileNameLowLevel, openPromise, type ZipFile } from "yauzl";
import { DomainError, invalidInput } from "#src/base/errors.ts";
import { isPauseDue, pause } from "#src/runtime/yielding.ts";
import { checkPath, ImportFiles, importLimits, isLeftover } from "#src/features/imports/model/files.ts";
import type { Upload } from "#src/files/upload.ts";
import type { OpenImport } from "#src/features/imports/model/open-import.ts";

/** Maximum bytes of an archive in memory. */
export const archiveLimit = 100_000_000;

/** A file that exceeds both limits is rejected as a zip bomb. */
const bomb = { ratio: 200, size: 1_000_000 };

/** Maximum bytes of all unpacked files: a multiple of the archive plus an offset, because texts compress well. */
const unpacked = { ratio: 20, more: 10_000_000 };

/**
 * Opens an archive. If everything is in one folder, that is the root. Skips special files with a warning.
 * INVALID_INPUT for a broken, encrypted or malicious archive, TOO_LARGE above {@link importLimits}.
 */
export async function openZip(archive: string | Buffer): Promise<OpenImport> {
  const options = { autoClose: false, decodeStrings: false };
  const opening = typeof archive === "string" ? openPromise(archive, options) : fromBufferPromise(archive, options);
  const zip = await opening.catch(refuse);
  try {
    return { files: await readDirectory(zip), [Symbol.asyncDispose]: async () => zip.close() };
  } catch (error) {
    zip.close();
    throw error;
  }
}

/** Opens an uploaded archive. Throws like {@link openZip}, and TOO_LARGE above {@link archiveLimit}. */
export async function openUploadedZip({ blob }: Upload): Promise<OpenImport> {
  checkArchiveSize(blob.size);
  return openZip(await blob.read());
}

/** Throws TOO_LARGE above {@link archiveLimit}. */
export function checkArchiveSize(bytes: number): void {
  if (bytes > archiveLimit)
    throw new DomainError("TOO_LARGE", `An uploaded archive may have at most ${archiveLimit} bytes.`);
}

function refuse(error: unknown): never {
  const isOurs = error instanceof DomainError || (error instanceof Error && "syscall" in error);
  if (isOurs || !(error instanceof Error)) throw error;
  throw new DomainError("INVALID_INPUT", `The archive cannot be read: ${error.message.replace(/\.$/, "")}.`);
}

async function readDirectory(zip: ZipFile): Promise<ImportFiles> {
  // Folders are entries, too.
  if (zip.entryCount > 2 * importLimits.files)
    throw new DomainError("TOO_LARGE", `An archive may have at most ${2 * importLimits.files} entries.`);
  const files = new ImportFiles();
  const found: { name: string; entry: Entry }[] = [];
  try {
    for await (const entry of zip.eachEntry()) {
      if (isPauseDue()) await pause();
      const name = checkName(entry);
      if (name.endsWith("/") || isLeftover(name)) continue;
      if (isSpecial(entry))
        files.warnings.add(name, null, "It is a symbolic link or another special file, and was skipped.");
      else found.push({ name, entry: checkEntry(name, entry) });
    }
  } catch (error) {
    refuse(error);
  }
  const top = topFolder(found.map(({ name }) => name));
  for (const { name, entry } of found) {
    if (isPauseDue()) await pause();
    files.add({ path: name.slice(top.length), size: entry.uncompressedSize, read: () => unpack(zip, name, entry) });
  }
  checkWhole(found.map(({ entry }) => entry));
  return files;
}

/** The decoded name: many tools write UTF-8 without setting its flag. */
function checkName({ fileNameRaw, generalPurposeBitFlag, extraFields }: Entry): string {
  const flags = isUtf8(fileNameRaw) ? generalPurposeBitFlag | 0x800 : generalPurposeBitFlag;
  const name = getFileNameLowLevel(flags, fileNameRaw, extraFields, true);
  checkPath(name.replace(/\/$/, ""));
  return name;
}

/** Whether the Unix mode, if set, is not that of a regular file. */
function isSpecial({ externalFileAttributes }: Entry): boolean {
  const kind = (externalFileAttributes >>> 16) & 0o170000;
  return kind !== 0 && kind !== 0o100000;
}

function checkEntry(name: string, entry: Entry): Entry {
  const { compressedSize, uncompressedSize, compressionMethod } = entry;
  if (entry.isEncrypted()) throw invalidInput(name, "is encrypted. Create the archive without a password.");
  if (compressionMethod !== 0 && compressionMethod !== 8)
    throw invalidInput(name, "uses a compression method other than deflate. Create the archive again with deflate.");
  if (uncompressedSize > bomb.size && uncompressedSize > bomb.ratio * compressedSize)
    throw invalidInput(name, `unpacks to more than ${bomb.ratio} times its size, which indicates a zip bomb.`);
  return entry;
}

/** Throws TOO_LARGE if the total unpacked size is too large. */
function checkWhole(entries: readonly Entry[]): void {
  const sum = (sizeOf: (entry: Entry) => number) => entries.reduce((total, entry) => total + sizeOf(entry), 0);
  const most = unpacked.ratio * sum(({ compressedSize }) => compressedSize) + unpacked.more;
  if (sum(({ uncompressedSize }) => uncompressedSize) > most)
    throw new DomainError(
      "TOO_LARGE",
      `The archive unpacks to more than ${unpacked.ratio} times its size, which indicates a zip bomb.`,
    );
}

/** The single top-level folder with its slash; empty if there is not exactly one. */
function topFolder(names: readonly string[]): string {
  const top = names[0]?.slice(0, names[0].indexOf("/") + 1) ?? "";
  return names.every((name) => name.startsWith(top)) ? top : "";
}

/** The content of a file. INVALID_INPUT unless it has the size and the checksum of its entry. */
async function unpack(zip: ZipFile, name: string, entry: Entry): Promise<Buffer> {
  try {
    const content = await buffer(await zip.openReadStreamPromise(entry));
    if (crc32(content) !== entry.crc32) throw new Error("its checksum is wrong");
    return content;
  } catch (error) {
    if (!(error instanceof Error) || "syscall" in error) throw error;
    throw invalidInput(name, `cannot be unpacked: ${error.message.replace(/\.$/, "")}.`);
  }
}
