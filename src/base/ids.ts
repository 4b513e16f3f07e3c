// Ids: the one file that knows their form, `prefix_` + 26 base32 characters of a UUIDv7 (TypeID).
import { fromUUID } from "typeid-js";
import { uuidv7 } from "uuidv7";

/** The prefix of each kind of row that has an id of its own. */
export const idPrefixes = {
  User: "usr",
  ApiToken: "tok",
  Organization: "org",
  OrganizationMember: "mem",
  InviteLink: "inv",
  Team: "tem",
  TeamMember: "tmm",
  Grant: "gra",
  Collection: "col",
  Space: "spc",
  Revision: "rev",
  Page: "pag",
  File: "fil",
  ReusableContent: "reu",
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
} as const;

/** The name of a kind of row that has ids: the Prisma model and the GraphQL type. */
export type IdKind = keyof typeof idPrefixes;

const kindOfPrefix = new Map<string, IdKind>(
  Object.entries(idPrefixes).map(([kind, prefix]) => [prefix, kind as IdKind]),
);
const form = /^([a-z]{3})_[0-7][0-9a-hjkmnp-tv-z]{25}$/;

/** A new id for a row of `kind`. Ids made by one process sort by the order in which they were made. */
export function newId(kind: IdKind): string {
  return fromUUID(uuidv7(), idPrefixes[kind]).toString();
}

/** The kind of row that `id` names, or null when it is not an id of ours. The row need not exist. */
export function kindOfId(id: string): IdKind | null {
  const prefix = form.exec(id)?.[1];
  return prefix === undefined ? null : (kindOfPrefix.get(prefix) ?? null);
}

/** Whether `id` has the form of an id of `kind`. */
export function isIdOf(kind: IdKind, id: string): boolean {
  return id.startsWith(idPrefixes[kind]) && kindOfId(id) === kind;
}
