// Faults of a failover, a restart, a recovery or a cut, at each statement of a request: the caller may repeat it. At
// the small size each fault hits one of the requests, and each statement at least one fault.
import { pino } from "pino";
import { describe, expect, test } from "vitest";
import { answerOf, isOutage } from "#src/db/connection/database-errors.ts";
import { DomainError } from "#src/base/errors.ts";
import { editDocument, newPage } from "#test/features/content/edits.ts";
import { zipFile } from "#test/features/imports/files.ts";
import { importDocument } from "#test/features/imports/importing.ts";
import { testApp, useApp } from "#test/support/app.ts";
import { inTurn, sized } from "#test/support/runs.ts";
import { type StatementFault, startStatementFaults, statementFaults } from "#test/support/statement-faults.ts";

// Its own database: faults hit the connections of a gateway beside the one of this file.
const { app, world } = await useApp({ own: true });
const { space, editor } = await world.space();

const archive = () => zipFile({ "README.md": "# A", "b.md": "# B\n\n![c](c.png)", "c.png": Buffer.of(1) });
const contentOf = { spaceId: space.id };
const leastStatements = 3;
const requests: Readonly<Record<string, { document: string; variables: () => Record<string, unknown> }>> = {
  "an import": { document: importDocument, variables: () => ({ input: { contentOf, from: { archive: archive() } } }) },
  "an edit": {
    document: editDocument,
    variables: () => ({ input: { contentOf, edits: [newPage("New", { markdown: "Text" }).edit] } }),
  },
  "a read": {
    document: `query ($id: ID!) { space(id: $id) { title comments { nodes { id } } content { allPages { id } } } }`,
    variables: () => ({ id: space.id }),
  },
};

const names = Object.keys(requests);
const kinds = Object.keys(statementFaults) as StatementFault[];

describe.each([...names.entries()])("at each statement of request %i, %s", (turn, name) => {
  test.each([...inTurn(kinds, turn, names.length).entries()])(
    "fault %i, %s, gives UNAVAILABLE, or is not noticed",
    async (order, fault) => {
      await using faults = await startStatementFaults(app.databaseUrl);
      const bugs: string[] = [];
      const log = pino({ level: "error" }, { write: (line) => void bugs.push(line) });
      await using own = await testApp({ beside: { databaseUrl: faults.url }, files: app.files, log });
      const as = own.as(editor.token);
      const codes = new Set<unknown>();
      const { document, variables } = requests[name] ?? { document: "", variables: () => ({}) };
      const send = async () => (await as.graphql(document, variables())).errors?.[0]?.extensions.code ?? "OK";
      const step = sized(3, 1);
      let statement = order % step;
      for (let isMade = true; isMade; statement += isMade ? step : 0) {
        faults.arm(fault, statement);
        codes.add(await send());
        isMade = faults.disarm();
      }
      expect(statement).toBeGreaterThanOrEqual(leastStatements);
      expect([...codes].filter((code) => code !== "OK" && code !== "UNAVAILABLE")).toEqual([]);
      expect(bugs).toEqual([]);
    },
  );
});

const withCode = (code: string, text = "no luck") => Object.assign(new Error(text), { code });

/** The ways in which an error of the server reaches docgraph. */
const ofServer: Readonly<Record<string, (code: string, text?: string) => unknown>> = {
  "pg, pipelined statements and jobs": withCode,
  "a statement of Prisma": (originalCode, text) =>
    Object.assign(new Error("Raw query failed"), {
      code: "P2010",
      meta: { driverAdapterError: Object.assign(new Error(), { cause: { originalCode, originalMessage: text } }) },
    }),
  "the end of a transaction of Prisma": (originalCode, text) =>
    Object.assign(new Error("Database error"), { cause: { originalCode, originalMessage: text, kind: "postgres" } }),
  "several addresses": (code, text) => new AggregateError([withCode("28000"), withCode(code, text)]),
  "a cleanup that also failed": (code, text) => new SuppressedError(new Error("closed"), withCode(code, text)),
  "an error with a cause": (code, text) => new Error("It failed", { cause: withCode(code, text) }),
};

