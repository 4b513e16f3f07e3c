// The statuses of links, checked in batches per content.
import { lookup } from "#src/base/lookup.ts";
import { type Reference, referenceOfAddress } from "#src/documents/references.ts";
import type { Context } from "#src/domain/context.ts";
import type { PageTree } from "#src/features/content/model/page.ts";
import { type PageLink, reusableIn } from "#src/features/links/model/page-links.ts";
import { isOutside, outsideUrl } from "#src/features/links/model/outside.ts";
import { isPath, pageAt } from "#src/features/links/model/paths.ts";
import type { TextAnchors } from "#src/features/links/model/text-links.ts";
import type { LinkedContent } from "#src/features/links/reads/linked-content.ts";
import { findAll, keyOfPage, type Lookups, type OutsideCheck } from "#src/features/links/reads/lookups.ts";
import type { SpaceRow } from "#src/features/spaces/reads.ts";

export type LinkStatus = "ok" | "broken" | "in_app";

export interface CheckedLink extends PageLink {
  readonly status: LinkStatus;
  /** Null for a reusable content. A link by path refers to the page if it exists. */
  readonly reference: Reference | null;
  readonly isByPath: boolean;
  /** The finding for an external URL; null for other links. */
  readonly outside: OutsideCheck | null;
}

interface Content {
  readonly content: LinkedContent;
  readonly tree: PageTree;
  readonly lookups: Lookups;
}

/** The links with their statuses for the viewer: invisible targets count as missing. */
export async function checkLinks(context: Context, of: Content, links: readonly PageLink[]): Promise<CheckedLink[]> {
  const read = links.map((link) => readLink(of, link));
  const target = new Targets(of);
  await target.find(read.flatMap(({ reference, page }) => (reference ? [{ reference, page }] : [])));
  return Promise.all(
    read.map(async (link) => {
      if (!leadsOutside(context, link)) return { ...link, outside: null, status: statusOf(context, of, link, target) };
      const url = outsideUrl(link.address);
      const outside = (await of.lookups.outside.load({ space: of.content.spaceId, url })) ?? unchecked;
      return { ...link, outside, status: outside.status === "broken" ? "broken" : "ok" };
    }),
  );
}

const unchecked: OutsideCheck = { status: "unchecked", reason: null, checkedAt: null };

type ReadLink = Omit<CheckedLink, "status" | "outside">;

const leadsOutside = ({ links }: Context, { reference, isByPath, address }: ReadLink): boolean =>
  reference?.kind === "url" && !isByPath && isOutside(address) && !links.leadsIn(address);

function readLink({ tree }: Content, link: PageLink): ReadLink {
  if (reusableIn(link) !== null) return { ...link, reference: null, isByPath: false };
  if (!isPath(link.address)) return { ...link, reference: referenceOfAddress(link.address), isByPath: false };
  const found = pageAt(tree, link.address, link.page);
  const page = found?.page.pageId ?? "";
  const reference: Reference =
    found === null
      ? { kind: "url", url: link.address }
      : found.anchor === null
        ? { kind: "page", page }
        : { kind: "anchor", page, anchor: found.anchor };
  return { ...link, reference, isByPath: true };
}

function statusOf({ links }: Context, { content }: Content, link: ReadLink, target: Targets): LinkStatus {
  const { reference, isByPath, page, address } = link;
  if (reference === null) return Object.hasOwn(content.reusableContents, reusableIn(link) ?? "") ? "ok" : "broken";
  if (reference.kind !== "url") return target.isThere(reference, page) ? "ok" : "broken";
  if (isByPath) return "broken";
  if (/^(?:page|file|space|user|collection|openapi):/.test(address)) return "broken"; // not a valid id
  return links.leadsIn(address) ? "in_app" : "ok";
}

const specKey = (name: string) => `openapi:${name}`;

type Audience = Pick<SpaceRow, "organizationId" | "visibility" | "isClosed" | "inheritedLevel">;

const isOpen = ({ visibility }: Audience): boolean => visibility === "public" || visibility === "unlisted";

/** Whether visitors outside the organization see it with a link or a visitor token. */
const isForVisitors = (space: Audience): boolean =>
  isOpen(space) || space.visibility === "share_link" || space.visibility === "visitor_auth";

/** Whether members of its organization see it without a grant. */
const isForMembers = ({ isClosed, inheritedLevel }: Audience): boolean => !isClosed || inheritedLevel !== null;

/** Whether all viewers of `other` see `space`, by visibility only: closed spaces count as having the same viewers. */
function isForAllOf(space: Audience, other: Audience): boolean {
  if (isOpen(space)) return true;
  if (isForVisitors(other) || space.organizationId !== other.organizationId) return false;
  return isForMembers(space) || !isForMembers(other);
}

