// Processes a specification: parses, bundles and validates its files, repairs its form, and converts it to OpenAPI 3.1.
// Runs in threads.
import { type ErrorObject, validate } from "@scalar/openapi-validator";
import { upgrade } from "@scalar/openapi-upgrader";
import { isRecord, pointerStep } from "#src/base/json.ts";
import { type Bundle, bundle, type MissingFile } from "#src/features/openapi/model/bundle.ts";
import { exactJson, scalarText } from "#src/features/openapi/model/exact.ts";
import { describeFault, type Place, shownText, SpecFault } from "#src/features/openapi/model/fault.ts";
import { childrenOf } from "#src/features/openapi/model/grammar.ts";
import { HiddenData } from "#src/features/openapi/model/hidden-data.ts";
import { type Finding, Locator, parseFile, textOf } from "#src/features/openapi/model/parse.ts";
import { repair } from "#src/features/openapi/model/repair.ts";
import type { ParsedFile } from "#src/features/openapi/model/resources.ts";
import { describeSchemes, prepareSwagger } from "#src/features/openapi/model/swagger.ts";
import { typeData } from "#src/features/openapi/model/typed-data.ts";
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

export interface SpecTask {
  readonly files: SpecFiles;
  /** Addresses without a file, with the reason. */
  readonly absent: ReadonlyMap<string, string>;
}

/** The outcome: further files to read, a fault, or a document. */
export type Processed =
  | { readonly missing: readonly MissingFile[] }
  | { readonly fault: string }
  | { readonly made: MadeSpec };

/** A finding in a specification that could be read nevertheless. */
export type SpecWarning = Place & { readonly message: string };

export interface MadeSpec {
  /** The document, as JSON. */
  readonly document: Uint8Array;
  /** The parsed files by their names, as JSON. */
  readonly filesystem: Uint8Array;
  /** `openapi` is the version of OpenAPI of the source. */
  readonly facts: ReturnType<typeof factsOf> & { readonly openapi: string };
  /** The first {@link listedWarnings} of all. */
  readonly warnings: readonly SpecWarning[];
  readonly warningCount: number;
}

const listedWarnings = 100;

/** Processes a specification. Its files can make it run out of memory, but not throw. */
export function processSpec({ files, absent }: SpecTask): Processed {
  const [entry] = files;
  const texts = new Map<string, string>();
  const locator = new Locator(texts);
  try {
    return process({ entry, parsed: parseFiles(files, texts), absent, locator });
  } catch (error) {
    if (error instanceof SpecFault) return { fault: describeFault(error.message, locator.located(error.place)) };
    // The stack overflowed, or a text is too long.
    if (error instanceof RangeError)
      return { fault: describeFault("It is nested too deeply, or too large.", { file: entry.name }) };
    throw error;
  }
}

interface Parsed {
  readonly byAddress: ReadonlyMap<string, ParsedFile>;
  readonly findings: readonly Finding[];
}

function parseFiles(files: SpecFiles, texts: Map<string, string>): Parsed {
  const byAddress = new Map<string, ParsedFile>();
  const findings: Finding[] = [];
  for (const { address, base, name, bytes } of files) {
    const text = textOf(name, bytes);
    texts.set(name, text);
    byAddress.set(address, { name, base, root: parseFile(name, text, findings) });
  }
  return { byAddress, findings };
}

interface Processing extends Pick<SpecTask, "absent"> {
  readonly entry: SpecFile;
  readonly parsed: Parsed;
  readonly locator: Locator;
}

function process({ entry, parsed: { byAddress, findings }, absent, locator }: Processing): Processed {
  const file = byAddress.get(entry.address);
  if (!file) throw new Error("The first file is missing.");
  const openapi = versionOf(file);
  const read = (address: string) => byAddress.get(address) ?? absent.get(address) ?? null;
  const bundled = bundle(file, entry.address, read);
  if (bundled.missing.length > 0)
    return { missing: bundled.missing.map((one) => ({ ...one, from: locator.located(one.from) })) };
  const field = openapi === "2.0" ? "swagger" : "openapi";
  bundled.document[field] = /^3\.\d+$/.test(openapi) ? `${openapi}.0` : openapi;
  const all = [...findings, ...bundled.findings, ...validated(bundled)];
  const document = converted(bundled.document, entry.name);
  const filesystem = Object.fromEntries([...byAddress.values()].map(({ name, root }) => [name, root]));
  return {
    made: {
      document: json(document),
      filesystem: json(filesystem),
      facts: { openapi: shown(openapi), ...factsOf(document) },
      warnings: all.slice(0, listedWarnings).map((finding) => warningOf(finding, locator)),
      warningCount: all.length,
    },
  };
}

