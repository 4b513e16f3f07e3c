// Rows for tests: factories collect them here, and one statement writes them all, in any order, past the gateway's commands.
import { generateKeyBetween } from "fractional-indexing";
import type pg from "pg";
import type { IdKind } from "#src/base/ids.ts";
import type { Prisma } from "#src/generated/prisma/client.ts";

/** What a row of each table takes. */
export interface RowTypes extends Record<IdKind, object> {
  User: Prisma.UserCreateManyInput;
  ApiToken: Prisma.ApiTokenCreateManyInput;
  Organization: Prisma.OrganizationCreateManyInput;
  OrganizationMember: Prisma.OrganizationMemberCreateManyInput;
  InviteLink: Prisma.InviteLinkCreateManyInput;
  Team: Prisma.TeamCreateManyInput;
  TeamMember: Prisma.TeamMemberCreateManyInput;
  Grant: Prisma.GrantCreateManyInput;
  Collection: Prisma.CollectionCreateManyInput;
  Space: Prisma.SpaceCreateManyInput;
  Revision: Prisma.RevisionCreateManyInput;
  ChangeRequest: Prisma.ChangeRequestCreateManyInput;
  Review: Prisma.ReviewCreateManyInput;
  Comment: Prisma.CommentCreateManyInput;
  CommentReply: Prisma.CommentReplyCreateManyInput;
  Reaction: Prisma.ReactionCreateManyInput;
  Site: Prisma.SiteCreateManyInput;
  SiteSectionGroup: Prisma.SiteSectionGroupCreateManyInput;
  SiteSection: Prisma.SiteSectionCreateManyInput;
  SiteSpace: Prisma.SiteSpaceCreateManyInput;
}

/** Collects rows; {@link insert} writes them. Foreign keys are checked when the statement ends, so rows may come in any order. */
export class Rows {
  readonly #groups = new Map<string, { kind: IdKind; columns: string[]; rows: object[] }>();

  /** Takes a row and gives it back. Fields that are absent or undefined get the column's default. */
  add<Kind extends IdKind, Row extends RowTypes[Kind]>(kind: Kind, row: Row): Row {
    const columns = Object.entries(row).flatMap(([name, value]) => (value === undefined ? [] : [name]));
    const key = `${kind}:${columns.toSorted().join()}`;
    const group = this.#groups.get(key) ?? { kind, columns, rows: [] };
    group.rows.push(row);
    this.#groups.set(key, group);
    return row;
  }

  /** Writes everything in one statement (and counts change requests in a second one). */
  async insert(pool: pg.Pool): Promise<void> {
    const groups = [...this.#groups.values()];
    if (groups.length === 0) return;
    const inserts = groups.map(({ kind, columns }, index) => {
      const names = columns.map((name) => `"${name}"`).join();
      return `t${index} as (insert into "${kind}" (${names})
        select ${names} from json_populate_recordset(null::"${kind}", $${index + 1}))`;
    });
    await pool.query(
      `with ${inserts.join()} select`,
      groups.map(({ rows }) => JSON.stringify(rows, bytesAsHex)),
    );
    if (groups.some(({ kind }) => kind === "ChangeRequest")) await pool.query(countChangeRequests);
    this.#groups.clear();
  }
}

/** So that the next change request made through the gateway gets the next number of its space. */
const countChangeRequests = `
  update "Space" s set "lastChangeRequestNumber" = c.last
  from (select "spaceId", max(number) as last from "ChangeRequest" group by "spaceId") c
  where s.id = c."spaceId" and s."lastChangeRequestNumber" < c.last`;

/** JSON has no bytes; PostgreSQL reads them in hex. (A Buffer has been turned into an object by its toJSON by then.) */
function bytesAsHex(_key: string, value: unknown): unknown {
  const isBuffer = typeof value === "object" && value !== null && "type" in value && value.type === "Buffer";
  if (!isBuffer || !("data" in value) || !Array.isArray(value.data)) return value;
  return `\\x${Buffer.from(value.data).toString("hex")}`;
}

const lastPositions = new Map<string, string>();

/** A fractional index after all that were given out for the same parent, which any text may name. */
export function nextPosition(parent: string): string {
  const position = generateKeyBetween(lastPositions.get(parent) ?? null, null);
  lastPositions.set(parent, position);
  return position;
}

let minutes = 0;

/** An instant a minute after the one before, from the 5th of January 2026 on: no two rows of a test are equally old. */
export function nextInstant(): Date {
  return new Date(Date.UTC(2026, 0, 5, 9, minutes++));
}

let count = 0;

/** A number that is given out once in this process, for what has to be unique. */
export function nextNumber(): number {
  return ++count;
}
