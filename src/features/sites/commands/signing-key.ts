// The key with which an integration signs tokens of visitors for a site: its newest one, made if the site has none.
import { randomBytes } from "node:crypto";
import { signingKeySecret } from "#src/access/visitor-tokens.ts";
import { newId } from "#src/base/ids.ts";
import { sql } from "#src/db/connection/database.ts";
import type { Context } from "#src/domain/context.ts";

type Host = Pick<Context, "database" | "secrets" | "clock" | "visitorTokens">;

export const newSigningKey = (): string => randomBytes(32).toString("base64url");

interface Stored {
  readonly id: string;
  readonly secret: Uint8Array;
}

/** Null if the site was deleted. CONFLICT if the gateway has no key to seal it with. */
export async function provideSigningKey(host: Host, siteId: string): Promise<string | null> {
  const { database, secrets, clock } = host;
  const now = sql`${clock.now().toISOString()}::timestamptz`;
  const find = async () => {
    const [key] = await database.query<Stored>(sql`
      select id, secret from "SiteSigningKey" where "siteId" = ${siteId} and ("expiresAt" is null or "expiresAt" > ${now})
      order by "createdAt" desc, id desc limit 1`);
    return key ? secrets.open(signingKeySecret, key.id, Buffer.from(key.secret)) : null;
  };
  const found = await find();
  if (found !== null) return found;
  const id = newId("SiteSigningKey");
  const sealed = Buffer.from(secrets.seal(signingKeySecret, id, newSigningKey())).toString("base64");
  // One statement: of several first sign-ins, one makes the key, by the lock of the site.
  await database.query(sql`
    with site as (select s.id from "Site" s where s.id = ${siteId} for update)
    insert into "SiteSigningKey" (id, "siteId", secret, "createdAt")
    select ${id}, site.id, decode(${sealed}, 'base64'), ${now} from site
    where not exists (select from "SiteSigningKey" k
      where k."siteId" = site.id and (k."expiresAt" is null or k."expiresAt" > ${now}))`);
  host.visitorTokens.forget(siteId);
  return find();
}
