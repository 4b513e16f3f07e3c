// A ZIP archive as a stream of bytes: made of files that arrive one after the other, such as those of a folder.
import { promisify } from "node:util";
import { crc32, deflateRaw } from "node:zlib";
import { DomainError } from "#src/base/errors.ts";

/** A file of an archive; its bytes are read once, before the next file is asked for. */
export interface ZipEntry {
  /** With slashes between its folders. */
  readonly path: string;
  readonly bytes: AsyncIterable<Uint8Array>;
}

/** Archives without the extension for large ones have 16 bits for the number of entries. */
const mostEntries = 65_000;

const deflate = promisify(deflateRaw);

/** The bytes of an archive. TOO_LARGE for a file of more than `most` bytes, and for more than 65,000 files. */
export async function* zipStream(entries: AsyncIterable<ZipEntry>, most: number): AsyncGenerator<Uint8Array> {
  const directory: Buffer[] = [];
  let at = 0;
  for await (const { path, bytes } of entries) {
    if (directory.length >= mostEntries) throw new DomainError("TOO_LARGE", "A folder may have at most 65,000 files.");
    const content = await readUpTo(bytes, most, path);
    const packed = await deflate(content, { level: 1 });
    const name = Buffer.from(path);
    const sizes = sizesOf({ crc: crc32(content), packed: packed.length, size: content.length, name: name.length });
    const header = Buffer.concat([localSignature, sizes, name]);
    directory.push(Buffer.concat([centralSignature, sizes, centralEnd(at), name]));
    at += header.length + packed.length;
    yield header;
    yield packed;
  }
  const list = Buffer.concat(directory);
  yield list;
  yield directoryEnd({ entries: directory.length, size: list.length, at });
}

async function readUpTo(bytes: AsyncIterable<Uint8Array>, most: number, path: string): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of bytes) {
    size += chunk.length;
    if (size > most) throw new DomainError("TOO_LARGE", `A file must not exceed ${most} bytes, and ${path} does.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** The signature of the header before a file, and the version that can read it: 2.0, with deflate. */
const localSignature = Buffer.from([0x50, 0x4b, 3, 4]);
/** The same in the directory, with the version that wrote it. */
const centralSignature = Buffer.from([0x50, 0x4b, 1, 2, 20, 0]);

/** The part that both headers have: names are UTF-8, files are deflated, and the time is the first that there is. */
function sizesOf(of: { readonly crc: number; readonly packed: number; readonly size: number; readonly name: number }) {
  const part = Buffer.alloc(26);
  part.writeUInt16LE(20, 0);
  part.writeUInt16LE(0x800, 2);
  part.writeUInt16LE(8, 4);
  part.writeUInt16LE(0x21, 8); // 1 January 1980
  part.writeUInt32LE(of.crc, 10);
  part.writeUInt32LE(of.packed, 14);
  part.writeUInt32LE(of.size, 18);
  part.writeUInt16LE(of.name, 22);
  return part;
}

/** The end of an entry of the directory: the place of its file. */
function centralEnd(at: number): Buffer {
  const part = Buffer.alloc(14);
  part.writeUInt32LE(at, 10);
  return part;
}

function directoryEnd({ entries, size, at }: { entries: number; size: number; at: number }): Buffer {
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06", "latin1");
  end.writeUInt16LE(entries, 8);
  end.writeUInt16LE(entries, 10);
  end.writeUInt32LE(size, 12);
  end.writeUInt32LE(at, 16);
  return end;
}
