// The declared types of events: an event of any other does not compile, nor does a subscription to one.
declare const declared: unique symbol;

/** The type of an event as somebody declared it: the noun and the verb in the past, such as `changeRequest.merged`. */
export type EventType = `${string}.${string}` & { readonly [declared]: true };

export type Events = Readonly<Record<string, EventType>>;

/**
 * Who may receive an event, by their rights at that moment: roles on its space (`space`), on the space or collection
 * that is its subject; for a deleted one admins, members if `wasForMembers`, and `guestIds` (`who had it`); the whole
 * organization (`everybody`), without guests (`members`), `admins`; the actor (`themselves`).
 */
export type Audience =
  | "space"
  | "the space"
  | "the collection"
  | "who had it"
  | "everybody"
  | "members"
  | "admins"
  | "themselves";

const audiences = new Map<EventType, Audience>();
const harmless = new Set<string>();
const passing = new Set<EventType>();
const terminal = new Set<EventType>();
const audited = new Set<string>();
const unstreamed = new Map<EventType, string>();

/** Those after which everybody may see what they saw before. */
export const harmlessEvents: ReadonlySet<string> = harmless;

/** Those that say how things are at a moment, and are of no interest later. */
export const passingEvents: ReadonlySet<EventType> = passing;

/** Those of which the streams about their subject are told before they end. */
export const terminalEvents: ReadonlySet<EventType> = terminal;

/** Those that no subscription sends, with the reason. */
export const unstreamedEvents: ReadonlyMap<EventType, string> = unstreamed;

/** Those that are told in the audit log, too. */
export const auditedEvents: ReadonlySet<string> = audited;

export const audienceOf = (type: EventType): Audience => audiences.get(type) ?? "space";

export const eventsFor = (audience: Audience): EventType[] =>
  [...audiences].flatMap(([type, own]) => (own === audience ? [type] : []));

interface Declaration<Name extends string> {
  /** Whether somebody may see more or less after them. Rights are read again after events of which nobody says no. */
  readonly changesRights?: boolean;
  /** Who may hear of them: those with a role on the space of the event unless it says otherwise. */
  readonly audience?: Audience;
  /** Whether they are kept for as long as streams may be continued, but not among what happened in the last months. */
  readonly isPassing?: boolean;
  /** Whether their subject is gone for those who listen to it: they hear of that, and then their streams end. */
  readonly isTerminal?: boolean;
  /** Whether they (or which) are audited with payload; test/features/audit/declared.test.ts justifies the others. */
  readonly isAudited?: boolean | readonly Name[];
  /** Why no subscription sends them. Every other event must be sent by one. */
  readonly unstreamed?: string;
}

/** Declares event types in full, so that a search finds declaration, writers and readers. */
export function defineEvents<Names extends Readonly<Record<string, `${string}.${string}`>>>(
  names: Names,
  declaration: Declaration<keyof Names & string> = {},
): { readonly [Name in keyof Names]: EventType } {
  const { changesRights = true, audience = "space" } = declaration;
  const { isPassing = false, isTerminal = false, isAudited = false, unstreamed: reason } = declaration;
  for (const [name, type] of Object.entries(names) as [string, EventType][]) {
    if (audiences.has(type)) throw new Error(`The event ${type} is declared twice`);
    audiences.set(type, audience);
    if (!changesRights) harmless.add(type);
    if (isPassing) passing.add(type);
    if (isTerminal) terminal.add(type);
    if (reason !== undefined) unstreamed.set(type, reason);
    if (Array.isArray(isAudited) ? isAudited.includes(name) : isAudited) audited.add(type);
  }
  return names as { readonly [Name in keyof Names]: Names[Name] & EventType }; // declared by this
}