function warningOf({ message, place }: Finding, locator: Locator): SpecWarning {
  const { file, pointer, ...position } = locator.located(place);
  return {
    message: shownText(message, 500),
    file: shownText(file, 2_000),
    ...(pointer !== undefined && { pointer: shownText(pointer, 2_000) }),
    ...position,
  };
}

/** Repairs a document, and converts it to OpenAPI 3.1 unless it is newer. */
function converted(document: Record<string, unknown>, file: string): Record<string, unknown> {
  repair(document);
  const hidden = new HiddenData();
  hidden.hide(document);
  const { securityDefinitions } = document;
  if ("swagger" in document) prepareSwagger(document);
  try {
    const upgraded = hidden.shown(upgrade(document, "3.1")) as Record<string, unknown>; // an object stays an object
    describeSchemes(upgraded, securityDefinitions);
    typeData(upgraded);
    return upgraded;
  } catch (error) {
    if (error instanceof RangeError || !(error instanceof Error)) throw error;
    throw new SpecFault(`It cannot be converted to OpenAPI 3.1: ${error.message}`, { file });
  }
}

const json = (value: unknown): Uint8Array => new TextEncoder().encode(exactJson(value));

/** The version of OpenAPI, which is also written as a number. Throws a {@link SpecFault} for unsupported versions. */
function versionOf({ name, root }: ParsedFile): string {
  const given: Record<string, unknown> = isRecord(root) ? root : {};
  const { swagger, openapi } = given;
  const version = scalarText(openapi) ?? openapi;
  if (typeof version === "string" && /^3\.\d+(?:[.-]|$)/.test(version)) return version;
  if (["2.0", "2"].includes(String(scalarText(swagger) ?? swagger))) return "2.0";
  const message =
    'The file must be an OpenAPI document: an object with `openapi: "3.1.0"` or another version of 3, or with `swagger: "2.0"`.';
  throw new SpecFault(message, { file: name, pointer: swagger === undefined ? "/openapi" : "/swagger" });
}

/** The findings of the validation by the JSON schema of the version of OpenAPI. */
function validated(bundled: Bundle): Finding[] {
  const { errors = [] } = validate(JSON.parse(exactJson(bundled.document)) as Record<string, unknown>);
  const byPointer = Map.groupBy(errors, pointerOf);
  return Array.from(byPointer, ([pointer, all]) => {
    const specific = all.filter(({ message }) => !/^(?:oneOf|anyOf|if) must match/.test(message));
    return (specific.length > 0 ? specific : all).map(({ message }) => ({
      message: message.replace(/(?<![.!?])$/, "."),
      place: bundled.placeOf(pointer),
    }));
  }).flat();
}

function pointerOf({ path = "" }: ErrorObject): string {
  return typeof path === "string" ? path : path.map((step) => `/${pointerStep(step)}`).join("");
}

const shown = (value: unknown): string => (typeof value === "string" ? shownText(value, 200) : "");

function factsOf(document: Record<string, unknown>) {
  const { info, components, paths }: Record<string, unknown> = document;
  const { title, version }: Record<string, unknown> = isRecord(info) ? info : {};
  const pathItems = childrenOf({ kind: "document", pointer: "", value: { paths } });
  const operations = pathItems.flatMap((path) => childrenOf(path).filter(({ kind }) => kind === "operation"));
  const schemas = isRecord(components) ? components["schemas"] : undefined;
  return {
    title: shown(title) || "API",
    apiVersion: shown(version),
    pathCount: pathItems.length,
    operationCount: operations.length,
    modelCount: isRecord(schemas) ? Object.keys(schemas).length : 0,
  };
}

serveTasks(processSpec);
