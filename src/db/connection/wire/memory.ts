// Memory that is used again: buffers made anew for each answer make V8 collect its whole heap.

/** Pieces are powers of two, from 4 KiB to 8 MiB; those that wait for use are at most 32 MiB together. */
const [smallest, largest, mostKept] = [12, 23, 32 * 1024 * 1024];

/** Pieces that wait for use, by the power of two of their size. */
const waiting = Array.from({ length: largest + 1 }, (): ArrayBufferLike[] => []);
let kept = 0;

/** Buffers that were taken and not given back. Each time is another Buffer: an old one says nothing of the piece. */
const taken = new WeakSet<Buffer>();

/** A buffer of at least `size` bytes with arbitrary content. The garbage collector takes one that is not given back. */
export function takeMemory(size: number): Buffer {
  if (size > 2 ** largest) return Buffer.allocUnsafeSlow(size);
  const power = Math.max(smallest, 32 - Math.clz32(Math.max(size, 1) - 1));
  const piece = waiting[power]?.pop();
  if (piece) kept -= piece.byteLength;
  const buffer = piece ? Buffer.from(piece) : Buffer.allocUnsafeSlow(2 ** power);
  taken.add(buffer);
  return buffer;
}

/** Gives a buffer of {@link takeMemory} back: nobody may look at it any more. A second time does nothing. */
export function giveMemory(buffer: Buffer): void {
  if (!taken.delete(buffer) || kept + buffer.length > mostKept) return;
  waiting[31 - Math.clz32(buffer.length)]?.push(buffer.buffer);
  kept += buffer.length;
}

/** Leaves the pieces that wait for use to the garbage collector. */
export function dropMemory(): void {
  for (const pieces of waiting) pieces.length = 0;
  kept = 0;
}
