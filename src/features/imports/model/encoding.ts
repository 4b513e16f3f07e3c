// The text of bytes whose encoding is not declared, or declared wrongly: Unicode by its mark, UTF-8, else Windows-1252.
import { isUtf8 } from "node:buffer";

export interface DecodedText {
  readonly text: string;
  /** The encoding if it is not UTF-8 and was guessed. */
  readonly guessed: string | null;
}

const marks = [
  { label: "utf-8", mark: [0xef, 0xbb, 0xbf] },
  { label: "utf-16le", mark: [0xff, 0xfe] },
  { label: "utf-16be", mark: [0xfe, 0xff] },
];

/** The text without its byte order mark; `charset` is what a server or a page declares. Null for binary data. */
export function decodeText(bytes: Buffer, charset: string | null = null): DecodedText | null {
  const marked = marks.find(({ mark }) => mark.every((byte, index) => bytes[index] === byte));
  if (marked && marked.label !== "utf-8") return known(bytes, marked.label);
  const declared = charset === null || marked ? null : known(bytes, charset);
  if (declared) return declared;
  if (isUtf8(bytes) && !bytes.includes(0)) return known(bytes, "utf-8");
  const wide = wideLabel(bytes);
  const text = wide === null ? null : decode(bytes, wide);
  if (text !== null) return { text, guessed: wide?.toUpperCase() ?? null };
  return bytes.includes(0) ? null : { text: fromWindows1252(bytes), guessed: "Windows-1252" };
}

function known(bytes: Buffer, label: string): DecodedText | null {
  const isLatin = /^(?:iso-?8859-?1|latin-?1|(?:windows|cp)-?1252|(?:us-)?ascii)$/i.test(label);
  const text = isLatin && !bytes.includes(0) ? fromWindows1252(bytes) : decode(bytes, label);
  return text === null ? null : { text, guessed: null };
}

/** Null if the bytes are not in this encoding, or its name is unknown. */
function decode(bytes: Buffer, label: string): string | null {
  try {
    const text = new TextDecoder(label, { fatal: true }).decode(bytes);
    return text.includes("\0") ? null : text;
  } catch {
    return null;
  }
}

/** UTF-16 without a mark: in most scripts nearly every second byte is 0. */
function wideLabel(bytes: Buffer): string | null {
  const start = bytes.subarray(0, 1000);
  if (start.length < 4 || bytes.length % 2 === 1) return null;
  const zerosAt = (rest: number) => start.filter((byte, index) => byte === 0 && index % 2 === rest).length;
  const [even, odd] = [zerosAt(0), zerosAt(1)];
  if (odd > 0.6 * (start.length / 2) && even === 0) return "utf-16le";
  return even > 0.6 * (start.length / 2) && odd === 0 ? "utf-16be" : null;
}

/** The characters of the bytes 0x80 to 0x9f, in which Windows-1252 differs from Latin-1. */
const windows = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ";

const fromWindows1252 = (bytes: Buffer): string =>
  bytes
    .toString("latin1")
    // oxlint-disable-next-line no-control-regex -- these are letters and quotes in Windows-1252
    .replaceAll(/[\u0080-\u009f]/g, (character) => windows[character.charCodeAt(0) - 0x80] ?? character);

/** The charset of a content type, or of the start of an HTML page; null if it is not declared. */
export function charsetOf(declaration: string): string | null {
  return /charset\s*=\s*["']?([\w.:-]{1,40})/i.exec(declaration)?.[1] ?? null;
}

/** The bytes in UTF-8 if the content type declares another encoding that they are in, else unchanged. */
export function toUtf8(bytes: Buffer, contentType: string | null): Buffer {
  const charset = charsetOf(contentType ?? "");
  const decoded = charset === null ? null : decodeText(bytes, charset);
  return decoded && decoded.guessed === null ? Buffer.from(decoded.text) : bytes;
}
