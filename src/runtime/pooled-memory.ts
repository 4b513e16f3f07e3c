// Reuses memory: allocating buffers for each result makes V8 collect its whole heap.

/** Pieces are powers of two, from 4 KiB to 32 MiB. */
const [smallest, largest] = [12, 25];
/** How many bytes unused pieces have together at most. */
let mostKept = 32 * 1024 * 1024;
/** Buffers of more bytes are not pooled. */
const mostPooled = 2 ** largest;

/** Memory with the Buffer that it was taken as. Each time is another Buffer: an old one does not return the piece. */
interface Piece extends ArrayBuffer {
  taken: Buffer | undefined;
}

/** Unused pieces, by the power of two of their size. */
const waiting = Array.from({ length: largest + 1 }, (): Piece[] => []);
let kept = 0;
/** How many of them were unused all the time since the last {@link dropUnused}. */
const leastWaiting = waiting.map(() => 0);

/** A buffer of at least `size` bytes with arbitrary content. The garbage collector frees one that is not returned. */
export function takeMemory(size: number): Buffer {
  const power = Math.max(smallest, 32 - Math.clz32(Math.max(size, 1) - 1));
  const piece = waiting[power]?.pop();
  if (piece) {
    kept -= piece.byteLength;
    leastWaiting[power] = Math.min(leastWaiting[power] ?? 0, waiting[power]?.length ?? 0);
  }
  const buffer = piece ? Buffer.from(piece) : Buffer.allocUnsafeSlow(size > mostPooled ? size : 2 ** power);
  pieceOf(buffer).taken = buffer;
  return buffer;
}

/** Only the pieces of this file say as what they were taken. */
const pieceOf = ({ buffer }: Buffer): Piece => buffer as Piece;

/**
 * Returns a buffer of {@link takeMemory}, which must no longer be used. A second time has no effect. What is not kept
 * is freed at once: as garbage it would count as memory of V8, which then collects its whole heap.
 */
export function giveMemory(buffer: Buffer): void {
  const piece = pieceOf(buffer);
  if (piece.taken !== buffer) return;
  piece.taken = undefined;
  if (buffer.length > mostPooled || kept + buffer.length > mostKept) return void piece.transfer(0);
  waiting[31 - Math.clz32(buffer.length)]?.push(piece);
  kept += buffer.length;
}

/** Keeps so many bytes of unused pieces. */
export function keepMemory(bytes: number): void {
  mostKept = bytes;
}

/** Frees the pieces that were not used since the last time. */
export function dropUnused(): void {
  for (const [power, pieces] of waiting.entries()) {
    for (const piece of pieces.splice(0, leastWaiting[power])) {
      kept -= piece.byteLength;
      piece.transfer(0);
    }
    leastWaiting[power] = pieces.length;
  }
}
