// Download URLs of files, which need no token: permanent for public files, otherwise signed for one viewer and valid
// for some hours.
import { createHmac, timingSafeEqual } from "node:crypto";
import { partsOfId } from "#src/base/ids.ts";
import type { FileState } from "#src/features/content/model/content-state.ts";

/** Signed URLs are the same for this period, in seconds, and stay valid for one more period. */
const periodSeconds = 6 * 60 * 60;

export interface FilePlace {
  readonly spaceId: string;
  /** Whether it is public there: it is in the current content of a public space. */
  readonly isOpen: boolean;
}

interface Addressed extends Pick<FileState, "fileId" | "key" | "name"> {
  readonly id: string;
  readonly place: FilePlace;
}

/** The viewer of a URL, by token or session; empty for a visitor without one. */
interface DownloadContext {
  readonly viewer: { readonly tokenId: string };
  readonly clock: { readonly now: () => Date };
}

/** Signed URLs are valid for 6 to 12 hours, the same for a viewer for up to 6, and require access to the revision. */
export function downloadPath({ id, fileId, key, name, place }: Addressed, { viewer, clock }: DownloadContext): string {
  const end = encodeURIComponent(name);
  if (place.isOpen) return `/files/${fileId}/${place.spaceId}.${key}/${end}`;
  const revisionId = partsOfId("File", id)?.revisionId ?? "";
  const until = (Math.floor(clock.now().getTime() / 1000 / periodSeconds) + 2) * periodSeconds;
  const signedParts = { fileId, revisionId, until, tokenId: viewer.tokenId };
  return `/files/${fileId}/${revisionId}.${until}.${signedParts.tokenId}.${signatureOf(signedParts, key)}/${end}`;
}

export interface OpenAddress {
  readonly fileId: string;
  readonly spaceId: string;
  readonly key: string;
  readonly name: string;
}

export interface SignedAddress {
  readonly fileId: string;
  readonly revisionId: string;
  /** Seconds since 1970. */
  readonly until: number;
  /** Id of the token or session for which it was made. */
  readonly tokenId: string;
  readonly signature: string;
  readonly name: string;
}

type SignedParts = Omit<SignedAddress, "signature" | "name">;

const open = /^\/files\/(fil_\w{26})\/(spc_\w{26})\.([\w-]{22})\/([^/]+)$/;
const signed = /^\/files\/(fil_\w{26})\/(rev_\w{26})\.(\d{1,11})\.(\w{0,40})\.([\w-]{43})\/([^/]+)$/;

/** The forms of releases before 1.0: with a key alone, or with a time and a signature. */
const former = /^\/files\/fil_\w{26}\/(?:[\w-]{22}|\d{1,11}-[\w-]{43})\/[^/]+$/;

/** Whether a URL path has a form that files had before 1.0, whether or not the file exists. */
export const isFormerAddress = (path: string): boolean => former.test(path);

/** Parses a URL path without verifying it; null if it has neither form. */
export function readAddress(path: string): OpenAddress | SignedAddress | null {
  const [, fileId = "", spaceId = "", key = "", name] = open.exec(path) ?? [];
  if (name !== undefined) return { fileId, spaceId, key, name };
  const [, id = "", revisionId = "", until = "", tokenId = "", signature = "", end] = signed.exec(path) ?? [];
  return end === undefined ? null : { fileId: id, revisionId, until: Number(until), tokenId, signature, name: end };
}

/** Whether a URL was made with the key of its file. Compares in constant time. */
export function isMadeWith(key: string, address: OpenAddress | SignedAddress): boolean {
  if ("key" in address) return isSame(key, address.key);
  return isSame(signatureOf(address, key), address.signature);
}

function isSame(right: string, given: string): boolean {
  const [one, other] = [Buffer.from(right), Buffer.from(given)];
  return one.length === other.length && timingSafeEqual(one, other);
}

const signatureOf = ({ fileId, revisionId, until, tokenId }: SignedParts, key: string): string =>
  createHmac("sha256", key).update(`${fileId} ${revisionId} ${until} ${tokenId}`).digest("base64url");
