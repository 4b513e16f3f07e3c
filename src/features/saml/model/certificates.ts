// The certificates of identity providers: parsed, checked, and with warnings for admins.
import { X509Certificate } from "node:crypto";
import type { Instant } from "#src/base/time.ts";

export interface Certificate {
  /** The certificate as PEM. */
  readonly pem: string;
  readonly subject: string;
  /** Its SHA-256, as pairs of hexadecimal digits separated by colons. */
  readonly fingerprint: string;
  readonly startsAt: Instant;
  readonly expiresAt: Instant;
}

/** The reason why a text is not an acceptable certificate; the message completes a sentence about it. */
export class CertificateError extends Error {}

/** The limit of certificates of a provider: the current one, and some future ones. */
const maxCertificates = 10;
const minBits = 2048;

const block = /-----BEGIN ([A-Z0-9 ]+)-----([\sA-Za-z0-9+/=]*)-----END \1-----/g;

/** Reads PEM certificates, or one as bare base64. Throws a {@link CertificateError}, also unless RSA of 2048 bits. */
export function readCertificates(text: string): Certificate[] {
  if (text.includes("PRIVATE KEY")) throw new CertificateError("contains a private key: enter only the certificate.");
  const pems = text.includes("-----") ? pemsIn(text) : [pemOf(text)];
  if (pems.length === 0) throw new CertificateError("does not contain a certificate (-----BEGIN CERTIFICATE-----).");
  if (pems.length > maxCertificates) throw new CertificateError(`contains more than ${maxCertificates} certificates.`);
  return [...new Set(pems)].map((pem, index) => readCertificate(pem, index + 1));
}

function pemsIn(text: string): string[] {
  const rest = text.replaceAll(block, "");
  if (rest.includes("-----")) throw new CertificateError("contains an incomplete certificate.");
  return [...text.matchAll(block)].flatMap(([, label, base64 = ""]) =>
    label === "CERTIFICATE" || label === "X509 CERTIFICATE" ? [pemOf(base64)] : [],
  );
}

/** The PEM text of a certificate in base64, without whitespace. */
function pemOf(base64: string): string {
  const lines = base64.replaceAll(/\s+/g, "").match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join("\n")}\n-----END CERTIFICATE-----\n`;
}

function readCertificate(pem: string, number: number): Certificate {
  const read = parse(pem);
  if (!read) throw new CertificateError(`certificate ${number} is not a valid X.509 certificate.`);
  const { publicKey, subject, fingerprint256, validFromDate, validToDate } = read;
  const bits = publicKey.asymmetricKeyDetails?.modulusLength ?? 0;
  if (publicKey.asymmetricKeyType !== "rsa" || bits < minBits)
    throw new CertificateError(`certificate ${number} must have an RSA key of at least ${minBits} bits.`);
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

/** The certificates that are valid at an instant. */
export const presentCertificates = (text: string | null, now: Date): Certificate[] =>
  storedCertificates(text).filter(
    ({ startsAt, expiresAt }) => startsAt <= now.toISOString() && now.toISOString() < expiresAt,
  );

const day = 24 * 60 * 60 * 1000;
/** How long before its end admins are warned. */
const noticeMs = 30 * day;

/** Warnings about certificates: that all have expired, or when the last one expires. */
export function certificateWarnings(certificates: readonly Certificate[], now: Date): string[] {
  if (certificates.length === 0) return [];
  const date = (instant: Instant) => instant.slice(0, 10);
  const last = certificates.reduce((one, other) => (other.expiresAt > one.expiresAt ? other : one));
  const later = certificates.filter(({ startsAt }) => startsAt > now.toISOString());
  const warnings = later.map(
    ({ startsAt, subject }) => `The certificate of ${subject} becomes valid on ${date(startsAt)}.`,
  );
  const left = Date.parse(last.expiresAt) - now.getTime();
  if (left <= 0)
    return [
      `The certificate expired on ${date(last.expiresAt)}: nobody can sign in. Add a new certificate.`,
      ...warnings,
    ];
  if (left < noticeMs)
    return [`The certificate expires on ${date(last.expiresAt)}: add the next certificate.`, ...warnings];
  return warnings;
}
