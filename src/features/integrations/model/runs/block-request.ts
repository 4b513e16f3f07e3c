// Requests to draw a block: checked, and decompressed from the form in URLs.
import lzString from "lz-string";
import { DomainError, invalidInput } from "#src/base/errors.ts";
import { formCheck, isRecord, refusedForm } from "#src/base/json.ts";

type Values = Readonly<Record<string, unknown>>;

export interface BlockRequest {
  readonly componentId: string;
  readonly props: Values;
  /** The state from the last response, with the input of the reader; missing when the block is first drawn. */
  readonly state?: Values;
  /** The id of the space, site or organization, and further facts for the script. */
  readonly context: Values;
  /** The action of the reader; missing when the block is first drawn. */
  readonly action?: Values;
}

export interface GivenBlockRequest {
  readonly componentId: string;
  readonly props?: unknown;
  readonly state?: unknown;
  readonly context?: unknown;
  readonly action?: unknown;
}

/** The limits of characters in compressed form and as JSON, and of nesting levels. */
export const requestLimits = { compressed: 8_000, json: 100_000, levels: 50 } as const;

const componentId = { type: "string", minLength: 1, maxLength: 100 };
const values = { type: "object" };
const action = { type: "object", required: ["action"], properties: { action: { type: "string", minLength: 1 } } };
const faultsOf = formCheck({
  type: "object",
  required: ["componentId", "props", "context"],
  properties: { componentId, props: values, state: values, context: values, action },
  additionalProperties: false,
});

/** The form of actions, for descriptions. */
export const actionForm = { ...action, additionalProperties: true };

/** INVALID_INPUT with the path of a fault. Decompression grows quadratically: 8,000 characters take at most 10 ms. */
export async function decompressedRequest(at: string, compressed: string): Promise<BlockRequest> {
  if (compressed.length > requestLimits.compressed)
    throw invalidInput(at, `must have at most ${requestLimits.compressed} characters, but has ${compressed.length}.`);
  const request = parsed(decompressed(compressed), at);
  if (request === undefined)
    throw invalidInput(at, "must be JSON, compressed with `compressToEncodedURIComponent` of LZ-string.");
  return checkedRequest(`${at}/`, request);
}

/** The text; empty if LZ-string cannot read it, for which it returns null or throws. */
function decompressed(compressed: string): string {
  try {
    return (lzString.decompressFromEncodedURIComponent(compressed) as string | null) ?? "";
  } catch {
    return "";
  }
}

function parsed(json: string, at: string): unknown {
  if (json.length > requestLimits.json) throw tooLong(at);
  try {
    return JSON.parse(json) as unknown;
  } catch {
    return undefined;
  }
}

const tooLong = (at: string): DomainError =>
  invalidInput(at, `must have at most ${requestLimits.json} characters as JSON.`);

/** Checks a request; `prefix` is that of its paths. INVALID_INPUT with the path of a fault. */
export async function checkedRequest(prefix: string, given: unknown): Promise<BlockRequest> {
  const at = prefix.replace(/\/$/, "");
  if (isDeeper(given, requestLimits.levels))
    throw invalidInput(at || "props", `must have at most ${requestLimits.levels} levels of nesting.`);
  if (JSON.stringify(given).length > requestLimits.json) throw tooLong(at || "props");
  const faults = await faultsOf(given);
  if (faults.length > 0) {
    const placed = faults.map(({ path, message }) => ({ path: at === "" ? path.slice(1) : path, message }));
    throw refusedForm(at, "The request to draw a block is invalid", placed);
  }
  return given as BlockRequest; // by its form
}

/** Whether a JSON value has more levels than these. */
export function isDeeper(value: unknown, levels: number): boolean {
  let open: unknown[] = [value];
  for (let level = 0; open.length > 0; level++) {
    if (level > levels) return true;
    open = open.flatMap((one) => (Array.isArray(one) ? (one as unknown[]) : isRecord(one) ? Object.values(one) : []));
  }
  return false;
}

/** The ids of places in a context, the narrowest first: it selects the installation. */
const placeNames = ["spaceId", "siteId", "organizationId"] as const;

export type BlockPlace = { readonly kind: "space" | "site" | "organization"; readonly id: string };

/** The narrowest place of a context. INVALID_INPUT without one, and for an id that is not a text. */
export function placeIn(at: string, context: Values): BlockPlace {
  const name = placeNames.find((one) => context[one] !== undefined);
  if (name === undefined) throw invalidInput(at, "must contain `spaceId`, `siteId` or `organizationId`.");
  const id = context[name];
  if (typeof id !== "string") throw invalidInput(`${at}/${name}`, "must be an id.");
  return { kind: name === "spaceId" ? "space" : name === "siteId" ? "site" : "organization", id };
}
