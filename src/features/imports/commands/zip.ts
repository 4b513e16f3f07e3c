// Reads untrusted ZIP archives; files are unpacked when they are read.
import { isUtf8 } from "node:buffer";
import { buffer } from "node:stream/consumers";
import { crc32 } from "node:zlib";
import { type Entry, fromBufferPromise, getFileNameLowLevel, openPromise, type ZipFile } from "yauzl";
import { DomainError, invalidInput } from "#src/base/errors.ts";
import { isPauseDue, pause } from "#src/runtime/yielding.ts";
import { checkPath, ImportFiles, importLimits, isLeftover } from "#src/features/imports/model/files.ts";
import type { Upload } from "#src/files/upload.ts";
import type { OpenImport } from "#src/features/imports/model/open-import.ts";

/** The most bytes of an archive in memory. */
export const archiveLimit = 100_000_000;

/** A file beyond both limits is refused as a zip bomb. */
const bomb = { ratio: 200, size: 1_000_000 };

/** The most bytes of all unpacked files: a multiple of the archive plus an offset, since texts compress well. */
const unpacked = { ratio: 20, more: 10_000_000 };

/**
 * Opens an archive. If everything is in one folder, that is the root. Special files are left out with a warning.
 * INVALID_INPUT for a broken, encrypted or hostile archive, TOO_LARGE beyond {@link importLimits}.
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

/** Opens an uploaded archive. Throws as {@link openZip} does, and TOO_LARGE beyond {@link archiveLimit}. */
export async function openUploadedZip({ blob }: Upload): Promise<OpenImport> {
  checkArchiveSize(blob.size);
  return openZip(await blob.read());
}

/** Throws TOO_LARGE beyond {@link archiveLimit}. */
export function checkArchiveSize(bytes: number): void {
  if (bytes > archiveLimit)
    throw new DomainError("TOO_LARGE", `An archive that is uploaded must have at most ${archiveLimit} bytes.`);
}

function refuse(error: unknown): never {
  const isOurs = error instanceof DomainError || (error instanceof Error && "syscall" in error);
  if (isOurs || !(error instanceof Error)) throw error;
  throw new DomainError("INVALID_INPUT", `The archive cannot be read: ${error.message.replace(/\.$/, "")}.`);
}

async function readDirectory(zip: ZipFile): Promise<ImportFiles> {
  // Folders are entries, too.
  if (zip.entryCount > 2 * importLimits.files)
    throw new DomainError("TOO_LARGE", `An archive has at most ${2 * importLimits.files} entries.`);
  const files = new ImportFiles();
  const found: { name: string; entry: Entry }[] = [];
  try {
    for await (const entry of zip.eachEntry()) {
      if (isPauseDue()) await pause();
      const name = checkName(entry);
      if (name.endsWith("/") || isLeftover(name)) continue;
      if (isSpecial(entry)) files.warnings.add(name, null, "It is a link or another special file, and left out.");
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

/** The name as text: many tools write UTF-8 without the flag for it. */
function checkName({ fileNameRaw, generalPurposeBitFlag, extraFields }: Entry): string {
  const flags = isUtf8(fileNameRaw) ? generalPurposeBitFlag | 0x800 : generalPurposeBitFlag;
  const name = getFileNameLowLevel(flags, fileNameRaw, extraFields, true);
  checkPath(name.replace(/\/$/, ""));
  return name;
}

/** Whether the Unix mode, if there is one, is not that of a file. */
function isSpecial({ externalFileAttributes }: Entry): boolean {
  const kind = (externalFileAttributes >>> 16) & 0o170000;
  return kind !== 0 && kind !== 0o100000;
}

function checkEntry(name: string, entry: Entry): Entry {
  const { compressedSize, uncompressedSize, compressionMethod } = entry;
  if (entry.isEncrypted()) throw invalidInput(name, "is encrypted: pack it without a password.");
  if (compressionMethod !== 0 && compressionMethod !== 8)
    throw invalidInput(name, "is compressed by a method other than deflate: pack it again.");
  if (uncompressedSize > bomb.size && uncompressedSize > bomb.ratio * compressedSize)
    throw invalidInput(
      name,
      `unpacks to more than ${bomb.ratio} times its size, as only archives do that are made to fill the memory.`,
    );
  return entry;
}

/** Throws TOO_LARGE if all files together would fill a disk. */
function checkWhole(entries: readonly Entry[]): void {
  const sum = (sizeOf: (entry: Entry) => number) => entries.reduce((total, entry) => total + sizeOf(entry), 0);
  const most = unpacked.ratio * sum(({ compressedSize }) => compressedSize) + unpacked.more;
  if (sum(({ uncompressedSize }) => uncompressedSize) > most)
    throw new DomainError(
      "TOO_LARGE",
      `The archive unpacks to more than ${unpacked.ratio} times its size, as only archives do that are made to fill a disk.`,
    );
}

/** The folder that everything is in, with its slash; empty if missing. */
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
