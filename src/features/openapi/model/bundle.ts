// Bundles the files of a specification into one document without references to others. The targets of such references
// become components; path items replace the references to them, since OpenAPI 2.0 and 3.0 have no other place for them.
// Why not @redocly/openapi-core: it takes twice as long, and does not map positions in the bundle to files.
import { percentDecoded } from "#src/base/url-text.ts";
import { isRecord, pointerName, pointerStep } from "#src/base/json.ts";
import type { Place } from "#src/features/openapi/model/fault.ts";
import { type Child, childrenOf, type ObjectKind, sectionOf } from "#src/features/openapi/model/grammar.ts";
import { type Finding, valueAt } from "#src/features/openapi/model/parse.ts";
import {
  addressOf,
  fragmentOf,
  type ParsedFile,
  Resources,
  type Target,
} from "#src/features/openapi/model/resources.ts";

export interface MissingFile {
  readonly address: string;
  /** The position of the reference. */
  readonly from: Place;
}

export interface Bundle {
  readonly document: Record<string, unknown>;
  readonly missing: readonly MissingFile[];
  /** References without a target, which stay as they are. */
  readonly findings: readonly Finding[];
  /** The origin of a position in the document. */
  placeOf(pointer: string): Place;
}

const longestChain = 20;

/** Returns files by address: null to read them later, a message if they do not exist. */
export type ReadFile = (address: string) => ParsedFile | string | null;

/** Bundles a specification, whose first file is an object. */
export function bundle(entry: ParsedFile, address: string, read: ReadFile): Bundle {
  return new Bundler(entry, address, read).run();
}

/** `inside` are the targets that were copied around it. */
type InFile = Child & { readonly file: ParsedFile; readonly inside: readonly string[] };

class Bundler {
  readonly #read: ReadFile;
  readonly #entry: ParsedFile;
  /** The addresses of the first file. */
  readonly #entryAddresses: ReadonlySet<string>;
  readonly #resources = new Resources();
  readonly #findings = new Map<string, Finding>();
  readonly #isSwagger: boolean;
  readonly #missing = new Map<string, MissingFile>();
  /** Pointers in the document by their origins. */
  readonly #places = new Map<string, string>();
  readonly #placed: { readonly section: readonly string[]; readonly name: string; readonly value: unknown }[] = [];
  readonly #names = new Map<string, Set<string>>();
  /** Origins by pointers in the document. */
  readonly #origins = new Map<string, Target>();
  readonly #waiting: InFile[] = [];

  constructor(entry: ParsedFile, address: string, read: ReadFile) {
    const { $self, swagger } = entry.root as Record<string, unknown>;
    this.#read = read;
    this.#entry = entry;
    const own = typeof $self === "string" ? addressOf($self, entry.base) : null;
    this.#entryAddresses = new Set([address, entry.base, own ?? entry.base]);
    this.#isSwagger = swagger !== undefined;
    this.#resources.add(entry);
  }

