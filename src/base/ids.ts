// The form of ids: `prefix_` and 26 base32 characters of a UUIDv7 (TypeID); in revisions also of twice that length.
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
  OidcProvider: "oid",
  Translation: "trl",
  GlossaryTerm: "gls",
  Event: "evt",
} as const;

/** The name of a kind of row that has ids: the Prisma model and the GraphQL type. */
export type IdKind = keyof typeof idPrefixes;

const kindOfPrefix = new Map(Object.entries(idPrefixes).map(([kind, prefix]) => [prefix as string, kind as IdKind]));

/** Kinds that are part of revisions: their id is stable, and with a revision's id it identifies one state. */
export type KindInRevision = "Page" | "File" | "ReusableContent";

const isKindInRevision = (kind: IdKind): kind is KindInRevision =>
  kind === "Page" || kind === "File" || kind === "ReusableContent";

const unique = "[0-7][0-9a-hjkmnp-tv-z]{25}";
const form = new RegExp(`^([a-z]{3})_${unique}$`);
const formInRevision = new RegExp(`^([a-z]{3})_(${unique})(${unique})$`);

/** A new id. Ids of one process sort by creation. */
export function newId(kind: IdKind): string {
  return fromUUID(uuidv7(), idPrefixes[kind]).toString();
}

const startLength = 14; // of an id's prefix and milliseconds

/** The start of the ids of `kind` that were created in the millisecond of `id`. */
export const idStart = (kind: IdKind, id: string): string => idPrefixes[kind] + id.slice(3, startLength);

/** The id of `kind` that is derived from a text. */
export function idOf(kind: IdKind, text: string): string {
  const digits = createHash("sha256").update(text).digest("hex");
  const uuid = digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, "$1-$2-$3-$4-$5");
  return fromUUID(uuid, idPrefixes[kind]).toString();
}

const kindOfForm = (form: RegExp, id: string): IdKind | null => kindOfPrefix.get(form.exec(id)?.[1] ?? "") ?? null;

/** The kind of a row's id, or null if it is not an id. The row need not exist. */
export const kindOfId = (id: string): IdKind | null => kindOfForm(form, id);

/** Whether `id` has the form of an id of `kind`. */
export function isIdOf(kind: IdKind, id: string): boolean {
  return id.startsWith(idPrefixes[kind]) && kindOfId(id) === kind;
}

/** The id of an event by its number in the outbox. */
export const eventId = (number: number): string => `${idPrefixes.Event}_${String(number).padStart(26, "0")}`;

/** The id of a part of one revision. */
export const idInRevision = (revisionId: string, id: string): string =>
  id.slice(0, 4) + revisionId.slice(4) + id.slice(4);

/** The two ids in an id of {@link idInRevision}; null for any other text. */
export function partsOfId(kind: KindInRevision, id: string): { revisionId: string; id: string } | null {
  const [, prefix, revision, own] = formInRevision.exec(id) ?? [];
  if (prefix !== idPrefixes[kind]) return null;
  return { revisionId: `${idPrefixes.Revision}_${revision}`, id: `${prefix}_${own}` };
}

/** The stable id of a part of a revision; any other text unchanged. */
export const lastingId = (kind: KindInRevision, id: string): string => partsOfId(kind, id)?.id ?? id;

/** The kind of a node's id, or null. Parts of revisions are nodes only by their id in a revision. */
export function kindOfNode(id: string): IdKind | null {
  const kind = kindOfId(id);
  if (kind !== null) return isKindInRevision(kind) ? null : kind;
  const inRevision = kindOfForm(formInRevision, id);
  return inRevision !== null && isKindInRevision(inRevision) ? inRevision : null;
}
