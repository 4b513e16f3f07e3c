// The encryption keys of secrets: those configured, or one created at the first start and kept in the data folder.
import { randomBytes } from "node:crypto";
import { chmod, link, open, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { ensureFolder } from "#src/base/ensure-folder.ts";
import { Secrets, secretsKeyLength } from "#src/base/secrets.ts";

/** A key is not valid; the message says what to do. */
export class SecretsKeyError extends Error {
  override readonly name = "SecretsKeyError";
}

/** The keys in a text, with commas between: 32 bytes each, in base64 or as 64 hexadecimal digits; null for others. */
export function readSecretsKeys(text: string): Buffer[] | null {
  const keys = text.split(",").map((part) => {
    const key = part.trim();
    if (/^[\da-f]{64}$/i.test(key)) return Buffer.from(key, "hex");
    return /^[\w+/-]{43}=?$/.test(key) ? Buffer.from(key, "base64") : Buffer.alloc(0); // accepts base64url, too
  });
  return keys.every(({ length }) => length === secretsKeyLength) ? keys : null;
}

/** Uses the configured keys, or one in the data folder of an embedded database; a shared database has no default. */
export async function provideSecrets(of: {
  readonly secretsKeys: readonly Buffer[] | undefined;
  readonly databaseUrl: string | undefined;
  readonly dataDir: string;
}): Promise<Secrets> {
  if (of.secretsKeys) return new Secrets(of.secretsKeys);
  return new Secrets(of.databaseUrl === undefined ? [await provideSecretsKey(of.dataDir)] : []);
}

/** The key in `secrets.key`, created readable by its owner alone. Throws {@link SecretsKeyError} if it is invalid. */
async function provideSecretsKey(folder: string): Promise<Buffer> {
  const path = join(folder, "secrets.key");
  await ensureFolder(folder);
  const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return makeKey(path);
    throw error;
  });
  await chmod(path, 0o600); // a copy of the folder may have lost the mode
  const [key] = readSecretsKeys(text.trim()) ?? [];
  if (key) return key;
  throw new SecretsKeyError(
    `${path} does not contain a key of 32 bytes. Restore the file from a backup, or delete it: all stored secrets are lost then.`,
  );
}

/** Writes the whole key to the disk before it gets its name: after a crash the file is complete or does not exist. */
async function makeKey(path: string): Promise<string> {
  const draft = `${path}.${randomBytes(6).toString("hex")}`;
  const file = await open(draft, "wx", 0o600);
  try {
    await file.writeFile(`${randomBytes(secretsKeyLength).toString("base64")}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  // Another process may have been faster: unlike a rename, a link fails if the name is taken.
  await link(draft, path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error;
  });
  await rm(draft);
  return readFile(path, "utf8");
}
