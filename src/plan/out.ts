// The answer while it is written: bytes that grow, in memory that is used again.
import { giveMemory, takeMemory } from "#src/db/wire/memory.ts";
import { Unfit } from "#src/plan/unfit.ts";

/** Bytes that JSON.stringify escapes in a text. */
const escaped = new Uint8Array(256);
for (let byte = 0; byte < 0x20; byte++) escaped[byte] = 1;
escaped[0x22] = escaped[0x5c] = 1;

/** Up to here a loop is faster than a call into the runtime. */
const shortLength = 48;

export class Out {
  buffer: Buffer;
  at = 0;
  /** More bytes throw {@link Unfit}. */
  limit = Infinity;

  /** `size` is a guess. */
  constructor(size: number) {
    this.buffer = takeMemory(size);
  }

  /** What was written; only until {@link free}. */
  get bytes(): Buffer {
    return this.buffer.subarray(0, this.at);
  }

  /** Gives the memory back. */
  free(): void {
    giveMemory(this.buffer);
    this.buffer = nothing;
    this.at = 0;
  }

  /** Makes room for so many bytes. */
  ensure(length: number): void {
    const needed = this.at + length;
    if (needed <= this.buffer.length) return;
    if (needed > this.limit) throw new Unfit("a longer answer than an operation may have");
    const bigger = takeMemory(Math.max(this.buffer.length * 2, needed));
    this.buffer.copy(bigger, 0, 0, this.at);
    giveMemory(this.buffer);
    this.buffer = bigger;
  }

  byte(byte: number): void {
    this.ensure(1);
    this.buffer[this.at++] = byte;
  }

  /** Bytes as they are. */
  write(from: Buffer, start = 0, end = from.length): void {
    const length = end - start;
    this.ensure(length);
    const { buffer } = this;
    let { at } = this;
    if (length > shortLength) from.copy(buffer, at, start, end);
    else for (let index = start; index < end; index++) buffer[at++] = from[index] as number; // within its length
    this.at += length;
  }

  /** JSON that was made as a text. */
  json(text: string): void {
    this.ensure(text.length * 3);
    this.at += this.buffer.write(text, this.at);
  }

  /** UTF-8 as a JSON text, with its quotes, as JSON.stringify writes it. */
  text(from: Buffer, start: number, length: number): void {
    this.ensure(length + 2);
    const end = start + length;
    for (let index = start; index < end; index++)
      if (escaped[from[index] as number] !== 0) {
        this.json(JSON.stringify(from.toString("utf8", start, end)));
        return;
      }
    this.buffer[this.at++] = 0x22;
    this.write(from, start, end);
    this.byte(0x22);
  }

  /** A whole number of 32 bits, big-endian at `start`. */
  integer(from: Buffer, start: number): void {
    this.json(String(from.readInt32BE(start)));
  }

  /**
   * An instant, from microseconds since 2000 (64 bits, big-endian at `start`), as `"2026-01-31T09:30:00.000Z"`. Answers
   * false, and writes nothing, where that is not exactly so: beyond the years 1 to 9999, or parts of a millisecond.
   */
  instant(from: Buffer, start: number): boolean {
    const micros = from.readInt32BE(start) * 4_294_967_296 + from.readUInt32BE(start + 4);
    const ms = micros / 1000 + millenium;
    if (!Number.isInteger(ms) || ms < firstInstant || ms > lastInstant) return false;
    this.ensure(26);
    const { buffer } = this;
    const days = Math.floor(ms / dayLength);
    const time = ms - days * dayLength;
    const date = dateOf(days);
    let at = this.at;
    buffer[at++] = 0x22;
    for (let index = 0; index < 11; index++) buffer[at++] = date[index] as number; // "2026-01-31T"
    at = twoDigits(buffer, at, Math.floor(time / 3_600_000), 0x3a);
    at = twoDigits(buffer, at, Math.floor(time / 60_000) % 60, 0x3a);
    at = twoDigits(buffer, at, Math.floor(time / 1000) % 60, 0x2e);
    const fraction = time % 1000;
    buffer[at++] = 0x30 + Math.floor(fraction / 100);
    at = twoDigits(buffer, at, fraction % 100, 0x5a);
    buffer[at++] = 0x22;
    this.at = at;
    return true;
  }
}

const nothing = Buffer.alloc(0);
const dayLength = 86_400_000;
const millenium = Date.UTC(2000, 0, 1);
const firstInstant = Date.parse("0001-01-01T00:00:00Z");
const lastInstant = Date.parse("9999-12-31T23:59:59.999Z");

function twoDigits(buffer: Buffer, at: number, value: number, then: number): number {
  buffer[at] = 0x30 + Math.floor(value / 10);
  buffer[at + 1] = 0x30 + (value % 10);
  buffer[at + 2] = then;
  return at + 3;
}

/** The dates that were written last, by their days since 1970, so that few are worked out. */
const dates: { day: number; text: Buffer }[] = [];
const datesKept = 4096;

function dateOf(day: number): Buffer {
  const place = ((day % datesKept) + datesKept) % datesKept;
  const known = dates[place];
  if (known?.day === day) return known.text;
  const text = Buffer.from(new Date(day * dayLength).toISOString().slice(0, 11));
  dates[place] = { day, text };
  return text;
}