  run(): Bundle {
    const document = structuredClone(this.#entry.root) as Record<string, unknown>; // checked by the constructor
    this.#takeAliased(document);
    this.#waiting.push({ kind: "document", pointer: "", value: document, file: this.#entry, inside: [] });
    for (let next = this.#waiting.pop(); next; next = this.#waiting.pop()) this.#settle(next);
    for (const { section, name, value } of this.#placed) sectionIn(document, section)[name] = value;
    return {
      document,
      missing: [...this.#missing.values()],
      findings: [...this.#findings.values()],
      placeOf: (pointer) => this.#placeOf(pointer),
    };
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
      const target = this.#targetOf($ref, kind, { file: this.#entry, pointer: place });
      if (target && target.file !== this.#entry) this.#place(kind, target, { section, name: stepOf(name) });
    }
  }

  /** Rewrites the reference of an object, and queues the objects in it. */
  #settle(one: InFile): void {
    const { kind, value, file, pointer, inside } = one;
    if (typeof value["$ref"] === "string") {
      const target = this.#targetOf(value["$ref"], kind, { file, pointer });
      const isInlined = kind === "pathItem" || (target && !this.#canShare(kind, target));
      if (target && isInlined) return this.#inline(one, target);
      value["$ref"] = this.#newReference(kind, value["$ref"], { file, pointer });
    }
    if (kind === "schema") this.#settleSchema(one);
    for (const child of childrenOf(one)) this.#waiting.push({ ...child, file, inside });
  }

  /** References by `$id` are rewritten, and a schema with one would be the base of the new references in it. */
  #settleSchema(one: InFile): void {
    const { value, file, pointer } = one;
    delete value["$id"];
    if (typeof value["$dynamicRef"] === "string")
      value["$dynamicRef"] = this.#newReference("schema", value["$dynamicRef"], { file, pointer });
    const { discriminator } = value;
    if (!isRecord(discriminator)) return;
    const at = { file, pointer: `${pointer}/discriminator/mapping` };
    const { mapping, defaultMapping } = discriminator;
    if (isReference(defaultMapping)) discriminator["defaultMapping"] = this.#newReference("schema", defaultMapping, at);
    if (!isRecord(mapping)) return;
    for (const [name, to] of Object.entries(mapping))
      if (isReference(to)) mapping[name] = this.#newReference("schema", to, at);
  }

  /** Whether the target is a part of the document, or can become a component. */
  #canShare = (kind: ObjectKind, { file }: Target): boolean =>
    file === this.#entry || sectionOf(kind, this.#isSwagger) !== null;

  /** The reference to the same target within the document; without a target, it stays as it is. */
  #newReference(kind: ObjectKind, reference: string, from: Target): string {
    const target = this.#targetOf(reference, kind, from);
    if (!target) return reference.startsWith("#") && from.file !== this.#entry ? from.file.base + reference : reference;
    if (target.file === this.#entry) return `#${fragmentOf(target.pointer)}`;
    const section = sectionOf(kind, this.#isSwagger);
    if (!section) return reference;
    return `#${fragmentOf(this.#place(kind, target, { section, name: this.#freeName(section, target) }))}`;
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
    if (isRecord(value)) this.#waiting.push({ kind, pointer: target.pointer, value, file: target.file, inside: [] });
    return pointer;
  }

  /** Replaces a reference by its target. */
  #inline(one: InFile, target: Target): void {
    const { kind, value, file, pointer } = one;
    const { $ref, ...own } = value;
    const key = `${target.file.base}#${target.pointer}`;
    if (one.inside.includes(key)) return this.#warn(`${quoted(String($ref))} is a circular reference.`, one);
    const inside = [...one.inside, key];
    const found = structuredClone(valueAt(target.file.root, target.pointer));
    if (!isRecord(found)) return this.#warn(`${quoted(String($ref))} does not refer to an object.`, one);
    const there = { kind, pointer: target.pointer, value: found, file: target.file, inside };
    const further = typeof found["$ref"] === "string" ? this.#targetOf(found["$ref"], kind, there) : null;
    if (further) this.#inline(there, further);
    else for (const child of childrenOf(there)) this.#waiting.push({ ...child, file: target.file, inside });
    for (const child of childrenOf({ ...one, value: own })) this.#waiting.push({ ...child, file, inside: one.inside });
    delete value["$ref"];
    Object.assign(value, { ...found, ...own });
    if (file === this.#entry) this.#origins.set(pointer, target);
  }

  /** The target of a reference; null if it is missing, or if references lead in a circle. */
  #targetOf(reference: string, kind: ObjectKind, from: Target): Target | null {
    const target = this.#find(reference, kind, from);
    let at = target;
    for (let chain = 0; at; chain++) {
      const found = valueAt(at.file.root, at.pointer);
      if (!isRecord(found) || typeof found["$ref"] !== "string") return target;
      if (chain > longestChain) {
        this.#warn(`${quoted(reference)} is a circular reference.`, from);
        return null;
      }
      at = this.#find(found["$ref"], kind, at);
    }
    return target;
  }

  /** The value that a reference names; null if it does not exist, or if its file is to be read. */
  #find(reference: string, kind: ObjectKind, from: Target): Target | null {
    const [path = "", fragment = ""] = reference.split(/#(.*)/s);
    const root = this.#named(reference, kind) ?? this.#resources.resource(path, from) ?? this.#fileOf(path, from);
    if (root === null) return null;
    if (typeof root === "string") {
      this.#warn(root, from);
      return null;
    }
    const found = this.#resources.find(fragment, root);
    if (!found) this.#warn(`${quoted(reference)} does not exist in ${root.file.name}.`, from);
    return found;
  }

  /** A component that is only named, as early tools wrote it. */
  #named(reference: string, kind: ObjectKind): Target | null {
    const section = /[#/]/.test(reference) ? null : sectionOf(kind, this.#isSwagger);
    if (!section) return null;
    const pointer = `/${[...section, reference].map(pointerStep).join("/")}`;
    return valueAt(this.#entry.root, pointer) === undefined ? null : { file: this.#entry, pointer };
  }

  /** The file of a path; null if it is to be read, a message if it does not exist. */
  #fileOf(path: string, from: Target): Target | string | null {
    if (path === "") return { file: from.file, pointer: "" };
    const address = addressOf(path, from.file.base);
    if (address === null) return `${quoted(path)} is not a valid address.`;
    if (this.#entryAddresses.has(address)) return { file: this.#entry, pointer: "" };
    const file = this.#read(address);
    if (typeof file === "string") return file;
    if (file) {
      this.#resources.add(file);
      return { file, pointer: "" };
    }
    if (!this.#missing.has(address)) this.#missing.set(address, { address, from: placeIn(from) });
    return null;
  }

  #warn(message: string, from: Target): void {
    const place = placeIn(from);
    this.#findings.set(`${place.file} ${place.pointer} ${message}`, { message, place });
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
}

const placeIn = ({ file, pointer }: Target): Place & { file: string } => ({ file: file.name, pointer });

/** The name at the end of a JSON pointer. */
const stepOf = (pointer: string): string => pointerName(pointer.split("/").at(-1) ?? "");

const quoted = (reference: string): string =>
  JSON.stringify(reference.length > 200 ? `${reference.slice(0, 200)}…` : reference);

/** Whether a value of a discriminator is a reference; others are names of components. */
const isReference = (value: unknown): value is string =>
  typeof value === "string" && /[#/]|\.(?:json|ya?ml)$/i.test(value);

/** The object at a path of names, which is created if missing. */
function sectionIn(document: Record<string, unknown>, names: readonly string[]): Record<string, unknown> {
  let at = document;
  for (const name of names) {
    const below = at[name];
    at = isRecord(below) ? below : (at[name] = {});
  }
  return at;
}
