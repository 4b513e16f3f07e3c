// The addresses at which files are downloaded, without a token: for good where anybody may read the file, else signed,
// for some hours, and for who asked.
import { createHmac, timingSafeEqual } from "node:crypto";
import { partsOfId } from "#src/base/ids.ts";
import type { FileState } from "#src/features/content/model/content-state.ts";

/** For how long addresses are made that are the same, in seconds: they are good for as long again after that. */
const periodSeconds = 6 * 60 * 60;

export interface FilePlace {
  readonly spaceId: string;
  /** Whether anybody may read it there: it is in the present content, which is open. */
  readonly isOpen: boolean;
}

interface Addressed extends Pick<FileState, "fileId" | "key" | "name"> {
  readonly id: string;
  readonly place: FilePlace;
}

/** Who an address is for, by their token or session; empty for a visitor without one. */
interface Asking {
  readonly viewer: { readonly tokenId: string };
  readonly clock: { readonly now: () => Date };
}

/** Signed addresses last 6 to 12 hours, are the same for a person for up to 6, and need the right to the revision. */
export function downloadPath({ id, fileId, key, name, place }: Addressed, { viewer, clock }: Asking): string {
  const end = encodeURIComponent(name);
  if (place.isOpen) return `/files/${fileId}/${place.spaceId}.${key}/${end}`;
  const revisionId = partsOfId("File", id)?.revisionId ?? "";
  const until = (Math.floor(clock.now().getTime() / 1000 / periodSeconds) + 2) * periodSeconds;
  const held = { fileId, revisionId, until, holder: viewer.tokenId };
  return `/files/${fileId}/${revisionId}.${until}.${held.holder}.${signatureOf(held, key)}/${end}`;
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
  readonly holder: string;
  readonly signature: string;
  readonly name: string;
}

type HeldAddress = Omit<SignedAddress, "signature" | "name">;

const open = /^\/files\/(fil_\w{26})\/(spc_\w{26})\.([\w-]{22})\/([^/]+)$/;
const signed = /^\/files\/(fil_\w{26})\/(rev_\w{26})\.(\d{1,11})\.(\w{0,40})\.([\w-]{43})\/([^/]+)$/;

/** Reads an address, without saying whether it is a right one; null where it has the form of none. */
export function readAddress(path: string): OpenAddress | SignedAddress | null {
  const [, fileId = "", spaceId = "", key = "", name] = open.exec(path) ?? [];
  if (name !== undefined) return { fileId, spaceId, key, name };
  const [, id = "", revisionId = "", until = "", holder = "", signature = "", end] = signed.exec(path) ?? [];
  return end === undefined ? null : { fileId: id, revisionId, until: Number(until), holder, signature, name: end };
}

/** Whether an address was made with the key of its file. Takes the same time for every wrong one. */
export function isMadeWith(key: string, address: OpenAddress | SignedAddress): boolean {
  if ("key" in address) return isSame(key, address.key);
  return isSame(signatureOf(address, key), address.signature);
}

function isSame(right: string, given: string): boolean {
  const [one, other] = [Buffer.from(right), Buffer.from(given)];
  return one.length === other.length && timingSafeEqual(one, other);
}

const signatureOf = ({ fileId, revisionId, until, holder }: HeldAddress, key: string): string =>
  createHmac("sha256", key).update(`${fileId} ${revisionId} ${until} ${holder}`).digest("base64url");
