// The printed configuration of several machines: each file of it, with every variable a real one.
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { readConfig } from "#src/config/config.ts";
import { deployment } from "#src/cli/deployment.ts";

test("npm run print -- --deploy prints every file under its name, and nothing else", () => {
  const script = fileURLToPath(new URL("../../src/cli/print.ts", import.meta.url));
  const printed = execFileSync(process.execPath, [script, "--deploy"], { encoding: "utf8" });
  expect(printed).toBe(deployment.map(({ path, content }) => `#### ${path}\n${content}\n`).join(""));
});

test("the variables of gateways are what docgraph reads, and name all servers", () => {
  const text = deployment.find(({ path }) => path === "gateways/docgraph.env")?.content ?? "";
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  const given = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]),
  );
  const config = readConfig({ ...given, SECRETS_KEY: "0".repeat(64) });
  expect(config).toMatchObject({ isPrepared: false, environment: "production", s3: { bucket: "docgraph-files" } });
  expect(config.databaseReadUrls).toHaveLength(3);
  for (const url of [config.databaseUrl, config.databaseDirectUrl])
    for (const host of ["10.0.0.21", "10.0.0.22", "10.0.0.23"]) expect(url).toContain(host);
});
