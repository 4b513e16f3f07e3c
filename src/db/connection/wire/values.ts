// Values of results: decodes PostgreSQL's binary format where it is known, as `pg` decodes the text format.
import pg from "pg";
import { instantFromPostgres } from "#src/base/time.ts";

/** Reads the value from `start` up to `end`. Throws if the bytes are not of the type. */
export type ReadValue = (bytes: Buffer, start: number, end: number) => unknown;

const readText = (bytes: Buffer, start: number, end: number): string => bytes.toString("utf8", start, end);

function sized(size: number, read: (bytes: Buffer, start: number) => unknown): ReadValue {
  return (bytes, start, end) => {
    if (end - start !== size) throw new Error(`A value has ${end - start} bytes instead of ${size}.`);
    return read(bytes, start);
  };
}

const readInt4 = sized(4, (bytes, start) => bytes.readInt32BE(start));

/** Readers of the binary form, by the oid of the type. */
const readers = new Map<number, ReadValue>([
  [16, sized(1, (bytes, start) => bytes[start] === 1)], // bool
  [17, (bytes, start, end) => Buffer.from(bytes.subarray(start, end))], // bytea
  [20, sized(8, (bytes, start) => Number(bytes.readBigInt64BE(start)))], // int8
  [21, sized(2, (bytes, start) => bytes.readInt16BE(start))], // int2
  [23, readInt4], // int4
  [25, readText], // text
  [114, (bytes, start, end) => JSON.parse(readText(bytes, start, end))], // json
  [701, sized(8, (bytes, start) => bytes.readDoubleBE(start))], // float8
  [1007, (bytes, start, end) => readArray(bytes.subarray(start, end), readInt4)], // int4[]
  [1009, (bytes, start, end) => readArray(bytes.subarray(start, end), readText)], // text[]
  [1043, readText], // varchar
  [1184, sized(8, readInstant)], // timestamptz
  [3802, readJsonb], // jsonb
]);

/** Whether values of the type are requested in the binary format. */
export const isReadInBinary = (oid: number): boolean => readers.has(oid);

/** The reader of a type's values in the format of {@link isReadInBinary}. */
export function readerOf(oid: number): ReadValue {
  const parse: (text: string) => unknown = pg.types.getTypeParser(oid, "text");
  return readers.get(oid) ?? ((bytes, start, end) => parse(readText(bytes, start, end)));
}

function readJsonb(bytes: Buffer, start: number, end: number): unknown {
  if (bytes[start] !== 1 || start === end) throw new Error("A jsonb has an unknown version.");
  return JSON.parse(readText(bytes, start + 1, end));
}

/** Dimensions, whether there are NULLs, type; then size and lower bound of each dimension; then the elements. */
function readArray(bytes: Buffer, readElement: ReadValue): unknown[] {
  const dimensions = bytes.readInt32BE(0);
  let at = 12 + 8 * dimensions;
  if (dimensions < 0 || dimensions > 6 || at > bytes.length) throw new Error("An array has unknown dimensions.");
  const readLevel = (level: number): unknown[] => {
    const size = bytes.readInt32BE(12 + 8 * level);
    if (size < 1 || size > (bytes.length - at) / 4) throw new Error("An array is larger than its bytes.");
    const values: unknown[] = [];
    for (let left = size; left > 0; left--) values.push(level + 1 < dimensions ? readLevel(level + 1) : readOne());
    return values;
  };
  const readOne = (): unknown => {
    const length = bytes.readInt32BE(at);
    const start = at + 4;
    at = start + Math.max(length, 0);
    if (length < -1 || at > bytes.length) throw new Error("An element exceeds its array.");
    return length < 0 ? null : readElement(bytes, start, at);
  };
  return dimensions === 0 ? [] : readLevel(0);
}

const epoch = Date.UTC(2000, 0);

/** Microseconds since 2000 as {@link instantFromPostgres} formats them. */
function readInstant(bytes: Buffer, start: number): string {
  const high = bytes.readInt32BE(start);
  if (high < -0x10_0000 || high >= 0x10_0000) return readFarInstant(bytes.readBigInt64BE(start));
  const all = high * 0x1_0000_0000 + bytes.readUInt32BE(start + 4);
  const ms = Math.floor(all / 1000);
  const iso = new Date(ms + epoch).toISOString();
  const micros = all - ms * 1000;
  return micros === 0 ? iso : `${iso.slice(0, -1)}${String(micros).padStart(3, "0").replace(/0+$/, "")}Z`;
}

/** The calendar repeats after this many years: years outside of the range of a Date are computed by it. */
const cycle = { years: 40_000, micros: 146_097n * 100n * 86_400_000_000n, after: 8_000_000_000_000_000_000n };

/** A time before 1857 or after 2142, as PostgreSQL prints it in UTC. */
function readFarInstant(all: bigint): string {
  if (all === 0x7fff_ffff_ffff_ffffn) return instantFromPostgres("infinity");
  if (all === -0x8000_0000_0000_0000n) return instantFromPostgres("-infinity");
  const isBeyond = all > cycle.after;
  const micros = ((all % 1000n) + 1000n) % 1000n;
  const date = new Date(Number(((isBeyond ? all - cycle.micros : all) - micros) / 1000n) + epoch);
  const year = date.getUTCFullYear() + (isBeyond ? cycle.years : 0);
  const [monthAndDay, time = ""] = date.toISOString().slice(-20, -1).split("T"); // -01-31 and 09:30:00.500
  const fraction = `${time.slice(8)}${String(micros).padStart(3, "0")}`.replace(/\.?0+$/, "");
  const text = `${String(year > 0 ? year : 1 - year).padStart(4, "0")}${monthAndDay} ${time.slice(0, 8)}${fraction}+00`;
  return instantFromPostgres(year > 0 ? text : `${text} BC`);
}
