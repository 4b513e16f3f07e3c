// The declared types of events: an event of any other does not compile, nor does a subscription to one.
declare const declared: unique symbol;

/** The type of an event as somebody declared it: the noun and the verb in the past, such as `changeRequest.merged`. */
export type EventType = `${string}.${string}` & { readonly [declared]: true };

/** Event types of a feature, by what its code calls them. */
export type Events = Readonly<Record<string, EventType>>;

const all = new Set<string>();
const harmless = new Set<string>();

/** Those after which everybody may see what they saw before. */
export const harmlessEvents: ReadonlySet<string> = harmless;

/**
 * Declares event types, each written out, so that searching for one finds where it is declared, written and delivered.
 *
 * `changesRights` says whether somebody may see more or less after them. The default is true: so rights are read again
 * after events of which nobody has said that it is needless.
 */
export function defineEvents<Names extends Readonly<Record<string, `${string}.${string}`>>>(
  names: Names,
  { changesRights = true }: { readonly changesRights?: boolean } = {},
): { readonly [Name in keyof Names]: EventType } {
  for (const type of Object.values(names)) {
    if (all.has(type)) throw new Error(`The event ${type} is declared twice`);
    all.add(type);
    if (!changesRights) harmless.add(type);
  }
  return names as { readonly [Name in keyof Names]: Names[Name] & EventType }; // declared by this
}
