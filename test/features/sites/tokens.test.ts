// Visitor tokens: accepted and refused ones, for a site with a signing key and one with public keys.
import { beforeAll, describe, expect, test } from "vitest";
import { addSite } from "#test/features/sites/factory.ts";
import { ec, jwkOf, jwt, KeyServer, otherRsa, rsa, weakRsa } from "#test/features/sites/tokens.ts";
import { useApp } from "#test/support/app.ts";
import { testSecrets } from "#test/support/test-services.ts";
import { visit } from "#src/access/visitor.ts";
import { VisitorTokens } from "#src/access/visitor-tokens.ts";
import { nobody } from "#src/access/viewer.ts";

let now = new Date("2026-06-01T12:00:00Z");
const clock = { now: () => now };
const { app, world } = await useApp({ clock });
const server = new KeyServer();
const url = "https://login.example.com/keys";
const { database } = app;
const visitorTokens = new VisitorTokens({ database, clock, secrets: testSecrets, fetch: server.fetch, maxAge: 0 });

const rotate = `mutation ($id: ID!, $overlap: Int) {
  rotateSiteSigningKey(input: { siteId: $id, overlapSeconds: $overlap }) { signingKey signingKeyId site { visitorAuth { signingKeys { id expiresAt } } } } }`;
interface Rotated {
  readonly rotateSiteSigningKey: { readonly signingKey: string; readonly signingKeyId: string };
}

async function makeScene() {
  const { organization, admin } = await world.organization();
  const visitorAuth = { organizationId: organization.id, visibility: "visitor_auth" } as const;
  const { own, other, keyed } = await world.insert((rows) => ({
    own: addSite(rows, visitorAuth),
    other: addSite(rows, visitorAuth),
    keyed: addSite(rows, { ...visitorAuth, jwksUrl: url }),
  }));
  const as = app.as(admin.token);
  const newKey = async (id: string, overlap?: number) =>
    (await as.query<Rotated>(rotate, { id, overlap })).rotateSiteSigningKey.signingKey;
  const keys = { own: await newKey(own.id), other: await newKey(other.id) };
  return { sites: { own: own.id, other: other.id, keyed: keyed.id }, keys, newKey, as };
}
let scene: Awaited<ReturnType<typeof makeScene>>;
beforeAll(async () => void (scene = await makeScene()));

const seconds = () => Math.floor(now.getTime() / 1000);
const claims = (more: object = {}) => ({ aud: scene.sites.own, exp: seconds() + 3600, customer: true, ...more });
const keyedClaims = (more: object = {}) => claims({ aud: scene.sites.keyed, ...more });
const hs = { alg: "HS256", typ: "JWT" };
const rs = { alg: "RS256", kid: "one" };

const isTaken = async (siteId: string, token: string): Promise<boolean> => {
  const shareKey = null;
  const open = { visibility: "visitor_auth", published: true, shareKey, adaptiveContentEnabled: true } as const;
  const site = { id: siteId, organizationId: "org", ...open };
  return (await visit({ viewer: nobody, visitorTokens }, site, { shareKey, visitorToken: token })).mayRead;
};

type Row = readonly [what: string, token: () => string, isTaken: boolean];

