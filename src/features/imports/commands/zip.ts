// Opens untrusted ZIP archives; files are unpacked lazily.
import { isUtf8 } from "node:buffer";
import { buffer } from "node:stream/consumers";
import { crc32 } from "node:zlib";
import { type Entry, fromBufferPromise, getFileNameLowLevel, openPromise, type ZipFile } from "yauzl";
import { DomainError } from "#src/base/errors.ts";
import { isPauseDue, pause } from "#src/runtime/yielding.ts";
import {
  cleanPath,
  type ImportFile,
  ImportFiles,
  importLimits,
  isLeftover,
} from "#src/features/imports/model/files.ts";
import type { FileStore } from "#src/files/file-store.ts";
import type { Upload } from "#src/files/upload.ts";
import type { ImportWarnings } from "#src/features/imports/model/warnings.ts";
import type { OpenImport } from "#src/features/imports/model/open-import.ts";

/** Maximum bytes of an archive in memory. */
export const archiveLimit = 100_000_000;

/** Maximum number of archives in an archive. */
const mostParts = 50;

/** A file that exceeds both limits is left out as a zip bomb. */
const bomb = { ratio: 200, size: 1_000_000 };

/** Maximum bytes of all unpacked files: a multiple of the archive plus an offset, because texts compress well. */
const unpacked = { ratio: 20, more: 10_000_000 };

/**
 * Opens an archive. If everything is in one folder, that is the root. Omits files that cannot be imported, with a
 * warning each. INVALID_INPUT for a broken or malicious archive, TOO_LARGE above {@link importLimits}.
 */
export async function openZip(archive: string | Buffer): Promise<OpenImport> {
  const options = { autoClose: false, decodeStrings: false };
  const opening = typeof archive === "string" ? openPromise(archive, options) : fromBufferPromise(archive, options);
  const zip = await opening.catch(refuse);
  try {
    const files = await readDirectory(zip);
    return (await openParts(files)) ?? { files, [Symbol.asyncDispose]: async () => zip.close() };
  } catch (error) {
    zip.close();
    throw error;
  }
}

/** The files of the archives that are all there is in an archive, as in large exports of Notion; null for others. */
async function openParts(files: ImportFiles): Promise<OpenImport | null> {
  const paths = [...files.paths];
  if (paths.length === 0 || paths.length > mostParts || !paths.every((path) => /\.zip$/i.test(path))) return null;
  const parts: OpenImport[] = [];
  const all = new ImportFiles(files.warnings);
  for (const path of paths) {
    const content = await files.get(path)?.read();
    const zip = content && (await fromBufferPromise(content, { autoClose: false, decodeStrings: false }).catch(refuse));
    if (!zip) continue;
    const own = await readDirectory(zip, files.warnings);
    parts.push({ files: own, [Symbol.asyncDispose]: async () => zip.close() });
    for (const inner of own.paths) all.add(own.get(inner) as ImportFile); // it is one of its paths
  }
  return {
    files: all,
    [Symbol.asyncDispose]: async () => {
      for (const part of parts) await part[Symbol.asyncDispose]();
    },
  };
}

/** Opens an uploaded archive. Throws like {@link openZip}, and TOO_LARGE above {@link archiveLimit}. */
export async function openUploadedZip({ blob }: Upload): Promise<OpenImport> {
  checkArchiveSize(blob.size);
  return openZip(await blob.read());
}

/** Opens an archive of the file store. Throws like {@link openZip}, and INVALID_INPUT if it was collected. */
export async function openStoredZip({ files }: { files: Pick<FileStore, "open"> }, hash: string): Promise<OpenImport> {
  const stream = await files.open(hash);
  if (!stream) throw new DomainError("INVALID_INPUT", "The archive was removed from the storage. Upload it again.");
  return openZip(await buffer(stream));
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

async function readDirectory(zip: ZipFile, warnings?: ImportWarnings): Promise<ImportFiles> {
  // Folders are entries, too.
  if (zip.entryCount > 2 * importLimits.files)
    throw new DomainError("TOO_LARGE", `An archive may have at most ${2 * importLimits.files} entries.`);
  const files = new ImportFiles(warnings);
  const found: { name: string; entry: Entry }[] = [];
  try {
    for await (const entry of zip.eachEntry()) {
      if (isPauseDue()) await pause();
      const name = nameOf(entry);
      const path = cleanPath(name);
      if (name.endsWith("/") || (typeof path === "string" && isLeftover(path))) continue;
      const problem = typeof path === "string" ? problemOf(entry) : path.problem;
      if (problem === null && typeof path === "string") found.push({ name: path, entry });
      else files.omit(name, problem ?? "");
    }
  } catch (error) {
    refuse(error);
  }
  const top = topFolder(found.map(({ name }) => name));
  for (const { name, entry } of found) {
    if (isPauseDue()) await pause();
    files.add({ path: name.slice(top.length), size: entry.uncompressedSize, read: () => unpack(zip, entry) });
  }
  checkWhole(found.map(({ entry }) => entry));
  return files;
}

/** The decoded name: many tools write UTF-8 without setting its flag, and some write backslashes. */
function nameOf({ fileNameRaw, generalPurposeBitFlag, extraFields }: Entry): string {
  const flags = isUtf8(fileNameRaw) ? generalPurposeBitFlag | 0x800 : generalPurposeBitFlag;
  return getFileNameLowLevel(flags, fileNameRaw, extraFields, true).replaceAll("\\", "/");
}

/** Why an entry cannot be imported; null if it can. */
function problemOf(entry: Entry): string | null {
  const { compressedSize, uncompressedSize, compressionMethod } = entry;
  if (isSpecial(entry)) return "It is a symbolic link or another special file.";
  if (entry.isEncrypted()) return "It is encrypted.";
  if (compressionMethod !== 0 && compressionMethod !== 8) return "It uses a compression method other than deflate.";
  if (uncompressedSize > bomb.size && uncompressedSize > bomb.ratio * compressedSize)
    return `It unpacks to more than ${bomb.ratio} times its size, which indicates a zip bomb.`;
  return null;
}

/** Whether the Unix mode, if set, is not that of a regular file. */
function isSpecial({ externalFileAttributes }: Entry): boolean {
  const kind = (externalFileAttributes >>> 16) & 0o170000;
  return kind !== 0 && kind !== 0o100000;
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

/** The content of a file. Throws with the reason unless it has the size and the checksum of its entry. */
async function unpack(zip: ZipFile, entry: Entry): Promise<Buffer> {
  const content = await buffer(await zip.openReadStreamPromise(entry));
  if (crc32(content) !== entry.crc32) throw new Error("its checksum is wrong");
  return content;
}
