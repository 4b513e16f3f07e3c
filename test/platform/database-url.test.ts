// The user of an address of PostgreSQL that names none: `PGUSER`, or the account of the process, as for psql.
import { userInfo } from "node:os";
import { expect, test } from "vitest";
import { readConfig } from "#src/config/config.ts";

const account = encodeURIComponent(userInfo().username);

test.each([
  ["postgres://localhost/docgraph", {}, `postgres://${account}@localhost/docgraph`],
  ["postgresql://one,two:5433/docgraph", {}, `postgresql://${account}@one,two:5433/docgraph`],
  ["postgres://:secret@localhost/docgraph", {}, `postgres://${account}:secret@localhost/docgraph`],
  ["postgres://localhost/docgraph", { PGUSER: "a@b" }, "postgres://a%40b@localhost/docgraph"],
  ["postgres://me@localhost/docgraph", { PGUSER: "other" }, "postgres://me@localhost/docgraph"],
  ["postgres://localhost/docgraph?user=me", {}, "postgres://localhost/docgraph?user=me"],
])("DATABASE_URL=%s with %j becomes %s", (address, environment, expected) => {
  expect(readConfig({ DATABASE_URL: address, ...environment }).databaseUrl).toBe(expected);
});
