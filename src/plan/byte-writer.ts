// The buffer that a response is written to, as JSON in UTF-8; its memory is pooled.
import { giveMemory, takeMemory } from "#src/runtime/pooled-memory.ts";

const isEscaped = (byte: number): boolean => byte < 0x20 || byte === 0x22 || byte === 0x5c;

/** Whether it escapes any of the four bytes of an integer. */
function anyIsEscaped(bytes: number): boolean {
  const [quotes, backslashes] = [bytes ^ 0x22222222, bytes ^ 0x5c5c5c5c];
  // The highest bit of a byte is set if the byte is below the subtracted one (Hacker's Delight, 6-1).
  const controls = (bytes - 0x20202020) & ~bytes;
  const others = ((quotes - 0x01010101) & ~quotes) | ((backslashes - 0x01010101) & ~backslashes);
  return ((controls | others) & 0x80808080) !== 0;
}

/** The same bytes, for reading and writing several at a time. */
const viewOf = ({ buffer, byteOffset, length }: Buffer): DataView => new DataView(buffer, byteOffset, length);

/** UTF-8 as words of four bytes, little-endian. */
export class Literal {
  readonly words: Int32Array;
  readonly length: number;

  constructor(text: string) {
    const bytes = Buffer.from(text);
    const padded = Buffer.concat([bytes, Buffer.alloc(3)]);
    this.length = bytes.length;
    this.words = Int32Array.from({ length: Math.ceil(bytes.length / 4) }, (_, word) => padded.readInt32LE(4 * word));
  }
}

/** Up to this length a loop is faster than a call into the runtime. */
const shortLength = 48;

export class ByteWriter {
  buffer: Buffer;
  at = 0;
  /** Called when the bytes are no longer needed. */
  onFree: (() => void) | undefined;
  #view: DataView;
  #limit: number;

  /** `size` is a guess; more than `limit` bytes throw {@link Unsupported}. */
  constructor(size: number, limit: number) {
    this.#limit = limit;
    this.buffer = takeMemory(size);
    this.#view = viewOf(this.buffer);
  }

  /** The written bytes; only valid until {@link free}. */
  get bytes(): Buffer {
    return this.buffer.subarray(0, this.at);
  }

  /** Returns the memory, once the bytes were sent. */
  free(): void {
    giveMemory(this.buffer);
    this.abandon();
  }

  /** As {@link free}, for bytes that a thread may still read: the garbage collector frees them. */
  abandon(): void {
    this.onFree?.();
    this.onFree = undefined;
    this.buffer = nothing;
    this.at = 0;
  }

