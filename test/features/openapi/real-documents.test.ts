// What real documents contain: numbers in any notation, references in any encoding, HTML, the vocabulary of JSON
// Schema, examples, servers, OpenAPI 2.0 and 3.2. The sources are reports about other tools.
import { expect, test } from "vitest";
import { head, readPages } from "#test/features/openapi/read-pages.ts";

const models = (lines: readonly string[]): string => `${head}components:\n  schemas:\n    ${lines.join("\n    ")}\n`;

/** A schema, what its page says, and its example. */
const numbers: readonly [schema: string, words: string, example: string][] = [
  // scalar/scalar#4777, Redocly/redoc#530, Azure/api-management-developer-portal#2303
  [
    "{type: integer, format: int64, maximum: 9223372036854775807, example: 1234567890123456789}",
    "integer (int64), at most 9223372036854775807",
    "1234567890123456789",
  ],
  // springdoc/springdoc-openapi#1510
  ["{type: string, example: 1.10}", "string", '"1.10"'],
  ["{type: string, example: 0123}", "string", '"0123"'],
  ["{type: string, enum: [1e3, yes, on, 2024-01-01, 12:30]}", '`"1e3"`, `"yes"`, `"on"`, `"2024-01-01"`', '"1e3"'],
  ["{type: string, default: 0x1F}", '`"0x1F"` when left out', '"0x1F"'],
  ["{type: string, example: true}", "string", '"true"'],
  ["{type: string, example: 1_000}", "string", '"1_000"'],
  ["{type: [string, 'null'], const: .nan}", 'always `".nan"`', '".nan"'],
  ["{type: number, minimum: 0.10, example: 1.0}", "number, at least 0.10", "1.0"],
  ["{type: integer, example: 0x7FFFFFFFFFFFFFFF}", "integer", "9223372036854775807"],
  ["{type: integer, example: 0123}", "integer", "123"],
  ["{type: number, multipleOf: 1e-7, example: -0.0000001}", "a multiple of 1e-7", "-0.0000001"],
  ["{type: number, example: .5}", "number", "0.5"],
  ["{type: boolean, default: True}", "`true` when left out", "true"],
  ["{type: object, properties: {zip: {type: string}}, example: {zip: 01234, n: 1.50}}", "object", '"zip": "01234"'],
  ["{type: array, items: {type: string}, example: [1.10, 2]}", "array of string", '"1.10",\n  "2"'],
];

