// Commands that publish sites, and rotate the secret of their link and the signing keys of visitors' tokens.
import { randomBytes } from "node:crypto";
import { signingKeySecret } from "#src/access/visitor-tokens.ts";
import { DomainError, invalidInput, notFound } from "#src/base/errors.ts";
import { newId } from "#src/base/ids.ts";
import { type Action, change, changeIfAny } from "#src/domain/change.ts";
import type { Context } from "#src/domain/context.ts";
import { checkWebAddress, ifGiven } from "#src/domain/input.ts";
import type { EventType } from "#src/events/declared.ts";
import {
  mayEndSiteSigningKey,
  mayPublishSite,
  mayRotateSiteShareKey,
  mayRotateSiteSigningKey,
  maySetSiteJwksUrl,
  maySetSiteSignInUrl,
  mayUnpublishSite,
  type SiteRoleParts,
} from "#src/features/sites/access.ts";
import { loadSite, type Within } from "#src/features/sites/commands/load.ts";
import { siteEvent } from "#src/features/sites/commands/rearrange.ts";
import { newSigningKey } from "#src/features/sites/commands/signing-key.ts";
import { siteEvents } from "#src/features/sites/events.ts";

type SitePlace = Within & { readonly siteId: string };

/** 192 random bits as 32 characters that need no escaping in addresses. */
export const newShareKey = (): string => randomBytes(24).toString("base64url");

/** Replaces the secret of a share-link site: the former link stops working. Needs `admin`. CONFLICT for other sites. */
export async function rotateSiteShareKey(context: Context, input: SitePlace): Promise<{ id: string }> {
  const site = await loadSite(context, input.siteId, input);
  const { id, organizationId } = site;
  return change(context, mayRotateSiteShareKey, site, async (transaction) => {
    const { count } = await transaction.site.updateMany({
      where: { id, organizationId, visibility: "share_link" },
      data: { shareKey: newShareKey() },
    });
    if (count === 0)
      throw new DomainError("CONFLICT", "The site has no link: only a site with the visibility share-link has one.");
    return { result: { id }, events: [siteEvent(site, { type: siteEvents.shareKeyRotated, subjectId: id })] };
  });
}

/** How long the former keys stay valid, in seconds: at most a week, by default the longest lifetime of a token. */
const overlap = { most: 7 * 24 * 60 * 60, usual: 24 * 60 * 60 } as const;

/** The limit of a site's valid keys: each is tried on a token. */
const mostKeys = 5;

interface NewSigningKey {
  readonly id: string;
  readonly signingKeyId: string;
  readonly signingKey: string;
}

/** The former keys stay valid for the overlap. CONFLICT if too many are valid, or without a key to encrypt it with. */
export async function rotateSiteSigningKey(
  context: Context,
  input: SitePlace & { readonly overlapSeconds?: number | null | undefined },
): Promise<NewSigningKey> {
  const seconds = ifGiven("overlapSeconds", input.overlapSeconds, (given) => given) ?? overlap.usual;
  if (seconds < 0 || seconds > overlap.most)
    throw invalidInput("overlapSeconds", `must be from 0 to ${overlap.most} (a week).`);
  const site = await loadSite(context, input.siteId, input);
  const { id: siteId } = site;
  const now = context.clock.now();
  const done = await change(context, mayRotateSiteSigningKey, site, async (transaction) => {
    const id = newId("SiteSigningKey");
    const signingKey = newSigningKey();
    const secret = context.secrets.seal(signingKeySecret, id, signingKey);
    await transaction.$queryRaw`select from "Site" where id = ${siteId} for update`; // one rotation at a time
    const until = new Date(now.getTime() + seconds * 1000);
    const lasting = { OR: [{ expiresAt: null }, { expiresAt: { gt: until } }] };
    await transaction.siteSigningKey.updateMany({ where: { siteId, ...lasting }, data: { expiresAt: until } });
    await transaction.siteSigningKey.deleteMany({ where: { siteId, expiresAt: { lte: now } } });
    if ((await transaction.siteSigningKey.count({ where: { siteId } })) >= mostKeys) throw tooManyKeys();
    await transaction.siteSigningKey.create({ data: { id, siteId, secret, createdAt: now } });
    const payload = { signingKeyId: id, overlapSeconds: seconds };
    const event = siteEvent(site, { type: siteEvents.signingKeyRotated, subjectId: siteId, payload });
    return { result: { id: siteId, signingKeyId: id, signingKey }, events: [event] };
  });
  context.visitorTokens.forget(siteId);
  return done;
}

