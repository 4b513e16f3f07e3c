// The size of a file of a specification, counted before it is parsed: V8 ends the process, not the thread, when one
// list or object grows by more than 16 MB at once beyond the memory of its thread.
import { type Document, visit } from "yaml";
import { SpecFault } from "#src/features/openapi/model/fault.ts";

const limits = { values: 1_000_000, lines: 1_000_000, members: 100_000 } as const;

const fault = (file: string, what: string): SpecFault => new SpecFault(`It has ${what}.`, { file });
const tooLong = (file: string): SpecFault =>
  fault(file, `a list or an object with more than ${limits.members} members`);

const [comma, quote, backslash, lineFeed, carriageReturn] = [0x2c, 0x22, 0x5c, 0x0a, 0x0d];
const isOpening = (code: number): boolean => code === 0x5b || code === 0x7b;
const isClosing = (code: number): boolean => code === 0x5d || code === 0x7d;

/** Throws a {@link SpecFault} for a text with too many values or lines. */
export function checkText(file: string, text: string): void {
  let [values, lines] = [0, 0];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === comma || isOpening(code)) values += 1;
    else if (code === lineFeed || code === carriageReturn) lines += 1;
  }
  if (values > limits.values) throw fault(file, `more than ${limits.values} values`);
  if (lines > limits.lines) throw fault(file, `more than ${limits.lines} lines`);
}

/** Throws a {@link SpecFault} for a JSON text with a list or an object that is too long. */
export function checkJson(file: string, text: string): void {
  const counts: number[] = [];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) at = endOfString(text, at);
    else if (isOpening(code)) counts.push(0);
    else if (isClosing(code)) counts.pop();
    else if (code === comma) {
      const count = (counts.pop() ?? 0) + 1;
      if (count >= limits.members) throw tooLong(file);
      counts.push(count);
    }
  }
}

function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) return at;
    if (code === backslash) at += 1;
  }
  return text.length;
}

/** The same for a YAML document that is parsed, before its values are made. */
export function checkYaml(file: string, document: Document.Parsed): void {
  visit(document, {
    Collection(_key, node) {
      if (node.items.length > limits.members) throw tooLong(file);
    },
  });
}
