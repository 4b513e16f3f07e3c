// The JSON of immutable values that are sent again and again: it is written once, and kept as long as its value.

const texts = new WeakMap<object, Buffer>();

/** Keeps the JSON of a value, as UTF-8. The value must not be changed, and must be what `json` says. */
export function keepJson(value: object, json: string): void {
  texts.set(value, Buffer.from(json));
}

/** The kept JSON of a value, if there is any. */
export const keptJson = (value: object): Buffer | undefined => texts.get(value);
