// Bundles the files of a specification into one document without references to others. The targets of such references
// become components; path items replace the references to them, since OpenAPI 2.0 and 3.0 have no other place for them.
// Why not @redocly/openapi-core: it takes twice as long, and does not map positions in the bundle to files.
import { percentDecoded } from "#src/base/url-text.ts";
import { isRecord, pointerName, pointerStep } from "#src/base/json.ts";
import { type Place, SpecFault } from "#src/features/openapi/model/fault.ts";
import { type Child, childrenOf, type ObjectKind, sectionOf } from "#src/features/openapi/model/grammar.ts";
import { valueAt } from "#src/features/openapi/model/parse.ts";

export interface ParsedFile {
  /** Its path, or its address, for messages. */
  readonly name: string;
  /** The address that references are relative to. */
  readonly base: string;
  readonly root: unknown;
}

export interface MissingFile {
  readonly address: string;
  /** The position of the reference. */
  readonly from: Place;
}

export interface Bundle {
  readonly document: Record<string, unknown>;
  readonly missing: readonly MissingFile[];
  /** The origin of a position in the document. */
  placeOf(pointer: string): Place;
}

const longestChain = 20;

/** `read` returns files by address, null for missing ones. Throws a {@link SpecFault} for a broken reference. */
export function bundle(entry: string, read: (address: string) => ParsedFile | null): Bundle {
  return new Bundler(entry, read).run();
}

type InFile = Child & { readonly file: ParsedFile };
type Target = { readonly file: ParsedFile; readonly pointer: string };

class Bundler {
  readonly #read: (address: string) => ParsedFile | null;
  readonly #entry: ParsedFile;
  readonly #entryAddress: string;
  readonly #isSwagger: boolean;
  readonly #missing = new Map<string, MissingFile>();
  /** Pointers in the document by their origins. */
  readonly #places = new Map<string, string>();
  readonly #placed: { readonly section: readonly string[]; readonly name: string; readonly value: unknown }[] = [];
  readonly #names = new Map<string, Set<string>>();
  /** Origins by pointers in the document. */
  readonly #origins = new Map<string, Target>();
  readonly #waiting: InFile[] = [];

  constructor(entry: string, read: (address: string) => ParsedFile | null) {
    const file = read(entry);
    if (!file || !isRecord(file.root)) throw new Error("The first file is not an object.");
    this.#read = read;
    this.#entry = file;
    this.#entryAddress = entry;
    this.#isSwagger = Object.hasOwn(file.root, "swagger");
  }

