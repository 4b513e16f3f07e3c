// The certificates of identity providers: read, checked, and what people should know of them.
import { X509Certificate } from "node:crypto";
import type { Instant } from "#src/base/time.ts";

export interface Certificate {
  /** As a PEM text of its own. */
  readonly pem: string;
  readonly subject: string;
  /** SHA-256 of it, as pairs of hexadecimal digits with colons between. */
  readonly fingerprint: string;
  readonly startsAt: Instant;
  readonly expiresAt: Instant;
}

/** Why a text is no certificate that can be taken; the message completes a sentence about it. */
export class CertificateError extends Error {}

/** How many a provider may have: the present one, and some to come. */
const maxCertificates = 10;
const minBits = 2048;

const block = /-----BEGIN ([A-Z0-9 ]+)-----([\sA-Za-z0-9+/=]*)-----END \1-----/g;

/** Reads PEM certificates, or one as bare base64. Throws a {@link CertificateError}, also unless RSA of 2048 bits. */
export function readCertificates(text: string): Certificate[] {
  if (text.includes("PRIVATE KEY")) throw new CertificateError("holds a private key: give the certificate alone.");
  const pems = text.includes("-----") ? pemsIn(text) : [pemOf(text)];
  if (pems.length === 0) throw new CertificateError("holds no certificate (-----BEGIN CERTIFICATE-----).");
  if (pems.length > maxCertificates) throw new CertificateError(`holds more than ${maxCertificates} certificates.`);
  return [...new Set(pems)].map((pem, index) => readCertificate(pem, index + 1));
}

function pemsIn(text: string): string[] {
  const rest = text.replaceAll(block, "");
  if (rest.includes("-----")) throw new CertificateError("holds a certificate that is not whole.");
  return [...text.matchAll(block)].flatMap(([, label, base64 = ""]) =>
    label === "CERTIFICATE" || label === "X509 CERTIFICATE" ? [pemOf(base64)] : [],
  );
}

/** The PEM text of a certificate in base64, whatever blanks are in it. */
function pemOf(base64: string): string {
  const lines = base64.replaceAll(/\s+/g, "").match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join("\n")}\n-----END CERTIFICATE-----\n`;
}

function readCertificate(pem: string, number: number): Certificate {
  const read = parse(pem);
  if (!read) throw new CertificateError(`certificate ${number} is none (X.509).`);
  const { publicKey, subject, fingerprint256, validFromDate, validToDate } = read;
  const bits = publicKey.asymmetricKeyDetails?.modulusLength ?? 0;
  if (publicKey.asymmetricKeyType !== "rsa" || bits < minBits)
    throw new CertificateError(`certificate ${number} must have an RSA key of ${minBits} bits or more.`);
  return {
    pem,
    subject: (subject ?? "").split("\n").join(", "),
    fingerprint: fingerprint256,
    startsAt: validFromDate.toISOString(),
    expiresAt: validToDate.toISOString(),
  };
}

function parse(pem: string): X509Certificate | null {
  try {
    return new X509Certificate(pem);
  } catch {
    return null;
  }
}

/** The certificates of a stored text, which was checked when it was written. */
export const storedCertificates = (text: string | null): Certificate[] => (text === null ? [] : readCertificates(text));

/** Those of them that count at an instant. */
export const presentCertificates = (text: string | null, now: Date): Certificate[] =>
  storedCertificates(text).filter(
    ({ startsAt, expiresAt }) => startsAt <= now.toISOString() && now.toISOString() < expiresAt,
  );

const day = 24 * 60 * 60 * 1000;
/** How long before its end people are warned of it. */
const noticeMs = 30 * day;

/** What people should know of certificates: that none is left, or for how long the last one lasts. */
export function certificateWarnings(certificates: readonly Certificate[], now: Date): string[] {
  if (certificates.length === 0) return [];
  const date = (instant: Instant) => instant.slice(0, 10);
  const last = certificates.reduce((one, other) => (other.expiresAt > one.expiresAt ? other : one));
  const later = certificates.filter(({ startsAt }) => startsAt > now.toISOString());
  const warnings = later.map(({ startsAt, subject }) => `The certificate of ${subject} begins on ${date(startsAt)}.`);
  const left = Date.parse(last.expiresAt) - now.getTime();
  if (left <= 0)
    return [`The certificate expired on ${date(last.expiresAt)}: nobody can sign in. Add the new one.`, ...warnings];
  if (left < noticeMs)
    return [`The certificate expires on ${date(last.expiresAt)}: add the next one beside it.`, ...warnings];
  return warnings;
}