describe("a visitor token for a site with a signing key", () => {
  const byKey = (header: object, payload: unknown, key: string | null = scene.keys.own) => jwt(header, payload, key);
  const deep = () => `${"[".repeat(3000)}${"]".repeat(3000)}`;
  const table: readonly Row[] = [
    ["signed by the key", () => byKey(hs, claims()), true],
    ["for several sites", () => byKey(hs, claims({ aud: ["elsewhere", scene.sites.own] })), true],
    ["of the longest life", () => byKey(hs, claims({ exp: seconds() + 24 * 3600 })), true],
    ["with an unknown kid, which is ignored here", () => byKey({ ...hs, kid: "../../etc/passwd" }, claims()), true],
    ["with undeclared claims", () => byKey(hs, claims({ constructor: 1, unsigned: "x", role: {} })), true],
    ["empty", () => "", false],
    ["not a JWT", () => "Bearer x", false],
    ["two parts", () => byKey(hs, claims()).split(".").slice(0, 2).join("."), false],
    ["four parts", () => `${byKey(hs, claims())}.x`, false],
    ["without a signature", () => byKey(hs, claims(), null), false],
    ["alg none, without a signature", () => byKey({ alg: "none" }, claims(), null), false],
    ["alg none, signed", () => byKey({ alg: "none" }, claims()), false],
    ["alg None", () => byKey({ alg: "None" }, claims()), false],
    ["alg HS512 in the header", () => byKey({ alg: "HS512" }, claims()), false],
    ["alg HS256 in lower case", () => byKey({ alg: "hs256" }, claims()), false],
    ["no alg", () => byKey({ typ: "JWT" }, claims()), false],
    ["alg as a number", () => byKey({ alg: 5 }, claims()), false],
    ["expired", () => byKey(hs, claims({ exp: seconds() - 60 })), false],
    ["no exp", () => byKey(hs, claims({ exp: undefined })), false],
    ["exp null", () => byKey(hs, claims({ exp: null })), false],
    ["exp as a string", () => byKey(hs, claims({ exp: String(seconds() + 60) })), false],
    ["exp two days ahead", () => byKey(hs, claims({ exp: seconds() + 48 * 3600 })), false],
    ["exp beyond the range of numbers", () => byKey(hs, `{"aud":"${scene.sites.own}","exp":1e999}`), false],
    ["not valid yet", () => byKey(hs, claims({ nbf: seconds() + 600 })), false],
    ["for another site", () => byKey(hs, claims({ aud: scene.sites.other })), false],
    ["without aud", () => byKey(hs, claims({ aud: undefined })), true],
    ["signed by the key of another site", () => byKey(hs, claims(), scene.keys.other), false],
    ["signed by an empty key", () => jwt(hs, claims(), ""), false],
    ["signed by the id of the site", () => byKey(hs, claims(), scene.sites.own), false],
    [
      "with a changed payload",
      () => {
        const [header, , signature] = byKey(hs, claims()).split(".");
        return [header, Buffer.from(JSON.stringify(claims({ admin: true }))).toString("base64url"), signature].join(
          ".",
        );
      },
      false,
    ],
    ["with an unknown crit", () => byKey({ ...hs, crit: ["x"], x: 1 }, claims()), false],
    ["with b64 false", () => byKey({ ...hs, b64: false, crit: ["b64"] }, claims()), false],
    ["RS256 without a JWKS URL", () => jwt(rs, claims(), rsa.privateKey), false],
    ["a payload that is not an object", () => byKey(hs, "[]"), false],
    ["a payload that is not JSON", () => byKey(hs, "{"), false],
    ["deeply nested", () => byKey(hs, deep()), false],
    ["of more than the maximum size", () => byKey(hs, claims({ text: "x".repeat(10_000) })), false],
    ["with a NUL", () => `${byKey(hs, claims())}\u0000`, false],
  ];
  test.each(table)("is accepted or refused: %s", async (_what, token, expected) => {
    expect(await isTaken(scene.sites.own, token())).toBe(expected);
  });
});