  run(): Bundle {
    const document = structuredClone(this.#entry.root) as Record<string, unknown>; // checked by the constructor
    this.#takeAliased(document);
    this.#waiting.push({ kind: "document", pointer: "", value: document, file: this.#entry });
    for (let next = this.#waiting.pop(); next; next = this.#waiting.pop()) this.#settle(next);
    for (const { section, name, value } of this.#placed) sectionIn(document, section)[name] = value;
    return { document, missing: [...this.#missing.values()], placeOf: (pointer) => this.#placeOf(pointer) };
  }

  /** Components that only refer to another file give its target their name. */
  #takeAliased(document: Record<string, unknown>): void {
    const components = this.#isSwagger ? document : document["components"];
    if (!isRecord(components)) return;
    const parent = { kind: this.#isSwagger ? "document" : "components", pointer: "", value: components } as const;
    for (const { kind, pointer, value } of childrenOf(parent)) {
      const section = sectionOf(kind, this.#isSwagger);
      const { $ref, ...others } = value;
      const [list, name] = pointer.slice(1).split("/");
      if (typeof $ref !== "string" || $ref.startsWith("#") || Object.keys(others).length > 0) continue;
      if (section === null || section.at(-1) !== list || name === undefined) continue;
      const place = this.#isSwagger ? pointer : `/components${pointer}`;
      const target = this.#targetOf($ref, { file: this.#entry, pointer: place });
      if (target) this.#place(kind, target, { section, name: stepOf(name) });
    }
  }

  /** Rewrites the reference of an object, and queues the objects in it. */
  #settle(one: InFile): void {
    const { kind, value, file, pointer } = one;
    if (typeof value["$ref"] === "string") {
      if (kind === "pathItem") return this.#inline(one);
      value["$ref"] = this.#newReference(kind, value["$ref"], { file, pointer });
    }
    if (kind === "schema") this.#settleMapping(one);
    for (const child of childrenOf(one)) this.#waiting.push({ ...child, file });
  }

  /** Rewrites the references of a discriminator; its other values are names of components. */
  #settleMapping({ value, file, pointer }: InFile): void {
    const mapping = isRecord(value["discriminator"]) ? value["discriminator"]["mapping"] : undefined;
    if (!isRecord(mapping)) return;
    for (const [name, to] of Object.entries(mapping))
      if (typeof to === "string" && /[#/]|\.(?:json|ya?ml)$/i.test(to))
        mapping[name] = this.#newReference("schema", to, { file, pointer: `${pointer}/discriminator/mapping` });
  }

  /** The reference to the same target within the document. */
  #newReference(kind: ObjectKind, reference: string, from: Target): string {
    const target = this.#targetOf(reference, from);
    if (!target) return reference;
    if (target.file === this.#entry) return `#${target.pointer}`;
    const section = sectionOf(kind, this.#isSwagger);
    if (!section) throw this.#fault("A reference to another file is not allowed here.", from);
    return `#${this.#place(kind, target, { section, name: this.#freeName(section, target) })}`;
  }

  /** Adds the target of a reference to the document, once, and returns its pointer. */
  #place(kind: ObjectKind, target: Target, { section, name }: { section: readonly string[]; name: string }): string {
    const key = `${kind} ${target.file.base}#${target.pointer}`;
    const known = this.#places.get(key);
    if (known !== undefined) return known;
    const pointer = `/${[...section, name].map(pointerStep).join("/")}`;
    const value = structuredClone(valueAt(target.file.root, target.pointer));
    this.#places.set(key, pointer);
    this.#namesIn(section).add(name);
    this.#placed.push({ section, name, value });
    this.#origins.set(pointer, target);
    if (isRecord(value)) this.#waiting.push({ kind, pointer: target.pointer, value, file: target.file });
    return pointer;
  }

  /** Replaces a reference by its target path item. */
  #inline(one: InFile): void {
    const { value, file, pointer } = one;
    const { $ref, ...own } = value;
    const from = { file, pointer };
    const target = this.#targetOf(String($ref), from);
    if (!target) return;
    const found = structuredClone(valueAt(target.file.root, target.pointer));
    if (!isRecord(found)) throw this.#fault(`${quoted(String($ref))} does not refer to a path item.`, from);
    const there = { kind: "pathItem", pointer: target.pointer, value: found, file: target.file } as const;
    if (typeof found["$ref"] === "string") this.#inline(there);
    else for (const child of childrenOf(there)) this.#waiting.push({ ...child, file: target.file });
    for (const child of childrenOf({ ...one, value: own })) this.#waiting.push({ ...child, file });
    delete value["$ref"];
    Object.assign(value, { ...found, ...own });
    if (file === this.#entry) this.#origins.set(pointer, target);
  }

  /** The target of a reference; null if its file is missing, which is recorded. Throws if missing or circular. */
  #targetOf(reference: string, from: Target, chain = 0): Target | null {
    const [path = "", fragment = ""] = reference.split(/#(.*)/s);
    const address = path === "" ? from.file.base : addressOf(path, from.file.base);
    if (address === null) throw this.#fault(`${quoted(reference)} is not a valid address.`, from);
    const isOfEntry = address === this.#entryAddress || address === this.#entry.base;
    const file = path === "" ? from.file : isOfEntry ? this.#entry : this.#read(address);
    if (!file) {
      if (!this.#missing.has(address)) this.#missing.set(address, { address, from: placeIn(from) });
      return null;
    }
    const pointer = percentDecoded(fragment);
    if (pointer === null || !/^(?:\/|$)/.test(pointer))
      throw this.#fault(`${quoted(reference)} must have a JSON pointer after the #, which starts with a slash.`, from);
    const found = valueAt(file.root, pointer);
    if (found === undefined) throw this.#fault(`${quoted(reference)} does not exist in ${file.name}.`, from);
    if (chain > longestChain) throw this.#fault(`${quoted(reference)} is a circular reference.`, from);
    if (isRecord(found) && typeof found["$ref"] === "string")
      this.#targetOf(found["$ref"], { file, pointer }, chain + 1);
    return { file, pointer };
  }

  /** A free name for a target, derived from its name there. */
  #freeName(section: readonly string[], { file, pointer }: Target): string {
    const last = pointer === "" ? (file.base.split("/").at(-1) ?? "").replace(/\.\w+$/, "") : stepOf(pointer);
    const wanted = (percentDecoded(last) ?? last).replaceAll(/[^\w.-]+/g, "_") || "Model";
    const taken = this.#namesIn(section);
    for (let number = 1; ; number += 1) {
      const name = number === 1 ? wanted : `${wanted}${number}`;
      if (!taken.has(name)) return name;
    }
  }

  #namesIn(section: readonly string[]): Set<string> {
    const key = section.join("/");
    const own = valueAt(this.#entry.root, `/${key}`);
    const names = this.#names.get(key) ?? new Set(isRecord(own) ? Object.keys(own) : []);
    this.#names.set(key, names);
    return names;
  }

  #placeOf(pointer: string): Place {
    const [at, origin] = [...this.#origins]
      .filter(([place]) => pointer === place || pointer.startsWith(`${place}/`))
      .toSorted(([one], [other]) => other.length - one.length)[0] ?? ["", { file: this.#entry, pointer: "" }];
    return { file: origin.file.name, pointer: origin.pointer + pointer.slice(at.length) };
  }

  #fault(message: string, from: Target): SpecFault {
    return new SpecFault(message, placeIn(from));
  }
}

const placeIn = ({ file, pointer }: Target): Place => ({ file: file.name, pointer });

/** The name at the end of a JSON pointer. */
const stepOf = (pointer: string): string => pointerName(pointer.split("/").at(-1) ?? "");

const quoted = (reference: string): string =>
  JSON.stringify(reference.length > 200 ? `${reference.slice(0, 200)}…` : reference);

const addressOf = (path: string, base: string): string | null =>
  URL.canParse(path, base) ? new URL(path, base).href : null;

/** The object at a path of names, which is created if missing. */
function sectionIn(document: Record<string, unknown>, names: readonly string[]): Record<string, unknown> {
  let at = document;
  for (const name of names) {
    const below = at[name];
    at = isRecord(below) ? below : (at[name] = {});
  }
  return at;
}
