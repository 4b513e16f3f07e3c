// Processes a specification: parses, bundles and validates its files, and upgrades it to OpenAPI 3.1. Runs in threads.
import { type ErrorObject, validate } from "@scalar/openapi-validator";
import { upgrade } from "@scalar/openapi-upgrader";
import { isRecord, pointerStep } from "#src/base/json.ts";
import { type Bundle, bundle, type MissingFile, type ParsedFile } from "#src/features/openapi/model/bundle.ts";
import { describeFault, type Place, shownText, SpecFault } from "#src/features/openapi/model/fault.ts";
import { childrenOf } from "#src/features/openapi/model/grammar.ts";
import { located, parseFile, textOf } from "#src/features/openapi/model/parse.ts";
import { serveTasks } from "#src/runtime/threads.ts";

export interface SpecFile {
  /** Identifies the file in references; references in it are relative to `base`. */
  readonly address: string;
  readonly base: string;
  /** Its path, or its address, for messages. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** The files of a specification; its root document comes first. */
export type SpecFiles = readonly [SpecFile, ...SpecFile[]];

/** The outcome: further files to read, a fault, or a document. */
export type Processed =
  | { readonly missing: readonly MissingFile[] }
  | { readonly fault: string }
  | { readonly made: MadeSpec };

export interface MadeSpec {
  /** The document, as JSON. */
  readonly document: Uint8Array;
  /** The parsed files by their names, as JSON. */
  readonly filesystem: Uint8Array;
  /** `openapi` is the version of OpenAPI of the source. */
  readonly facts: ReturnType<typeof factsOf> & { readonly openapi: string };
}

const listedFaults = 5;

/** Processes a specification. Its files can make it run out of memory, but not throw. */
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
    const document = upgrade(bundled.document, "3.1") as Record<string, unknown>; // an object stays an object
    const filesystem = Object.fromEntries([...parsed.values()].map(({ name, root }) => [name, root]));
    const facts = { openapi: shown(openapi), ...factsOf(document) };
    return { made: { document: json(document), filesystem: json(filesystem), facts } };
  } catch (error) {
    if (error instanceof SpecFault) return { fault: describeFault(error.message, inText(error.place, texts)) };
    // The stack overflowed, or a text is too long.
    if (error instanceof RangeError)
      return { fault: describeFault("It is nested too deeply, or too large.", { file: entry.name }) };
    throw error;
  }
}

const json = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));

function inText(place: Place, texts: ReadonlyMap<string, string>): Place {
  const text = texts.get(place.file);
  return text === undefined ? place : located(place, text);
}

/** The version of OpenAPI. Throws a {@link SpecFault} for unsupported versions. */
function versionOf(file: string, root: unknown): string {
  const { swagger, openapi }: Record<string, unknown> = isRecord(root) ? root : {};
  if (swagger === "2.0") return swagger;
  if (typeof openapi === "string" && /^3\.[01]\.\d+/.test(openapi)) return openapi;
  const message =
    'The file must be an OpenAPI document: an object with `openapi: "3.1.0"` or another version of 3.0 or 3.1, or with `swagger: "2.0"`, in quotation marks.';
  throw new SpecFault(message, { file, pointer: swagger === undefined ? "/openapi" : "/swagger" });
}

/** Throws a {@link SpecFault} with the first faults unless the document is valid. */
function requireValid(bundled: Bundle): void {
  const { valid, errors = [] } = validate(bundled.document);
  if (valid) return;
  const placeOf = (error: ErrorObject | undefined) => bundled.placeOf(pointerOf(error));
  const [first, ...others] = errors;
  const place = placeOf(first);
  const more = others.slice(0, listedFaults - 1).map((one) => describeFault(one.message, placeOf(one)));
  const rest = others.length - more.length;
  const message = [
    first?.message ?? "The document is not valid OpenAPI.",
    ...more,
    ...(rest > 0 ? [`${rest} more.`] : []),
  ];
  throw new SpecFault(message.join("\n"), place);
}

function pointerOf(error: ErrorObject | undefined): string {
  const path = error?.path ?? "";
  return typeof path === "string" ? path : path.map((step) => `/${pointerStep(step)}`).join("");
}

const shown = (value: unknown): string => shownText(String(value), 200);

function factsOf(document: Record<string, unknown>) {
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

serveTasks(processSpec);
