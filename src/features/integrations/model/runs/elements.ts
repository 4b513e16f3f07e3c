// Checks the elements that blocks of integrations draw: those of the content kit by their kind; unknown kinds pass.
import { isRecord, pointerStep } from "#src/base/json.ts";

/** A fault of an element; `path` is a JSON pointer. */
export type ElementFault = { readonly path: string; readonly message: string };
type Check = (value: unknown) => boolean;

const isText: Check = (value) => typeof value === "string";
const isTruth: Check = (value) => typeof value === "boolean";
const isNumber: Check = (value) => typeof value === "number";
const isAction: Check = (value) => isRecord(value) && typeof value["action"] === "string";
const isSource: Check = (value) => isRecord(value) && isAddress(value["url"]);
const isAddress: Check = (value) => typeof value === "string" && /^https?:\/\//i.test(value);
const isOptions: Check = (value) =>
  Array.isArray(value) && value.every((option) => isRecord(option) && isText(option["id"]) && isText(option["label"]));

type Kind = { readonly needs?: Readonly<Record<string, Check>>; readonly may?: Readonly<Record<string, Check>> };

const labelled = { label: isText, tooltip: isText, icon: isText, disabled: isTruth };

/** The known kinds. Properties that are not named may have any value. */
const kinds: Readonly<Record<string, Kind>> = {
  block: { may: { children: Array.isArray, controls: Array.isArray } },
  button: { may: { ...labelled, style: isText, trailingIcon: isText, confirm: isRecord, onPress: isAction } },
  text: { may: { style: isText } },
  markdown: { needs: { content: isText } },
  image: { needs: { source: isSource }, may: { aspectRatio: isNumber } },
  input: { may: { label: isText, hint: isText, element: isRecord } },
  textinput: { needs: { state: isText }, may: { ...labelled, placeholder: isText, multiline: isTruth } },
  select: { needs: { state: isText, options: isOptions }, may: { placeholder: isText, multiple: isTruth } },
  switch: { needs: { state: isText }, may: labelled },
  checkbox: { needs: { state: isText }, may: labelled },
  radio: { needs: { state: isText, value: isText } },
  box: { may: { grow: isNumber } },
  hstack: {},
  vstack: {},
  divider: {},
  card: { may: { title: isText, hint: isText, onPress: isAction } },
  codeblock: { needs: { content: isText }, may: { syntax: isText, lineNumbers: isTruth } },
  link: { needs: { target: isSource } },
  modal: { may: { title: isText, subtitle: isText } },
  webframe: { needs: { source: isSource }, may: { aspectRatio: isNumber } },
};

const mostElements = 5_000;
const deepest = 50;

/** Kinds whose children must be elements; others may also have texts and null. */
const holdsElements = new Set<unknown>(["block"]);

/** The first fault of an output, which has to be `{type: "element", element}` with a `block`; null if missing. */
export function elementFault(output: unknown): ElementFault | null {
  if (!isRecord(output) || output["type"] !== "element")
    return { path: "", message: 'must be `{"type": "element", "element": {...}}`.' };
  const { element } = output;
  if (isRecord(element) && element["type"] !== "block")
    return { path: "/element/type", message: 'The outermost element must be a "block".' };
  const seen = { elements: 0 };
  return faultOf(element, { path: "/element", depth: 1, seen });
}

type Place = { readonly path: string; readonly depth: number; readonly seen: { elements: number } };

function faultOf(element: unknown, place: Place): ElementFault | null {
  const { path, depth, seen } = place;
  seen.elements += 1;
  if (seen.elements > mostElements) return { path, message: `The output has more than ${mostElements} elements.` };
  if (depth > deepest) return { path, message: `Elements may be nested at most ${deepest} levels deep.` };
  if (!isRecord(element) || typeof element["type"] !== "string")
    return { path, message: "An element must be an object with a `type`." };
  const kind = Object.hasOwn(kinds, element["type"]) ? kinds[element["type"]] : undefined;
  return (kind ? propertyFault(element, kind, path) : null) ?? childFault(element, place);
}

function propertyFault(element: Record<string, unknown>, { needs = {}, may = {} }: Kind, path: string) {
  const wrong = (name: string, message: string): ElementFault => ({ path: `${path}/${pointerStep(name)}`, message });
  for (const [name, check] of Object.entries(needs))
    if (!check(element[name])) return wrong(name, `A ${String(element["type"])} requires a valid value here.`);
  for (const [name, check] of Object.entries(may))
    if (element[name] !== undefined && !check(element[name]))
      return wrong(name, `A ${String(element["type"])} does not allow this value here.`);
  return null;
}

function childFault(of: Record<string, unknown>, { path, depth, seen }: Place): ElementFault | null {
  const { type, children, controls, element } = of;
  const isStrict = holdsElements.has(type);
  const below = (name: string): Place => ({ path: `${path}/${name}`, depth: depth + 1, seen });
  const lists = [
    ["children", Array.isArray(children) ? children : children === undefined ? [] : [children]],
    ["controls", type === "block" && Array.isArray(controls) ? controls : []],
  ] as const;
  for (const [name, list] of lists)
    for (const [index, child] of (list as unknown[]).entries()) {
      if (!isStrict && (typeof child === "string" || child === null)) continue;
      const fault = faultOf(child, below(`${name}/${index}`));
      if (fault) return fault;
    }
  return isRecord(element) ? faultOf(element, below("element")) : null;
}
