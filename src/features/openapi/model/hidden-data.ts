// Hides examples, defaults and other data while a document is converted: the conversion takes objects in them for
// schemas, such as `{ type: file }`.
import { randomUUID } from "node:crypto";
import { isRecord } from "#src/base/json.ts";
import { type Child, childrenOf } from "#src/features/openapi/model/grammar.ts";

/** Before the number of a hidden value. It cannot be guessed, so no text of a specification has it. */
const mark = `${randomUUID()}#`;

export class HiddenData {
  readonly #values: unknown[] = [];

  /** Replaces the data of a document by texts, in place. */
  hide(document: Record<string, unknown>): void {
    const open: Child[] = [{ kind: "document", pointer: "", value: document }];
    for (let next = open.pop(); next; next = open.pop()) {
      const { kind, value } = next;
      for (const name of ["example", "default", "const", ...(kind === "example" ? ["value", "dataValue"] : [])])
        if (name in value) value[name] = this.#token(value[name]);
      if (kind === "schema" || kind === "response")
        for (const name of ["enum", "examples"]) if (name in value) value[name] = this.#tokens(value[name]);
      open.push(...childrenOf(next));
    }
  }

  #token(value: unknown): unknown {
    return typeof value === "object" && value !== null ? `${mark}${this.#values.push(value) - 1}` : value;
  }

  #tokens(values: unknown): unknown {
    if (Array.isArray(values)) return values.map((value) => this.#token(value));
    if (!isRecord(values)) return values;
    return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, this.#token(value)]));
  }

  /** The document with its data. */
  shown(value: unknown): unknown {
    if (typeof value === "string")
      return value.startsWith(mark) ? this.#values[Number(value.slice(mark.length))] : value;
    if (Array.isArray(value)) return value.map((item) => this.shown(item));
    if (!isRecord(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, this.shown(member)]));
  }
}
