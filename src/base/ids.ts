// Ids: the one file that knows their form, `prefix_` + 26 base32 characters of a UUIDv7 (TypeID). What is another thing
// in each revision has ids of twice that length besides: the revision's part, then its own.
import { createHash } from "node:crypto";
import { fromUUID } from "typeid-js";
import { uuidv7 } from "uuidv7";

/** The prefix of each kind of row that has an id of its own. */
export const idPrefixes = {
  User: "usr",
  ApiToken: "tok",
  Session: "ses",
  SignInLink: "lnk",
  AuditEntry: "aud",
  Organization: "org",
  OrganizationMember: "mem",
  InviteLink: "inv",
  Invitation: "ivt",
  Team: "tem",
  TeamMember: "tmm",
  Grant: "gra",
  Collection: "col",
  Space: "spc",
  Revision: "rev",
  Page: "pag",
  File: "fil",
  ReusableContent: "reu",
  ContentImport: "imp",
  ContentPdf: "pdf",
  ChangeRequest: "chr",
  Review: "rvw",
  Comment: "cmt",
  CommentReply: "rpl",
  Reaction: "rea",
  Mention: "men",
  Site: "sit",
  SiteSectionGroup: "grp",
  SiteSection: "sec",
  SiteSpace: "ssp",
  SiteSigningKey: "ssk",
  OpenApiSpec: "oas",
  OpenApiSpecVersion: "oav",
  Integration: "int",
  IntegrationVersion: "itv",
  IntegrationInstallation: "ins",
  IntegrationSpace: "isp",
  IntegrationSite: "isi",
  IntegrationEvent: "iev",
  SamlProvider: "sml",
  Translation: "trl",
  GlossaryTerm: "gls",
  Event: "evt",
} as const;

/** The name of a kind of row that has ids: the Prisma model and the GraphQL type. */
export type IdKind = keyof typeof idPrefixes;

const kindOfPrefix = new Map<string, IdKind>(
  Object.entries(idPrefixes).map(([kind, prefix]) => [prefix, kind as IdKind]),
);
/** What is in revisions: its own id lasts, and with that of a revision it says which state is meant. */
export type KindInRevision = "Page" | "File" | "ReusableContent";

const isKindInRevision = (kind: IdKind): kind is KindInRevision =>
  kind === "Page" || kind === "File" || kind === "ReusableContent";

const unique = "[0-7][0-9a-hjkmnp-tv-z]{25}";
const form = new RegExp(`^([a-z]{3})_${unique}$`);
const formInRevision = new RegExp(`^([a-z]{3})_(${unique})(${unique})$`);

/** A new id for a row of `kind`. Ids made by one process sort by the order in which they were made. */
export function newId(kind: IdKind): string {
  return fromUUID(uuidv7(), idPrefixes[kind]).toString();
}

/** The characters of a prefix and of the time in milliseconds, with which an id starts. */
const startLength = 14;

/** The start of ids for rows of `kind` that are made when `id` was; the rest of any other id can follow it. */
export const idStart = (kind: IdKind, id: string): string => idPrefixes[kind] + id.slice(3, startLength);

/** The id for a row of `kind` that is always the same for the same text, and for no other one. */
export function idOf(kind: IdKind, text: string): string {
  const digits = createHash("sha256").update(text).digest("hex");
  const uuid = digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, "$1-$2-$3-$4-$5");
  return fromUUID(uuid, idPrefixes[kind]).toString();
}

const kindOfForm = (form: RegExp, id: string): IdKind | null => kindOfPrefix.get(form.exec(id)?.[1] ?? "") ?? null;

/** The kind of row that `id` names, or null when it is not an id of ours. The row need not exist. */
export const kindOfId = (id: string): IdKind | null => kindOfForm(form, id);

/** Whether `id` has the form of an id of `kind`. */
export function isIdOf(kind: IdKind, id: string): boolean {
  return id.startsWith(idPrefixes[kind]) && kindOfId(id) === kind;
}

/** The id of an event, by its number in the outbox: the one kind of row that counts. */
export const eventId = (number: number): string => `${idPrefixes.Event}_${String(number).padStart(26, "0")}`;

/** The id of something as it is in one revision, of the ids of both. */
export const idInRevision = (revisionId: string, id: string): string =>
  id.slice(0, 4) + revisionId.slice(4) + id.slice(4);

/** The ids in an id that {@link idInRevision} made for a thing of `kind`; null for every other text. */
export function partsOfId(
  kind: KindInRevision,
  id: string,
): { readonly revisionId: string; readonly id: string } | null {
  const [, prefix, revision, own] = formInRevision.exec(id) ?? [];
  if (prefix !== idPrefixes[kind]) return null;
  return { revisionId: `${idPrefixes.Revision}_${revision}`, id: `${prefix}_${own}` };
}

/** The id that lasts through revisions, of that or of the id in one of them; every other text as it is. */
export const lastingId = (kind: KindInRevision, id: string): string => partsOfId(kind, id)?.id ?? id;

/** The kind of node that an id names, or null: of what is in revisions only the id in one of them is that of a node. */
export function kindOfNode(id: string): IdKind | null {
  const kind = kindOfId(id);
  if (kind !== null) return isKindInRevision(kind) ? null : kind;
  const inRevision = kindOfForm(formInRevision, id);
  return inRevision !== null && isKindInRevision(inRevision) ? inRevision : null;
}