const passing = {
  "08": "08000 08001 08003 08004 08006 08007 08P01",
  "25": "25006",
  "40": "40000 40001 40002 40003",
  "53": "53000 53100 53200 53300 53400",
  "57": "57000 57P01 57P02 57P03 57P04 57P05",
  "58": "58030",
};

describe.each(Object.keys(ofServer))("from %s", (way) => {
  const codeOf = (code: string, text?: string) => answerOf(ofServer[way]?.(code, text))?.code;

  test.each(Object.entries(passing))("errors of the class %s that pass are UNAVAILABLE", (_, codes) => {
    for (const code of codes.split(" ")) expect([code, codeOf(code)]).toEqual([code, "UNAVAILABLE"]);
  });

  test.each([
    ["55000", "recovery is in progress"],
    ["55000", "cannot acquire lock mode RowExclusiveLock on database objects while recovery is in progress"],
    ["XX000", "cannot assign TransactionIds during recovery"],
    ["25006", "cannot execute nextval() during recovery"],
    ["08P01", "server_login_retry"],
  ])("%s: %s is UNAVAILABLE", (code, text) => expect(codeOf(code, text)).toBe("UNAVAILABLE"));

  test.each(["40P01", "55P03", "57014"])("%s of other changes is a TIMEOUT", (code) =>
    expect(codeOf(code)).toBe("TIMEOUT"),
  );

  test.each(["55000", "XX000", "XX001", "XX002", "42601", "23503", "25P02", "0A000"])("%s alone is a bug", (code) =>
    expect(codeOf(code)).toBeUndefined(),
  );
});

test.each([
  "ECONNREFUSED ECONNRESET ECONNABORTED EPIPE ENOTCONN ETIMEDOUT ENETRESET",
  "EHOSTUNREACH EHOSTDOWN ENETUNREACH ENETDOWN ENOTFOUND EAI_AGAIN",
  "ERR_STREAM_DESTROYED ERR_STREAM_WRITE_AFTER_END",
  "P1001 P1008 P1011 P1017 P1018 P2034",
])("the codes of systems and libraries %s are UNAVAILABLE", (codes) => {
  for (const code of codes.split(" ")) expect([code, isOutage(withCode(code))]).toEqual([code, true]);
});

test.each([
  "DatabaseNotReachable",
  "ConnectionClosed",
  "SocketTimeout",
  "TlsConnectionError",
  "TooManyConnections",
  "TransactionAlreadyClosed",
  "TransactionWriteConflict",
])("the kind %s of the adapter of Prisma is UNAVAILABLE, in a statement and at the end of a transaction", (kind) => {
  const ofAdapter = Object.assign(new Error(kind), { name: "DriverAdapterError", cause: { kind } });
  const ofStatement = Object.assign(new Error("Raw query failed"), { meta: { driverAdapterError: ofAdapter } });
  expect([isOutage(ofAdapter), isOutage(ofStatement)]).toEqual([true, true]);
});

test.each([
  "Connection terminated",
  "Connection terminated unexpectedly",
  "Connection terminated due to connection timeout",
  "Query read timeout",
  "timeout expired",
  "timeout exceeded when trying to connect",
  "Client has encountered a connection error and is not queryable",
  "Client was closed and is not queryable",
  "Cannot use a pool after calling end on the pool",
])("%s of pg, which has no code, is UNAVAILABLE", (text) => expect(isOutage(new Error(text))).toBe(true));

test("the answer to a request is that of its error, if a cleanup after it failed", () => {
  const refused = new DomainError("CONFLICT", "It has changed.");
  expect(answerOf(new SuppressedError(withCode("ECONNRESET"), refused))).toBe(refused);
});
