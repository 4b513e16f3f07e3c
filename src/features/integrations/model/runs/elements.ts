// Checks the elements that blocks of integrations draw: those of the content kit by their kind; unknown kinds pass.
import { isRecord, pointerStep } from "#src/base/json.ts";

/** A fault of an element; `path` is a JSON pointer. */
export type ElementFault = { readonly path: string; readonly message: string };
type Check = (value: unknown) => boolean;

const isText: Check = (value) => typeof value === "string";
const isTruth: Check = (value) => typeof value === "boolean";
const isAction: Check = (value) => isRecord(value) && typeof value["action"] === "string";
/** An address that is given as a text is one of the web; others, such as one bound to the state, pass. */
const leadsToWeb: Check = (value) =>
  !isRecord(value) || typeof value["url"] !== "string" || /^https?:\/\//i.test(value["url"]);

/** The properties of the kinds that the contract describes. Those that are not named may have any value. */
const kinds: Readonly<Record<string, Readonly<Record<string, Check>>>> = {
  block: { children: Array.isArray, controls: Array.isArray },
  button: {
    label: isText,
    tooltip: isText,
    icon: isText,
    disabled: isTruth,
    style: isText,
    trailingIcon: isText,
    confirm: isRecord,
    onPress: isAction,
  },
};

/** Properties of every kind that browsers may follow. */
const everyKind: Readonly<Record<string, Check>> = { source: leadsToWeb, target: leadsToWeb };

/** What may be drawn: a block, the settings of an installation, or a dialogue above a block. */
const roots: ReadonlySet<unknown> = new Set(["block", "configuration", "modal"]);

const mostElements = 5_000;
const deepest = 50;

/** Kinds whose children must be elements; others may also have texts and null. */
const holdsElements = new Set<unknown>(["block"]);

/** The first fault of an output, `{type: "element", element}` with a block or `{type: "complete"}`; null if missing. */
export function elementFault(output: unknown): ElementFault | null {
  if (isComplete(output)) return null;
  if (!isRecord(output) || (output["type"] !== undefined && output["type"] !== "element"))
    return { path: "", message: 'must be `{"type": "element", "element": {...}}` or `{"type": "complete"}`.' };
  const { element } = output;
  if (isRecord(element) && !roots.has(element["type"]))
    return { path: "/element/type", message: 'The outermost element must be a "block".' };
  const seen = { elements: 0 };
  return faultOf(element, { path: "/element", depth: 1, seen });
}

/** Whether an output ends the component instead of drawing it. */
export const isComplete = (output: unknown): output is { readonly type: "complete"; readonly returnValue?: unknown } =>
  isRecord(output) && output["type"] === "complete";

type Place = { readonly path: string; readonly depth: number; readonly seen: { elements: number } };

function faultOf(element: unknown, place: Place): ElementFault | null {
  const { path, depth, seen } = place;
  seen.elements += 1;
  if (seen.elements > mostElements) return { path, message: `The output has more than ${mostElements} elements.` };
  if (depth > deepest) return { path, message: `Elements may be nested at most ${deepest} levels deep.` };
  if (!isRecord(element) || typeof element["type"] !== "string")
    return { path, message: "An element must be an object with a `type`." };
  return propertyFault(element, path) ?? childFault(element, place);
}

function propertyFault(element: Record<string, unknown>, path: string): ElementFault | null {
  const type = String(element["type"]);
  const checks = { ...everyKind, ...(Object.hasOwn(kinds, type) ? kinds[type] : {}) };
  for (const [name, check] of Object.entries(checks))
    if (element[name] !== undefined && !check(element[name]))
      return { path: `${path}/${pointerStep(name)}`, message: `A ${type} does not allow this value here.` };
  return null;
}

function childFault(of: Record<string, unknown>, { path, depth, seen }: Place): ElementFault | null {
  const { type, children, element } = of;
  const isStrict = holdsElements.has(type);
  const below = (name: string): Place => ({ path: `${path}/${name}`, depth: depth + 1, seen });
  const list: readonly unknown[] = Array.isArray(children) ? children : children === undefined ? [] : [children];
  for (const [index, child] of list.entries()) {
    if (!isStrict && (typeof child === "string" || child === null)) continue;
    const fault = faultOf(child, below(`children/${index}`));
    if (fault) return fault;
  }
  return isRecord(element) ? faultOf(element, below("element")) : null;
}