  /** Makes room for this many bytes. */
  ensure(length: number): void {
    const needed = this.at + length;
    if (needed <= this.buffer.length) return;
    if (needed > this.#limit) throw tooLong();
    const bigger = takeMemory(Math.max(this.buffer.length * 2, needed));
    this.buffer.copy(bigger, 0, 0, this.at);
    giveMemory(this.buffer);
    this.buffer = bigger;
    this.#view = viewOf(bigger);
  }

  /** Throws {@link Unsupported} if more was written than the limit; the buffer may be larger. */
  check(): void {
    if (this.at > this.#limit) throw tooLong();
  }

  byte(byte: number): void {
    this.ensure(1);
    this.buffer[this.at++] = byte;
  }

  write(from: Buffer, start = 0, end = from.length): void {
    const length = end - start;
    this.ensure(length);
    const { buffer } = this;
    let { at } = this;
    if (length > shortLength) from.copy(buffer, at, start, end);
    else for (let index = start; index < end; index++) buffer[at++] = from[index] as number; // within its length
    this.at += length;
  }

  /** A property name with its punctuation, four bytes at a time. */
  literal({ words, length }: Literal): void {
    this.ensure(length + 3); // the last word may be longer
    const view = this.#view;
    const { at } = this;
    for (let index = 0; index < words.length; index++) view.setInt32(at + 4 * index, words[index] as number, true);
    this.at = at + length;
  }

  /** Adds extensions to the whole response that was written, beyond the limit if need be. */
  extend(extensions: object): void {
    const more = Buffer.from(`,"extensions":${JSON.stringify(extensions)}}`);
    this.#limit += more.length;
    this.at -= 1; // the bracket of the response
    this.write(more);
  }

  /** Writes text that is JSON, or its bytes. */
  json(text: string | Buffer): void {
    if (typeof text !== "string") return this.write(text);
    const { length } = text;
    this.ensure(length * 3);
    const { buffer, at } = this;
    if (length <= shortLength) {
      let index = 0;
      for (; index < length; index++) {
        const code = text.charCodeAt(index);
        if (code > 0x7f) break;
        buffer[at + index] = code;
      }
      if (index === length) {
        this.at = at + length;
        return;
      }
    }
    this.at += buffer.write(text, at);
  }

  /** UTF-8 as JSON.stringify writes it, with quotes, checked and copied four bytes at a time. */
  text(from: Buffer, source: DataView, start: number, end: number): void {
    this.ensure(end - start + 2);
    const { buffer } = this;
    const target = this.#view;
    let { at } = this;
    buffer[at++] = quote;
    let index = start;
    for (; index + 4 <= end; index += 4, at += 4) {
      const four = source.getInt32(index, true);
      if (anyIsEscaped(four)) return this.json(JSON.stringify(from.toString("utf8", start, end)));
      target.setInt32(at, four, true);
    }
    for (; index < end; index++) {
      const byte = from[index] as number; // before the end
      if (isEscaped(byte)) return this.json(JSON.stringify(from.toString("utf8", start, end)));
      buffer[at++] = byte;
    }
    buffer[at++] = quote;
    this.at = at;
  }

  integer(value: number): void {
    if (value < 0) return this.json(String(value));
    let size = 1;
    for (let limit = 10; value >= limit; limit *= 10) size++;
    this.ensure(size);
    let left = value;
    for (let at = this.at + size - 1; at >= this.at; at--) {
      this.buffer[at] = 0x30 + (left % 10);
      left = Math.floor(left / 10);
    }
    this.at += size;
  }

  /** Writes microseconds since 2000 as `"2026-01-31T09:30:00.000Z"`. False: fractions of a ms, or years too far. */
  instant(source: DataView, start: number): boolean {
    const micros = source.getInt32(start) * 4_294_967_296 + source.getUint32(start + 4);
    const ms = micros / 1000 + millennium;
    if (!Number.isInteger(ms) || ms < firstInstant || ms > lastInstant) return false;
    this.ensure(28);
    const days = Math.floor(ms / dayLength);
    const time = (ms - days * dayLength) | 0; // whole numbers of 32 bits are divided faster
    const date = dateOf(days);
    const { at, buffer } = this;
    const view = this.#view;
    view.setInt32(at, date.getInt32(0)); // "2026-01-31T with its quote, 12 bytes
    view.setInt32(at + 4, date.getInt32(4));
    view.setInt32(at + 8, date.getInt32(8));
    twoDigits(buffer, at + 12, (time / 3_600_000) | 0, 0x3a);
    twoDigits(buffer, at + 15, ((time / 60_000) | 0) % 60, 0x3a);
    twoDigits(buffer, at + 18, ((time / 1000) | 0) % 60, 0x2e);
    const fraction = time % 1000;
    buffer[at + 21] = 0x30 + ((fraction / 100) | 0);
    twoDigits(buffer, at + 22, fraction % 100, 0x5a);
    buffer[at + 25] = quote;
    this.at = at + 26;
    return true;
  }
}

const tooLong = () => new Unsupported("a longer response than an operation may have");

const quote = 0x22;
const nothing = Buffer.alloc(0);
const dayLength = 86_400_000;
const millennium = Date.UTC(2000, 0, 1);
const firstInstant = Date.UTC(1857, 0, 1);
const lastInstant = Date.UTC(2142, 0, 1);

function twoDigits(buffer: Buffer, at: number, value: number, then: number): void {
  const tens = (value / 10) | 0;
  buffer[at] = 0x30 + tens;
  buffer[at + 1] = 0x30 + (value - 10 * tens);
  buffer[at + 2] = then;
}

/** Formatted dates by their days since 1970. */
const days: Int32Array = new Int32Array(4096).fill(-0x80000000);
const dates: DataView[] = Array.from(days, () => new DataView(new ArrayBuffer(0)));

function dateOf(day: number): DataView {
  const place = day & (days.length - 1);
  if (days[place] !== day) {
    days[place] = day;
    dates[place] = viewOf(Buffer.from(`"${new Date(day * dayLength).toISOString().slice(0, 11)}`));
  }
  return dates[place] as DataView; // every slot is filled
}

/** A compiled operation cannot do this; the reason is for the debug log only. */
export class Unsupported extends Error {}

/** Writing takes long and must start again with pauses. */
export class TooLongError extends Error {
  override readonly name = "TooLongError";
}
