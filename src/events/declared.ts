// The declared types of events: the compiler rejects events and subscriptions of undeclared types.
declare const declared: unique symbol;

/** The type of a declared event: the noun and the past participle, such as `changeRequest.merged`. */
export type EventType = `${string}.${string}` & { readonly [declared]: true };

export type Events = Readonly<Record<string, EventType>>;

/**
 * Who may receive an event, by their rights at that time: roles on its space (`space`), on the space or collection
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

/** Events after which everybody may see what they saw before. */
export const harmlessEvents: ReadonlySet<string> = harmless;

/** Events about a temporary state, without interest later. */
export const passingEvents: ReadonlySet<EventType> = passing;

/** Events that streams about their subject receive before they end. */
export const terminalEvents: ReadonlySet<EventType> = terminal;

/** Events that no subscription sends, with the reason. */
export const unstreamedEvents: ReadonlyMap<EventType, string> = unstreamed;

/** Events that are audited, too. */
export const auditedEvents: ReadonlySet<string> = audited;

export const audienceOf = (type: EventType): Audience => audiences.get(type) ?? "space";

export const eventsFor = (audience: Audience): EventType[] =>
  [...audiences].flatMap(([type, own]) => (own === audience ? [type] : []));

interface Declaration<Name extends string> {
  /** Whether they may change what somebody can see. Rights are read again after all events except those with "no". */
  readonly changesRights?: boolean;
  /** Who may receive them; by default viewers with a role on the space of the event. */
  readonly audience?: Audience;
  /** Whether they are stored as long as streams may be continued, but not in the history of the last months. */
  readonly isPassing?: boolean;
  /** Whether they delete their subject for its subscribers, whose streams end after them. */
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
  return names as { readonly [Name in keyof Names]: Names[Name] & EventType }; // the names were just declared
}