describe("a visitor token for a site with a JWKS URL", () => {
  const publicPem = rsa.publicKey.export({ type: "spki", format: "pem" });
  beforeAll(() => {
    const symmetric = { kty: "oct", kid: "symmetric", k: Buffer.from("secret".repeat(8)).toString("base64url") };
    const keys = [
      jwkOf(rsa.publicKey, { kid: "one", use: "sig", alg: "RS256" }),
      jwkOf(ec.publicKey, { kid: "curve" }),
      jwkOf(weakRsa.publicKey, { kid: "weak" }),
      jwkOf(otherRsa.publicKey, { kid: "encrypts", use: "enc" }),
      jwkOf(otherRsa.publicKey, { kid: "huge", n: "x".repeat(5000) }),
      symmetric,
      "no key",
      null,
    ];
    server.sets.set(url, { keys });
  });
  const table: readonly Row[] = [
    ["RS256 by its key", () => jwt(rs, keyedClaims(), rsa.privateKey), true],
    [
      "RS256 without a kid, with several candidate keys",
      () => jwt({ alg: "RS256" }, keyedClaims(), rsa.privateKey),
      true,
    ],
    ["ES256 by its key", () => jwt({ alg: "ES256", kid: "curve" }, keyedClaims(), ec.privateKey), true],
    ["HS256 signed with the public key", () => jwt(hs, keyedClaims(), publicPem), false],
    ["HS256 signed with the public key, naming it", () => jwt({ ...hs, kid: "one" }, keyedClaims(), publicPem), false],
    [
      "HS256 by the symmetric key among the public ones",
      () => jwt({ ...hs, kid: "symmetric" }, keyedClaims(), "secret".repeat(8)),
      false,
    ],
    [
      "RS256 naming the symmetric key",
      () => jwt({ alg: "RS256", kid: "symmetric" }, keyedClaims(), rsa.privateKey),
      false,
    ],
    ["ES256 naming the RSA key", () => jwt({ alg: "ES256", kid: "one" }, keyedClaims(), ec.privateKey), false],
    ["RS256 by a weak key", () => jwt({ alg: "RS256", kid: "weak" }, keyedClaims(), weakRsa.privateKey), false],
    [
      "RS256 by a key for encryption",
      () => jwt({ alg: "RS256", kid: "encrypts" }, keyedClaims(), otherRsa.privateKey),
      false,
    ],
    [
      "RS256 by a key that is too large",
      () => jwt({ alg: "RS256", kid: "huge" }, keyedClaims(), otherRsa.privateKey),
      false,
    ],
    ["PS256", () => jwt({ alg: "PS256", kid: "one" }, keyedClaims(), rsa.privateKey), false],
    ["an unknown kid", () => jwt({ alg: "RS256", kid: "two" }, keyedClaims(), rsa.privateKey), false],
    [
      "a kid that is not a string",
      () => jwt({ alg: "RS256", kid: { $ne: 1 } }, keyedClaims(), otherRsa.privateKey),
      false,
    ],
    [
      "its own key in jwk",
      () => jwt({ alg: "RS256", jwk: jwkOf(otherRsa.publicKey) }, keyedClaims(), otherRsa.privateKey),
      false,
    ],
    [
      "its own URL in jku",
      () => jwt({ alg: "RS256", jku: "https://attacker.example.com/keys" }, keyedClaims(), otherRsa.privateKey),
      false,
    ],
    [
      "its own URL in x5u",
      () => jwt({ alg: "RS256", x5u: "https://attacker.example.com/cert" }, keyedClaims(), otherRsa.privateKey),
      false,
    ],
    ["expired", () => jwt(rs, keyedClaims({ exp: seconds() - 60 }), rsa.privateKey), false],
    ["for another site", () => jwt(rs, claims(), rsa.privateKey), false],
  ];
  test.each(table)("is accepted or refused: %s", async (_what, token, expected) => {
    server.sets.set("https://attacker.example.com/keys", { keys: [jwkOf(otherRsa.publicKey)] });
    expect(await isTaken(scene.sites.keyed, token())).toBe(expected);
  });

  test("a new key is fetched when a visitor token names it, and many tokens do not cause many requests", async () => {
    const key = jwkOf(otherRsa.publicKey, { kid: "new" });
    const token = () => jwt({ alg: "RS256", kid: "new" }, keyedClaims(), otherRsa.privateKey);
    const later = (ms: number) => (now = new Date(now.getTime() + ms));
    server.sets.set(url, { keys: [key] });
    later(31_000);
    const before = server.asked;
    expect(await Promise.all([1, 2, 3, 4].map(() => isTaken(scene.sites.keyed, token())))).toEqual(Array(4).fill(true));
    expect(server.asked).toBe(before + 1);
    const unknown = () => jwt({ alg: "RS256", kid: "unknown" }, keyedClaims(), otherRsa.privateKey);
    for (let count = 0; count < 20; count += 1) expect(await isTaken(scene.sites.keyed, unknown())).toBe(false);
    expect(server.asked).toBe(before + 1);
    server.sets.set(url, "<html>");
    later(11 * 60_000);
    expect(await isTaken(scene.sites.keyed, token())).toBe(true); // for an hour while its server fails
    later(60 * 60_000);
    expect(await isTaken(scene.sites.keyed, token())).toBe(false);
    server.sets.set(url, { keys: [key] });
    later(31_000);
    expect(await isTaken(scene.sites.keyed, token())).toBe(true);
  });
});

describe("rotating the signing key of a site", () => {
  test("accepts tokens by the previous key during the overlap, and not after it", async () => {
    const { sites, keys, newKey, as } = scene;
    const by = (key: string) => jwt(hs, claims({ exp: seconds() + 3600 }), key);
    const next = await newKey(sites.own, 600);
    expect(await isTaken(sites.own, by(keys.own))).toBe(true);
    expect(await isTaken(sites.own, by(next))).toBe(true);
    now = new Date(now.getTime() + 601_000);
    expect(await isTaken(sites.own, by(keys.own))).toBe(false);
    expect(await isTaken(sites.own, by(next))).toBe(true);
    const last = await newKey(sites.own, 0);
    expect(await isTaken(sites.own, by(next))).toBe(false);
    expect(await isTaken(sites.own, by(last))).toBe(true);
    for (let count = 0; count < 4; count += 1) await newKey(sites.own);
    expect(await as.refusal(rotate, { id: sites.own })).toBe("CONFLICT");
    expect(await as.refusal(rotate, { id: sites.own, overlap: -1 })).toBe("INVALID_INPUT");
    const events = JSON.stringify((await app.eventsOf(sites.own)).map(({ type, payload }) => [type, payload]));
    expect(events).toContain("site.signingKeyRotated");
    for (const key of [keys.own, next, last]) expect(events).not.toContain(key);
  });
});
