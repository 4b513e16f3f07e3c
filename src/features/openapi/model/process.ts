// Processing a specification: its files are parsed, bundled, validated and brought to OpenAPI 3.1.
import { type ErrorObject, validate } from "@scalar/openapi-validator";
import { upgrade } from "@scalar/openapi-upgrader";
import { isRecord, pointerStep } from "#src/base/json.ts";
import { type Bundle, bundle, type MissingFile, type ParsedFile } from "#src/features/openapi/model/bundle.ts";
import { describeFault, type Place, shownText, SpecFault } from "#src/features/openapi/model/fault.ts";
import { childrenOf } from "#src/features/openapi/model/grammar.ts";
import { located, parseFile, textOf } from "#src/features/openapi/model/parse.ts";

/** A file as it was given or fetched. */
export interface SpecFile {
  /** By which it is referred to; references in it are relative to `base`, where that is another one. */
  readonly address: string;
  readonly base: string;
  /** For people: its path, or its address. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** A specification: the file with which it begins is the first one. */
export type SpecFiles = readonly [SpecFile, ...SpecFile[]];

/** What has come of one: files that it needs besides, what is wrong with it, or a document. */
export type Processed =
  | { readonly missing: readonly MissingFile[] }
  | { readonly fault: string }
  | { readonly made: MadeSpec };

export interface MadeSpec {
  /** The document, as JSON. */
  readonly document: Uint8Array;
  /** The parsed files by their names, as JSON. */
  readonly filesystem: Uint8Array;
  readonly facts: SpecFacts;
}

/** What is told of a specification without reading its document. */
interface SpecFacts {
  /** The version of OpenAPI that it is written in. */
  readonly openapi: string;
  readonly title: string;
  /** What it says of its own version. */
  readonly apiVersion: string;
  readonly pathCount: number;
  readonly operationCount: number;
  readonly modelCount: number;
}

/** How many of the faults that the validation finds are told. */
const toldFaults = 5;

/** Processes a specification. Throws nothing that its files can bring about, but for what takes too much memory. */
export function processSpec(files: SpecFiles): Processed {
  const [entry] = files;
  const texts = new Map<string, string>();
  try {
    const parsed = new Map<string, ParsedFile>();
    for (const { address, base, name, bytes } of files) {
      const text = textOf(name, bytes);
      texts.set(name, text);
      parsed.set(address, { name, base, root: parseFile(name, text) });
    }
    const openapi = versionOf(entry.name, parsed.get(entry.address)?.root);
    const bundled = bundle(entry.address, (address) => parsed.get(address) ?? null);
    if (bundled.missing.length > 0)
      return { missing: bundled.missing.map((one) => ({ ...one, from: inText(one.from, texts) })) };
    requireValid(bundled);
    const document = upgrade(bundled.document, "3.1") as Record<string, unknown>; // an object stays one
    const filesystem = Object.fromEntries([...parsed.values()].map(({ name, root }) => [name, root]));
    return {
      made: {
        document: json(document),
        filesystem: json(filesystem),
        facts: { openapi: shown(openapi), ...factsOf(document) },
      },
    };
  } catch (error) {
    if (error instanceof SpecFault) return { fault: describe(error, texts) };
    // The stack is full, or a text too long.
    if (error instanceof RangeError) return { fault: describe(tooDeep(entry.name), texts) };
    throw error;
  }
}

const json = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));

const tooDeep = (file: string) => new SpecFault("It is nested too deeply, or too large.", { file });

const describe = ({ message, place }: SpecFault, texts: ReadonlyMap<string, string>): string =>
  describeFault(message, inText(place, texts));

/** The place with its line and column, where its file is there. */
function inText(place: Place, texts: ReadonlyMap<string, string>): Place {
  const text = texts.get(place.file);
  return text === undefined ? place : located(place, text);
}

/** The version of OpenAPI. Throws a {@link SpecFault} for what is not written in one that is known here. */
function versionOf(file: string, root: unknown): string {
  const { swagger, openapi }: Record<string, unknown> = isRecord(root) ? root : {};
  if (swagger === "2.0") return swagger;
  if (typeof openapi === "string" && /^3\.[01]\.\d+/.test(openapi)) return openapi;
  const message =
    'It must be an OpenAPI document: an object with `openapi: "3.1.0"` or another version of 3.0 or 3.1, or with `swagger: "2.0"`, in quotation marks.';
  throw new SpecFault(message, { file, pointer: swagger === undefined ? "/openapi" : "/swagger" });
}

/** Throws a {@link SpecFault} that tells the first faults, unless the document is as OpenAPI says. */
function requireValid(bundled: Bundle): void {
  const { valid, errors = [] } = validate(bundled.document);
  if (valid) return;
  const placeOf = (error: ErrorObject | undefined) => bundled.placeOf(pointerOf(error));
  const [first, ...others] = errors;
  const place = placeOf(first);
  const more = others.slice(0, toldFaults - 1).map((one) => describeFault(one.message, placeOf(one)));
  const rest = others.length - more.length;
  const message = [first?.message ?? "It is no valid OpenAPI.", ...more, ...(rest > 0 ? [`${rest} more.`] : [])];
  throw new SpecFault(message.join("\n"), place);
}

function pointerOf(error: ErrorObject | undefined): string {
  const path = error?.path ?? "";
  return typeof path === "string" ? path : path.map((step) => `/${pointerStep(step)}`).join("");
}

const shown = (value: unknown): string => shownText(String(value), 200);

function factsOf(document: Record<string, unknown>): Omit<SpecFacts, "openapi"> {
  const { info, components, paths }: Record<string, unknown> = document;
  const { title, version }: Record<string, unknown> = isRecord(info) ? info : {};
  const pathItems = childrenOf({ kind: "document", pointer: "", value: { paths } });
  const operations = pathItems.flatMap((path) => childrenOf(path).filter(({ kind }) => kind === "operation"));
  const schemas = isRecord(components) ? components["schemas"] : undefined;
  return {
    title: shown(title),
    apiVersion: shown(version),
    pathCount: pathItems.length,
    operationCount: operations.length,
    modelCount: isRecord(schemas) ? Object.keys(schemas).length : 0,
  };
}
