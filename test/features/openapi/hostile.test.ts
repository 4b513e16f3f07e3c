// Specifications that are slow, large or confusing: limited, with a clear error, and the parser thread continues.
import { expect, test } from "vitest";
import { parse } from "yaml";
import type { Processed } from "#src/features/openapi/model/process.ts";
import { readSpec } from "#src/features/openapi/commands/read-source.ts";
import { sized } from "#test/support/runs.ts";
import { times } from "#test/support/world.ts";

const address = "archive:///openapi.yaml";
const read = (text: string, timeLimit?: number): Promise<Processed> =>
  readSpec([{ address, base: address, name: "openapi.yaml", bytes: Buffer.from(text) }], timeLimit);

const faultOf = async (text: string, timeLimit?: number) => {
  const processed = await read(text, timeLimit);
  return "fault" in processed ? processed.fault : JSON.stringify(processed).slice(0, 200);
};
async function madeOf(document: object) {
  const processed = await read(JSON.stringify(document));
  if (!("made" in processed)) throw new Error(JSON.stringify(processed));
  const { facts, warnings, document: bytes } = processed.made;
  return {
    facts,
    warnings,
    document: parse(Buffer.from(bytes).toString(), { maxAliasCount: 0 }) as Record<string, unknown>,
  };
}

const head = 'openapi: 3.1.0\ninfo: {title: A, version: "1"}\n';
const withSchemas = (schemas: object) => ({
  openapi: "3.1.0",
  info: { title: "A", version: "1" },
  components: { schemas },
});

test("a specification with multiplying aliases is refused, by their count and by their expansion", async () => {
  const levels = times(
    10,
    (level) =>
      `x-${level}: &a${level} [${Array(10)
        .fill(level === 0 ? "x" : `*a${level - 1}`)
        .join()}]`,
  );
  expect(await faultOf(`${head}${levels.join("\n")}\n`)).toBe("openapi.yaml: Its aliases expand to too many values.");
  const long = `x-long: &long [${Array(2000).fill("x").join()}]\nx-all: [${Array(4000).fill("*long").join()}]\n`;
  expect(await faultOf(head + long)).toContain("It expands to more than 1000000 values");
});

test("a specification with too many values or lines is refused before it is parsed, whose arrays V8 could not hold", async () => {
  const many = 1_000_001;
  expect(await faultOf(`{"x":[${"1,".repeat(many)}1]}`)).toBe("openapi.yaml: It has more than 1000000 values.");
  expect(await faultOf(`x: [${"a,".repeat(many)}a]\n`)).toBe("openapi.yaml: It has more than 1000000 values.");
  expect(await faultOf("\n".repeat(many))).toBe("openapi.yaml: It has more than 1000000 lines.");
  const members = times(100_001, (index) => `"${index}":1`).join();
  const tooLong = "openapi.yaml: It has a list or an object with more than 100000 members.";
  expect(await faultOf(`{"x":{"a,b":"\\",",${members}}}`)).toBe(tooLong);
  expect(await faultOf(`x:\n${"- a\n".repeat(100_001)}`)).toBe(tooLong);
});

test("circular references of a specification are kept, with a warning where they have no target", async () => {
  expect(await faultOf(`${head}x-a: &a [*a]\n`)).toContain("more than 200 levels of nesting, or is circular");
  const ring = { A: { $ref: "#/components/schemas/B" }, B: { $ref: "#/components/schemas/A" } };
  const circle = await madeOf(withSchemas(ring));
  expect(circle.document).toMatchObject({ components: { schemas: ring } });
  expect(circle.warnings[1]?.message).toBe('"#/components/schemas/B" is a circular reference.');
  const tree = { Node: { type: "object", properties: { next: { $ref: "#/components/schemas/Node" } } } };
  expect((await madeOf(withSchemas(tree))).document).toMatchObject({ components: { schemas: tree } });
});

