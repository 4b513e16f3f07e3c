// Finds the targets of references in the files of a specification: JSON pointers in any encoding, schemas by their
// `$id`, and their anchors.
import { isRecord, pointerName, pointerStep } from "#src/base/json.ts";
import { percentDecoded } from "#src/base/url-text.ts";
import { valueAt } from "#src/features/openapi/model/parse.ts";

export interface ParsedFile {
  /** Its path, or its address, for messages. */
  readonly name: string;
  /** The address that references are relative to. */
  readonly base: string;
  readonly root: unknown;
}

export type Target = { readonly file: ParsedFile; readonly pointer: string };

/** Where keywords of JSON Schema are ordinary names. */
const data: ReadonlySet<string> = new Set(["example", "examples", "default", "const", "enum", "value"]);

export class Resources {
  readonly #files = new Set<ParsedFile>();
  /** Schemas with an `$id`, by their addresses. */
  readonly #byId = new Map<string, Target>();
  /** Schemas with an anchor: by `address#anchor`, and by the name of the file with it. */
  readonly #byAnchor = new Map<string, Target>();

  /** Finds the ids and anchors of a file. */
  add(file: ParsedFile): void {
    if (this.#files.has(file)) return;
    this.#files.add(file);
    const open = [{ value: file.root, pointer: "", base: file.base }];
    for (let next = open.pop(); next; next = open.pop()) {
      const { value, pointer } = next;
      if (typeof value !== "object" || value === null) continue;
      const base = isRecord(value) ? this.#addOne(value, { file, pointer }, next.base) : next.base;
      for (const [name, below] of Object.entries(value))
        if (!data.has(name)) open.push({ value: below as unknown, pointer: `${pointer}/${pointerStep(name)}`, base });
    }
  }

  /** Returns the address that is the base of what is below. */
  #addOne({ $id, $anchor, $dynamicAnchor }: Record<string, unknown>, target: Target, around: string): string {
    const base = (typeof $id === "string" ? addressOf($id.replace(/#$/, ""), around) : null) ?? around;
    if (base !== around) this.#byId.set(base, target);
    for (const anchor of [$anchor, $dynamicAnchor])
      if (typeof anchor === "string")
        for (const key of [`${base}#${anchor}`, `${target.file.name}#${anchor}`])
          if (!this.#byAnchor.has(key)) this.#byAnchor.set(key, target);
    return base;
  }

  /** The schema whose `$id` is the address of a path, relative to the ids around a reference. */
  resource(path: string, from: Target): Target | null {
    if (this.#byId.size === 0) return null;
    const base = this.#baseOf(from);
    const address = path === "" ? base : addressOf(path, base);
    return (address !== null && this.#byId.get(address)) || null;
  }

  #baseOf({ file, pointer }: Target): string {
    let base = file.base;
    let value = file.root;
    for (const step of ["", ...pointer.split("/").slice(1).map(pointerName)]) {
      if (step !== "" || value !== file.root) value = valueAt(value, `/${pointerStep(step)}`);
      if (isRecord(value) && typeof value["$id"] === "string")
        base = addressOf(value["$id"].replace(/#$/, ""), base) ?? base;
    }
    return base;
  }

  /** The target of a fragment below a file or schema; null if it does not exist. */
  find(fragment: string, root: Target): Target | null {
    const { file } = root;
    const forms = [percentDecoded(fragment) ?? fragment, fragment];
    if (fragment !== "" && !fragment.startsWith("/") && !forms[0]?.startsWith("/")) return this.#anchored(forms, root);
    for (const start of [root.pointer, ""])
      for (const form of forms) {
        const found = valueAt(file.root, start + form);
        if (found !== undefined && found !== null) return { file, pointer: start + form };
      }
    return null;
  }

  #anchored(names: readonly string[], root: Target): Target | null {
    const bases = [this.#baseOf(root), root.file.name];
    const keys = bases.flatMap((base) => names.map((name) => `${base}#${name}`));
    return keys.map((key) => this.#byAnchor.get(key)).find((found) => found !== undefined) ?? null;
  }
}

/** The address of a path; null if it is not valid. */
export const addressOf = (path: string, base: string): string | null => URL.parse(path, base)?.href ?? null;

/** A JSON pointer as the fragment of an address (RFC 6901, section 6). */
export const fragmentOf = (pointer: string): string =>
  pointer.replaceAll(/[^\w\-.~!$&'()*+,;=:@/?]/gu, (character) => encodeURIComponent(character.toWellFormed()));
