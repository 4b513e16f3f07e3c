// Examples of the parameters of paths, from the data of a document whose aliases are the names of the parameters.

type Values = Readonly<Record<string, unknown>>;

/**
 * The values of the first parameters of a path for which there are any, by name. Each belongs to the one before it: the
 * comment of a space is not one of its change requests.
 */
export function pathExamples(path: string, data: unknown): Readonly<Record<string, string>> {
  const names = Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = ""]) => name);
  for (let count = names.length; count > 0; count -= 1) {
    const found = valuesIn([data], names.slice(0, count), () => true);
    if (found) return found;
  }
  return {};
}

type Passes = (object: Values) => boolean;

function valuesIn(within: object, [name, ...others]: readonly string[], passes: Passes): Record<string, string> | null {
  if (name === undefined) return {};
  for (const [value, object] of objectsWith(within, name, passes)) {
    const below = valuesIn(object, others, isNameless);
    if (below) return { [name]: value, ...below };
  }
  return null;
}

/** The objects with a text of this name, the nearest first; below an object only where it `passes`. */
function* objectsWith(within: object, name: string, passes: Passes): Generator<readonly [value: string, Values]> {
  for (let level = childrenOf(within); level.length > 0; level = level.filter(passes).flatMap(childrenOf))
    for (const object of level) {
      const value = object[name];
      if (typeof value === "string") yield [value, object];
    }
}

const isNameless: Passes = (object) => Object.values(object).every((value) => typeof value !== "string");

const childrenOf = (value: object): Values[] =>
  Object.values(value).filter((child): child is Values => typeof child === "object" && child !== null);