interface Reading {
  readonly reference: Reference;
  readonly page: PageLink["page"];
}

/** The existing targets of the references of a content, found in one pass. */
class Targets {
  readonly #of: Content;
  readonly #there = new Set<string>();
  readonly #texts = new Map<string, string | null>();
  readonly #anchors = new Map<string, TextAnchors>();

  constructor(of: Content) {
    this.#of = of;
  }

  async find(readings: readonly Reading[]): Promise<void> {
    const references = readings.map(({ reference }) => reference);
    const others = [this.#findSpaces(references), this.#findOthers(references), this.#findSpecs(references)];
    await Promise.all([this.#findFiles(references), ...others]);
    await this.#findPages(references);
    const hashes = readings.flatMap(({ reference, page }) =>
      reference.kind === "anchor" ? (this.#textOf(reference, page) ?? []) : [],
    );
    for (const [hash, anchors] of await findAll(this.#of.lookups.anchors, hashes)) this.#anchors.set(hash, anchors);
  }

  isThere(reference: Reference, from: PageLink["page"]): boolean {
    const { content, tree } = this.#of;
    switch (reference.kind) {
      case "anchor": {
        const anchors = lookup(this.#anchors, this.#textOf(reference, from));
        return anchors !== undefined && anchors.find(reference.anchor) !== null;
      }
      case "page":
        if (reference.space === undefined || reference.space === content.spaceId) return tree.byId.has(reference.page);
        return this.#texts.has(keyOfPage({ space: reference.space, page: reference.page }));
      case "file":
        return this.#there.has(reference.file);
      case "space":
        return this.#there.has(reference.space);
      case "user":
        return this.#there.has(reference.user);
      case "collection":
        return this.#there.has(reference.collection);
      case "openapi":
        return this.#there.has(specKey(reference.spec));
      case "url":
        return false;
    }
  }

  /** The hash of the text that contains an anchor; null if it does not exist. */
  #textOf(reference: Extract<Reference, { kind: "anchor" }>, from: PageLink["page"]): string | null {
    const { content, tree } = this.#of;
    const { space, page } = reference;
    if (page === undefined) return from.documentHash;
    if (space === undefined || space === content.spaceId) return tree.byId.get(page)?.documentHash ?? null;
    return this.#texts.get(keyOfPage({ space, page })) ?? null;
  }

  async #findFiles(references: readonly Reference[]): Promise<void> {
    const { content, lookups } = this.#of;
    if (content.filesHash === null || !references.some(({ kind }) => kind === "file")) return;
    for (const fileId of (await lookups.files.load(content.filesHash)) ?? []) this.#there.add(fileId);
  }

  /** The target spaces of links that all viewers of this space may see. */
  async #findSpaces(references: readonly Reference[]): Promise<void> {
    const { content, lookups } = this.#of;
    const named = references.flatMap((one) => ("space" in one && one.space !== undefined ? [one.space] : []));
    const others = named.filter((id) => id !== content.spaceId);
    this.#there.add(content.spaceId);
    if (others.length === 0) return;
    const [own, found] = await Promise.all([lookups.spaces.load(content.spaceId), findAll(lookups.spaces, others)]);
    for (const [id, space] of found) if (own && isForAllOf(space, own)) this.#there.add(id);
  }

  async #findOthers(references: readonly Reference[]): Promise<void> {
    const users = references.flatMap((one) => (one.kind === "user" ? one.user : []));
    const collections = references.flatMap((one) => (one.kind === "collection" ? one.collection : []));
    const { lookups } = this.#of;
    const found = await Promise.all([findAll(lookups.users, users), findAll(lookups.collections, collections)]);
    for (const [id] of found.flat()) this.#there.add(id);
  }

  async #findSpecs(references: readonly Reference[]): Promise<void> {
    const { content, lookups } = this.#of;
    const names = new Set(references.flatMap((one) => (one.kind === "openapi" ? [one.spec] : [])));
    const find = async (name: string) => {
      if (await lookups.specs.load({ space: content.spaceId, name })) this.#there.add(specKey(name));
    };
    await Promise.all(Array.from(names, find));
  }

  async #findPages(references: readonly Reference[]): Promise<void> {
    const outside = references.flatMap((one) => {
      if (one.kind !== "page" && one.kind !== "anchor") return [];
      const { space, page } = one;
      return space !== undefined && page !== undefined && space !== this.#of.content.spaceId && this.#there.has(space)
        ? [{ space, page }]
        : [];
    });
    await Promise.all(
      outside.map(async (place) => {
        const page = await this.#of.lookups.pages.load(place);
        if (page) this.#texts.set(keyOfPage(place), page.hash);
      }),
    );
  }
}