/** Ends one key at once: tokens signed with it are refused from now on. NOT_FOUND for a key that is not valid. */
export async function endSiteSigningKey(
  context: Context,
  input: SitePlace & { readonly signingKeyId: string },
): Promise<{ id: string }> {
  const site = await loadSite(context, input.siteId, input);
  const { id: siteId } = site;
  const done = await change(context, mayEndSiteSigningKey, site, async (transaction) => {
    const valid = { OR: [{ expiresAt: null }, { expiresAt: { gt: context.clock.now() } }] };
    const { count } = await transaction.siteSigningKey.deleteMany({
      where: { id: input.signingKeyId, siteId, ...valid },
    });
    if (count === 0) throw notFound("signing key");
    const payload = { signingKeyId: input.signingKeyId };
    const event = siteEvent(site, { type: siteEvents.signingKeyEnded, subjectId: siteId, payload });
    return { result: { id: siteId }, events: [event] };
  });
  context.visitorTokens.forget(siteId);
  return done;
}

const tooManyKeys = () =>
  new DomainError(
    "CONFLICT",
    `${mostKeys} keys of the site are still valid, which is the limit: end one with \`endSiteSigningKey\`, or set \`overlapSeconds\` to 0, which ends all at once.`,
  );

type AddressGiven = SitePlace & { readonly url?: string | null | undefined };

/** Sets the address of the keys (JWKS) that sign tokens of visitors; it is read when the first token arrives. */
export async function setSiteJwksUrl(context: Context, input: AddressGiven): Promise<{ id: string }> {
  const done = await setAddress(context, input, "jwksUrl", maySetSiteJwksUrl);
  context.visitorTokens.forget(done.id);
  return done;
}

/** Sets the address where visitors sign in; pages lead visitors without a valid token there. */
export const setSiteSignInUrl = (context: Context, input: AddressGiven): Promise<{ id: string }> =>
  setAddress(context, input, "signInUrl", maySetSiteSignInUrl);

async function setAddress(
  context: Context,
  input: AddressGiven,
  column: "jwksUrl" | "signInUrl",
  action: Action<SiteRoleParts>,
): Promise<{ id: string }> {
  const url = input.url == null ? null : checkWebAddress("url", input.url);
  const site = await loadSite(context, input.siteId, input);
  const { id, organizationId } = site;
  return changeIfAny(context, action, site, async (transaction) => {
    const { [column]: before } = await transaction.site.findUniqueOrThrow({ where: { id, organizationId } });
    if (before === url) return { result: { id }, events: [] };
    await transaction.site.update({ where: { id }, data: { [column]: url } });
    const payload = { changes: [{ field: `visitorAuth.${column}`, before, after: url }] };
    return { result: { id }, events: [siteEvent(site, { type: siteEvents.updated, subjectId: id, payload })] };
  });
}

/** Publishes a site, and records when and by whom; no change if it is already published. Needs `admin`. */
export function publishSite(context: Context, input: SitePlace): Promise<{ id: string }> {
  return setPublished(context, input, { action: mayPublishSite, event: siteEvents.published, published: true });
}

/** Unpublishes a site; no change if it is not published. Needs `admin`. */
export function unpublishSite(context: Context, input: SitePlace): Promise<{ id: string }> {
  return setPublished(context, input, { action: mayUnpublishSite, event: siteEvents.unpublished, published: false });
}

async function setPublished(
  context: Context,
  input: SitePlace,
  { action, event, published }: { action: Action<SiteRoleParts>; event: EventType; published: boolean },
): Promise<{ id: string }> {
  const site = await loadSite(context, input.siteId, input);
  const { id, organizationId } = site;
  return changeIfAny(context, action, site, async (transaction) => {
    const by = { publishedAt: context.clock.now(), publishedById: context.viewer.userId };
    const { count } = await transaction.site.updateMany({
      where: { id, organizationId, published: !published },
      data: { published, ...(published ? by : { publishedAt: null, publishedById: null }) },
    });
    return { result: { id }, events: count === 0 ? [] : [siteEvent(site, { type: event, subjectId: id })] };
  });
}
