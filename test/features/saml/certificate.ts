// Creates keys and certificates for tests: self-signed X.509, as handwritten DER.
import { createSign, generateKeyPairSync, type KeyObject } from "node:crypto";

const der = (tag: number, ...parts: readonly Buffer[]): Buffer => {
  const body = Buffer.concat(parts);
  const size = body.length;
  const head = size < 128 ? [size] : size < 256 ? [0x81, size] : [0x82, size >> 8, size & 255];
  return Buffer.concat([Buffer.from([tag, ...head]), body]);
};
const sequence = (...parts: readonly Buffer[]) => der(0x30, ...parts);
const oid = (hex: string) => der(0x06, Buffer.from(hex, "hex"));
const sha256WithRsa = sequence(oid("2a864886f70d01010b"), der(0x05));
const time = (date: Date) => der(0x18, Buffer.from(date.toISOString().replace(/[-:T]|\.\d+/g, "")));

/** A certificate with its private key. */
export interface KeyPair {
  readonly privateKey: KeyObject;
  /** The private key as PEM. */
  readonly privatePem: string;
  readonly certificate: string;
}

/** A certificate with this name, by default valid for years; `bits` is the size of its RSA key. */
export function makeKeyPair(
  name: string,
  { startsAt = new Date("2020-01-01"), expiresAt = new Date("2100-01-01"), bits = 2048 } = {},
): KeyPair {
  const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: bits });
  const who = sequence(der(0x31, sequence(oid("550403"), der(0x0c, Buffer.from(name)))));
  const signed = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    sha256WithRsa,
    who,
    sequence(time(startsAt), time(expiresAt)),
    who,
    publicKey.export({ type: "spki", format: "der" }),
  );
  const signature = createSign("sha256").update(signed).sign(privateKey);
  const bytes = sequence(signed, sha256WithRsa, der(0x03, Buffer.from([0]), signature));
  const lines = bytes.toString("base64").match(/.{1,64}/g) ?? [];
  return {
    privateKey,
    privatePem: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    certificate: `-----BEGIN CERTIFICATE-----\n${lines.join("\n")}\n-----END CERTIFICATE-----\n`,
  };
}