test("a deeply nested specification is refused", async () => {
  expect(await faultOf(`{"openapi": "3.1.0", "x-deep": ${"[".repeat(5000)}${"]".repeat(5000)}}`)).toContain(
    "levels of nesting",
  );
  expect(await faultOf(`x: ${"[".repeat(100_000)}`)).toContain("openapi.yaml");
});

test("references of a specification that would multiply their target take no more memory than the target", async () => {
  const doubling = Object.fromEntries(
    times(60, (level) => {
      const $ref = `#/components/schemas/L${level + 1}`;
      return [
        `L${level}`,
        level === 59 ? { type: "string" } : { type: "object", properties: { a: { $ref }, b: { $ref } } },
      ];
    }),
  );
  const { facts, document } = await madeOf(withSchemas(doubling));
  expect(facts.modelCount).toBe(60);
  expect(JSON.stringify(document).length).toBeLessThan(20_000);
});

test("names of object prototypes are ordinary names in a specification, except the one that is never safe", async () => {
  const names = ["constructor", "prototype", "toString", "hasOwnProperty", "valueOf", "$ref"];
  const properties = Object.fromEntries(names.map((name) => [name, { type: "string" }]));
  const { document } = await madeOf(withSchemas({ constructor: { type: "object", properties } }));
  expect(document).toMatchObject({ components: { schemas: { constructor: { properties } } } });
  expect(Object.keys(Object.prototype)).toEqual([]);
  expect(await faultOf('{"openapi": "3.1.0", "info": {"__proto__": {"polluted": true}}}')).toBe(
    "openapi.yaml, line 1, column 22 (#/info): No property may be named `__proto__`.",
  );
});

test("parsing a specification for too long is aborted, and the next one is parsed", async () => {
  const wide = `x-wide: {${times(60_000, (index) => `k${index}: 1`).join(", ")}}\n`;
  expect(await faultOf(head + wide, 1)).toBe("openapi.yaml: Reading it takes too long.");
  expect((await madeOf(withSchemas({ A: { type: "string" } }))).facts.modelCount).toBe(1);
});

test("a specification of thousands of operations is parsed", async () => {
  const [pathCount, modelCount] = sized([80, 100], [1_250, 500]); // more than a megabyte at full size
  const paths = Object.fromEntries(
    times(pathCount, (index) => {
      const $ref = `#/components/schemas/Model${index % modelCount}`;
      const content = { "application/json": { schema: { $ref } } };
      const operation = (method: string) => ({
        operationId: `${method}Thing${index}`,
        description: "What this operation does, in some more words than one.",
        ...(method !== "get" && { requestBody: { content } }),
        responses: { "200": { description: "Done.", content } },
      });
      return [
        `/things${index}`,
        Object.fromEntries(["get", "put", "post", "patch"].map((method) => [method, operation(method)])),
      ];
    }),
  );
  const chain = times(modelCount, (index) => {
    const next = { $ref: `#/components/schemas/Model${(index + 1) % modelCount}` };
    return [`Model${index}`, { type: "object", properties: { next } }] as const;
  });
  const document = { ...withSchemas(Object.fromEntries(chain)), paths };
  const { facts } = await madeOf(document);
  expect(facts).toMatchObject({ pathCount, operationCount: 4 * pathCount, modelCount });
});

test("a specification that is binary, not a document, or empty is reported", async () => {
  const bytes = Buffer.from([0xff, 0xfe, 0x00]);
  expect(await readSpec([{ address, base: address, name: "a", bytes }])).toEqual({
    fault: "a: The file must be UTF-8 text.",
  });
  expect(await faultOf("")).toContain("The file must be an OpenAPI document");
  expect(await faultOf("openapi: 4.0.0\n")).toContain("The file must be an OpenAPI document");
  expect(await faultOf(`${head}x-a: {b: [}\n`)).toContain("openapi.yaml, line 3, column 1");
});