test("numbers and scalars are shown as they are written, and texts stay texts", () => {
  const lines = numbers.map(([schema], index) => `M${index}: ${schema}`);
  const { page, json, filesystem } = readPages(models(lines));
  for (const [index, [schema, words, example]] of numbers.entries()) {
    const [is = "", , shown = ""] = page(`models/M${index}`).split(/(## Example)/);
    expect.soft([schema, is]).toEqual([schema, expect.stringContaining(words)]);
    expect.soft([schema, shown]).toEqual([schema, expect.stringContaining(example)]);
  }
  expect(json).toContain('"maximum":9223372036854775807,"example":1234567890123456789');
  expect(json).toContain('{"type":"string","example":"1.10"}');
  expect(filesystem).toContain('"maximum":9223372036854775807,"example":1234567890123456789');
  const same = '{"openapi": "3.1.0", "info": {"title": "T", "version": 1.10}, "x-a": [12345678901234567890, 1.0, -0]}';
  expect(readPages(same).json).toContain('"version":"1.10"},"x-a":[12345678901234567890,1.0,-0]');
  expect(
    readPages(`%YAML 1.1\n---\n${models(["M: {type: string, enum: [on, 12:30, 0777]}"])}`).page("models/M"),
  ).toContain('`"on"`, `"12:30"`, `"0777"`');
});

/** A reference, and the type of its target. */
const references: readonly [reference: string, kind: string][] = [
  // 42Crunch/intellij-openapi-editor#21, hey-api/hey-api#2268, PagerDuty/api-schema#82, manchenkoff/openapi3-parser#98
  ["#/paths/~1names~1%7Bid%7D/post/x-schema", "integer"],
  ["#/paths/~1names~1{id}/post/x-schema", "integer"],
  // springdoc/springdoc-openapi#456, Mermade/oas-kit#41
  ["#/components/schemas/Def%20with%20space", "[Def with space](page:models/Def with space)"],
  ["#/components/schemas/Def with space", "[Def with space](page:models/Def with space)"],
  // poem-web/poem#519
  ["#/components/schemas/Page%C2%ABUser%C2%BB", "[Page«User»](page:models/Page«User»)"],
  ["#/components/schemas/Page«User»", "[Page«User»](page:models/Page«User»)"],
  // profullstack/sh1pt#680
  ["#/components/schemas/Foo~1Bar~0Baz", "[Foo/Bar\\~Baz](page:models/Foo/Bar~Baz)"],
  ["#/components/schemas/100%", "[100%](page:models/100%)"],
  ["#/components/schemas/100%25", "[100%](page:models/100%)"],
  ["#/components/schemas/Node/properties/inside", "boolean"],
  ["Node", "[Node](page:models/Node)"],
  ["#named", "number"],
  ["https://example.com/schemas/node", "[Node](page:models/Node)"],
  ["other.yaml#/A%20B", "[A\\_B](page:models/A_B)"],
  ["sub/./../other.yaml#/Chain", "[Chain](page:models/Chain)"],
  ["other.yaml#there", "[C](page:models/C)"],
];

test("references find their targets in any encoding, by pointer, anchor, id, name and file", () => {
  const properties = references.map(([reference], index) => `p${index}: {$ref: ${JSON.stringify(reference)}}`);
  const text = `${head}paths: {"/names/{id}": {post: {x-schema: {type: integer}}}}
components:
  schemas:
    M: {properties: {${properties.join(", ")}}}
    Def with space: {type: string}
    Page«User»: {type: object}
    Foo/Bar~Baz: {type: string}
    100%: {type: string}
    Node: {$id: "https://example.com/schemas/node", $dynamicAnchor: node, properties: {inside: {type: boolean}, next: {$dynamicRef: "#node"}}}
    Anchored: {properties: {a: {$anchor: named, type: number}}}
    Extended: {$ref: "#/components/schemas/Node", required: [more], properties: {more: {type: string}}}
    Ring: {$ref: "#/components/schemas/Ring2"}
    Ring2: {$ref: "#/components/schemas/Ring"}
`;
  const other =
    "A B: {type: string}\nChain: {$ref: '#/End'}\nEnd: {type: integer}\nC: {$anchor: there, type: boolean}\n";
  const { page, warnings } = readPages(text, { files: { "other.yaml": other } });
  for (const [index, [reference, kind]] of references.entries())
    expect
      .soft([reference, page("models/M")])
      .toEqual([reference, expect.stringContaining(`**\`p${index}\`**: ${kind}.`)]);
  expect(page("models/Node")).toContain("**`next`**: [Node](page:models/Node).");
  expect(page("models/Extended")).toContain("**`more`**: string, required.");
  expect(page("models/Extended")).toContain("**`inside`**: boolean.");
  expect(warnings.filter((message) => message.includes("circular"))).toHaveLength(2);
  expect(warnings.filter((message) => /does not exist|URI/.test(message))).toEqual([]);
});

/** A description, and its Markdown. */
const descriptions: readonly [description: string, markdown: string][] = [
  // swagger-api/swagger-ui#6554
  ["<p>First <b>bold</b>.<br/>Second</p><ul><li>one</li></ul>", "First **bold**.\\\nSecond\n\n- one"],
  ["One. <p>Two <ul><li>a</li><li>b</li></ul>", "One.\n\nTwo\n\n- a\n- b"],
  ["<i>it</i> <code>x_y</code> <strong>s</strong>", "*it* `x_y` **s**"],
  ["<a href='../y.html'>link</a>", "[link](https://specs.example.com/y.html)"],
  ["See [rel](docs/x.md)", "See [rel](https://specs.example.com/api/docs/x.md)"],
  ["<img src='img/a.png' alt=pic>", "![pic](https://specs.example.com/api/img/a.png)"],
  ["[x](javascript:alert(1)) <a href='javascript:alert(1)'>y</a>", "x y"],
  ["a<script>alert(1)</script>b<!-- c -->", "ab"],
  ["<h2>Title</h2><blockquote>q</blockquote>", "**Title**\n\n> q"],
  ["<table><tr><th>k</th></tr><tr><td>v</td></tr></table>", "| k |\n| - |\n| v |"],
  ["<pre><code class='language-java'>List&lt;String&gt; x;</code></pre>", "```java\nList<String> x;\n```"],
  ["<details><summary>S</summary>\n\n- md *list*\n\n</details>", "S\n\n- md *list*"],
  ["**md** stays\n\n| a |\n| :-: |\n| 1 |\n\n<em>x</em>", "**md** stays\n\n| a |\n| :-: |\n| 1 |\n\n*x*"],
  ["H<sub>2</sub>O &lt;b&gt; &eacute;", "H2O \\<b> é"],
  ["a **b** < c, 1 < 2", "a **b** < c, 1 < 2"],
];

test("HTML in descriptions becomes Markdown, and relative links lead to where the document is", () => {
  const lines = descriptions.map(([description], index) => `M${index}: {description: ${JSON.stringify(description)}}`);
  const source = "https://user:secret@specs.example.com/api/openapi.yaml?token=1";
  const { page } = readPages(models(lines), { source });
  for (const [index, [description, markdown]] of descriptions.entries())
    expect.soft([description, page(`models/M${index}`).split("\n\nIt is: ")[0]]).toEqual([description, markdown]);
});

/** A schema, and what its page says. */
const words: readonly [schema: string, ...words: string[]][] = [
  // Redocly/redoc#1790, mintlify/docs#529, swagger-api/swagger-ui#10400
  [
    "{type: array, prefixItems: [{type: string}, {type: integer}], items: false}",
    "array of string, then integer.",
    '```json\n[\n  "text",\n  1\n]\n```',
  ],
  ["{prefixItems: [{type: string}], items: {type: integer}}", "array of string, then any number of integer."],
  // rapi-doc/RapiDoc#928, samchon/openapi#127
  [
    "{oneOf: [{const: 0, title: Off, description: not in use}, {const: 1, title: On}]}",
    "integer, one of `0` (Off: not in use), `1` (On).",
  ],
  ["{type: string, enum: [a, b], x-enum-varnames: [First, Second]}", 'one of `"a"` (First), `"b"` (Second).'],
  [
    "{type: string, contentMediaType: application/json, contentEncoding: base64, contentSchema: {type: integer}}",
    "string, content of the type `application/json`, encoded as `base64`, its content is integer.",
  ],
  ["{contentMediaType: image/png}", "binary data, content of the type `image/png`."],
  [
    "{type: object, properties: {c: {type: string}}, if: {properties: {c: {const: US}}, required: [c]}, then: {required: [zip]}, else: {required: [postal]}}",
    'If:\n\n- **`c`**: always `"US"`, required.\n\nThen: `zip` is required.\n\nOtherwise: `postal` is required.',
  ],
  ["{type: object, dependentRequired: {card: [bill, cvc]}}", "object, with `card` also `bill` and `cvc` are required."],
  ["{type: object, dependencies: {card: [bill]}}", "object, with `card` also `bill` is required."],
  ["{dependentSchemas: {b: {properties: {bb: {type: string}}}}}", "With `b`:\n\n- **`bb`**: string."],
  [
    "{type: object, patternProperties: {'^x-': {type: string}}, propertyNames: {maxLength: 3}, additionalProperties: false, minProperties: 1}",
    "object, number of properties at least 1, names of properties: length at most 3, no other properties.",
    "- **names that match `^x-`**: string.",
  ],
  [
    "{type: array, contains: {type: integer}, minContains: 2, maxContains: 3, uniqueItems: true}",
    "array of any value, no item twice, at least 2 items are integer, at most 3 items are integer.",
  ],
  ["{not: {type: string}}", "any value, not string."],
  ["{type: object, properties: {a: {}}, unevaluatedProperties: false}", "object, no other properties."],
  ["{type: object, anyOf: [{required: [a]}, {required: [b]}]}", "- `a` is required\n- `b` is required"],
  ["{type: [string, integer, 'null'], minLength: 2}", "string or integer or null, length at least 2."],
  ["{type: string, examples: [a, b]}", '## Examples\n\n```json\n"a"\n```\n\n```json\n"b"\n```'],
  [
    "{type: object, properties: {a: {type: string, examples: [x, y]}}}",
    '- **`a`**: string, for example `"x"` or `"y"`.',
  ],
  [
    "{oneOf: [{$ref: '#/components/schemas/Dog'}, {$ref: '#/components/schemas/Cat'}], discriminator: {propertyName: t, mapping: {dog: '#/components/schemas/Dog', cat: Cat}}}",
    "`t` says which form it is: `dog` is [Dog](page:models/Dog), `cat` is [Cat](page:models/Cat).",
    '"t": "dog"',
  ],
  ["{const: null}", "always `null`."],
  ["true", "any value."],
];

test("the pages of models know the vocabulary of JSON Schema", () => {
  const lines = words.map(([schema], index) => `M${index}: ${schema}`);
  const animals = ["Dog", "Cat"].map((name) => `${name}: {type: object, properties: {t: {type: string}}}`);
  const { page } = readPages(models([...lines, ...animals]));
  for (const [index, [schema, ...expected]] of words.entries())
    for (const text of expected)
      expect.soft([schema, page(`models/M${index}`)]).toEqual([schema, expect.stringContaining(text)]);
  const nullable = models(["M: {nullable: true, oneOf: [{type: string}, {type: integer}]}"]).replace("3.1.0", "3.0.3");
  expect(readPages(nullable).page("models/M")).toContain("It is: string or integer or null.");
});

test("all examples of a body are shown, with links to those of other addresses", () => {
  const { page } = readPages(
    `${head}paths: {/a: {get: {responses: {"200": {description: OK., links: {next: {operationId: b, parameters: {id: $response.body#/id}}}, content: {application/json: {examples: {one: {summary: First, value: {a: 1}}, two: {value: [2]}, three: {description: Third, externalValue: ../three.json}}}}}}}}, /b: {get: {operationId: b}}}\n`,
    { source: "https://specs.example.com/api/openapi.yaml" },
  );
  expect(page("operations/get /a")).toContain(
    'Example `one`: First\n\n```json\n{\n  "a": 1\n}\n```\n\nExample `two`:\n\n```json\n[\n  2\n]\n```\n\n' +
      "Example `three`:\n\nThird\n\n[../three.json](<https://specs.example.com/three.json>)\n\n" +
      "Links:\n\n- **next**: [`b`](page:operations/b) with `id` = `$response.body#/id`.",
  );
});

test.for([
  ["/v1", "https://specs.example.com/v1", "https://api.example.com/v1"],
  ["./v1", "https://specs.example.com/api/v1", "https://api.example.com/v1"],
  ["../v2/", "https://specs.example.com/v2", "https://api.example.com/../v2"],
  ["//other.example.com/v1", "https://other.example.com/v1", "https://other.example.com/v1"],
  ["https://{region}.example.com", "https://eu.example.com", "https://eu.example.com"],
  ["{scheme}://api.example.com", "{scheme}://api.example.com", "{scheme}://api.example.com"],
])("the server %s is resolved against the address of the document, if that is known", ([url = "", known, unknown]) => {
  const text = `openapi: 3.1.0\ninfo: {title: T, version: "1"}\nservers: [{url: "${url}", variables: {region: {enum: [eu]}}}]\npaths: {/a: {get: {}}}\n`;
  const read = (source: string | null) => readPages(text, { source }).page("operations/get /a");
  expect(read("https://specs.example.com/api/openapi.yaml")).toContain(`GET ${known}/a\n`);
  expect(read(null)).toContain(`GET ${unknown}/a\n`);
});

test("OpenAPI 3.2 has other methods, sequences, tags below tags, and further flows", () => {
  const { page, warnings, json } = readPages(`openapi: 3.2.0
$self: https://specs.example.com/api/openapi.yaml
info: {title: T, version: "1"}
servers: [{url: ./v1, name: Production}]
tags: [{name: sea, summary: The sea}, {name: boats, parent: sea, kind: nav}]
paths:
  /search:
    query:
      tags: [boats]
      parameters: [{name: q, in: querystring, content: {application/x-www-form-urlencoded: {example: {a: x y}}}, required: true}]
      responses: {"200": {summary: Found., content: {application/jsonl: {itemSchema: {type: object, example: {id: 1}}}, text/event-stream: {itemSchema: {type: object, properties: {event: {const: add}, data: {type: string}}}}}}}
    additionalOperations: {COPY: {tags: [boats]}}
components:
  securitySchemes: {login: {type: oauth2, flows: {deviceAuthorization: {deviceAuthorizationUrl: "https://a.example/d", tokenUrl: "https://a.example/t", scopes: {}}}}}
`);
  expect(warnings).toEqual([]);
  expect(json).toContain('"openapi":"3.2.0"');
  expect(page("overview")).toContain("[The sea](page:tags/sea)");
  expect(page("tags/sea")).toBe("- [boats](page:tags/boats)");
  expect(page("tags/boats")).toContain("`COPY /search`");
  const search = page("operations/query /search");
  expect(search).toContain("QUERY https://specs.example.com/api/v1/search\n");
  expect(search).toContain("curl -X QUERY 'https://specs.example.com/api/v1/search?a=x%20y'");
  expect(search).toContain('Found.\n\n`application/jsonl`: sequence of object\n\n```json\n{"id":1}\n```');
  expect(search).toContain("```\nevent: add\ndata: text\n```");
  expect(page("security")).toContain("- deviceAuthorizationUrl: [https://a.example/d](<https://a.example/d>)");
});

test("OpenAPI 2.0 keeps its forms, media types, collections, data and descriptions", () => {
  const { page, warnings } = readPages(`swagger: 2.0
info: {title: S, version: "1"}
host: api.example.com
schemes: [https]
produces: [application/json]
securityDefinitions: {b: {type: basic, description: The *basic* way.}}
parameters:
  Body: {name: body, in: body, required: true, schema: {$ref: '#/definitions/M'}}
  File: {name: f, in: formData, type: file, required: true}
paths:
  /u:
    parameters: [{$ref: '#/parameters/File'}]
    post:
      consumes: [multipart/form-data]
      parameters: [{name: tags, in: formData, type: array, items: {type: string}, collectionFormat: csv}, {name: m, in: query, type: array, items: {type: string}, collectionFormat: multi, required: true, default: [a, b]}]
      responses: {"200": {description: ok, schema: {type: file}}}
    put:
      produces: [application/xml]
      parameters: [{$ref: '#/parameters/Body'}]
      responses: {"200": {description: ok, schema: {$ref: '#/definitions/M'}, headers: {X-A: {type: integer}, X-B: {type: string}}}}
definitions:
  M: {type: object, example: {type: file, id: 1.10}, properties: {a: {type: string}}}
`);
  expect(warnings).toEqual([]);
  const upload = page("operations/post /u");
  expect(upload).toContain(
    "curl -X POST 'https://api.example.com/u?m=a&m=b' \\\n  -F 'f=@f.bin;type=application/octet-stream' \\\n  -F 'tags=text'",
  );
  expect(upload).toContain("`application/octet-stream`: binary data");
  expect(page("operations/put /u")).toContain("- **`X-A`**: integer.\n- **`X-B`**: string.\n\n`application/xml`: [M]");
  expect(page("operations/put /u")).toContain('```json\n{\n  "type": "file",\n  "id": 1.10\n}\n```');
  expect(page("security")).toContain("The *basic* way.");
});
