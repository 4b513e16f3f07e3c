// Code samples: bodies by their media types, and parameters by `style` and `explode`.
import { expect, test } from "vitest";
import { head, readPages } from "#test/features/openapi/read-pages.ts";

/** The page of an operation, with the code blocks of its samples. */
function samplesIn(text: string) {
  const [before = "", samples = ""] = text.split("## Code samples");
  const [curl = "", javascript = "", python = ""] = Array.from(
    samples.matchAll(/```(?:sh|js|python)\n(.*?)\n```/gs),
    ([, code]) => code ?? "",
  );
  return { before, curl, javascript, python };
}

const object = (properties: string): string => `{type: object, properties: {${properties}}}`;

/** A body by its media type, and what is in the page: the example, curl, JavaScript and Python. */
const bodies: readonly [content: string, ...expected: [example: string, curl: string, js: string, python: string]][] = [
  // Mermade/widdershins#492, ErikWittern/openapi-snippet#66, scalar/scalar#1451, hapi-swagger/hapi-swagger#208
  [
    `application/x-www-form-urlencoded: {schema: ${object('a: {type: string, example: "x y"}')}}`,
    "```\na=x%20y\n```",
    "-H 'Content-Type: application/x-www-form-urlencoded' \\\n  -d 'a=x%20y'",
    'body: new URLSearchParams({\n    "a": "x y",\n  }),',
    'data={"a": "x y"},',
  ],
  // OAI/OpenAPI-Specification#2788
  [
    `application/x-www-form-urlencoded: {schema: ${object("l: {type: array, items: {type: string}, example: [a, b]}, o: {type: object, example: {k: 1}}")}}`,
    "```\nl=a&l=b&o=%7B%22k%22%3A1%7D\n```",
    "-d 'l=a&l=b&o=%7B%22k%22%3A1%7D'",
    '["l", "a"],\n    ["l", "b"],\n    ["o", "{\\"k\\":1}"],',
    'data=[("l", "a"), ("l", "b"), ("o", "{\\"k\\":1}")],',
  ],
  // swagger-api/swagger-ui#7734
  [
    `application/x-www-form-urlencoded: {encoding: {d: {style: deepObject, explode: true}, c: {explode: false}}, schema: ${object("d: {type: object, example: {in: {f: 0}, b: 1}}, c: {type: array, items: {type: integer}, example: [1, 2]}")}}`,
    "```\nd%5Bin%5D%5Bf%5D=0&d%5Bb%5D=1&c=1,2\n```",
    "-d 'd%5Bin%5D%5Bf%5D=0&d%5Bb%5D=1&c=1,2'",
    '"d[in][f]": "0",\n    "d[b]": "1",\n    "c": "1,2",',
    'data={"d[in][f]": "0", "d[b]": "1", "c": "1,2"},',
  ],
  [
    `multipart/form-data: {encoding: {photo: {contentType: "image/png, image/jpeg"}}, schema: ${object('name: {type: string, example: "@a"}, photo: {type: string, format: binary}, meta: {type: object, example: {a: 1}}')}}`,
    'Content-Disposition: form-data; name="photo"; filename="photo.png"\nContent-Type: image/png\n',
    "--form-string 'name=@a' \\\n  -F 'photo=@photo.png;type=image/png' \\\n  -F 'meta={\"a\":1};type=application/json'",
    'form.append("meta", new Blob(["{\\"a\\":1}"], { type: "application/json" }));',
    '("photo", ("photo.png", open("photo.png", "rb"), "image/png")),',
  ],
  [
    "application/xml: {schema: {$ref: '#/components/schemas/Pet'}}",
    '```xml\n<?xml version="1.0" encoding="UTF-8"?>\n<p:pet xmlns:p="http://e.org/p" id="5">\n  <name>a&lt;b</name>\n  <photos>\n    <photo>text</photo>\n  </photos>\n  <tag>x</tag>\n</p:pet>\n```',
    '-H \'Content-Type: application/xml\' \\\n  -d \'<?xml version="1.0" encoding="UTF-8"?>\n<p:pet',
    'body: "<?xml version=\\"1.0\\" encoding=\\"UTF-8\\"?>\\n<p:pet',
    'data="<?xml version=\\"1.0\\" encoding=\\"UTF-8\\"?>\\n<p:pet',
  ],
  [
    "text/plain: {example: 'grüße'}",
    "```\ngrüße\n```",
    "-H 'Content-Type: text/plain' \\\n  -d 'grüße'",
    'body: "grüße",',
    'data="grüße".encode(),',
  ],
  [
    "image/*: {schema: {type: string, format: binary}}",
    "`image/*`: string (binary)",
    "-H 'Content-Type: image/png' \\\n  --data-binary '@file.png'",
    'new File([], "file.png")',
    'data=open("file.png", "rb"),',
  ],
  [
    "application/octet-stream: {}",
    "`application/octet-stream`: binary data",
    "--data-binary '@file.bin'",
    'new File([], "file.bin")',
    'data=open("file.bin", "rb"),',
  ],
  [
    "application/x-ndjson: {schema: {type: array, items: {type: object, example: {a: 1}}, example: [{a: 1}, {a: 2}]}}",
    '```json\n{"a":1}\n{"a":2}\n```',
    '-d \'{"a":1}\n{"a":2}\'',
    'body: "{\\"a\\":1}\\n{\\"a\\":2}",',
    'data="{\\"a\\":1}\\n{\\"a\\":2}",',
  ],
  [
    "application/vnd.api+json; version=2: {example: {a: true}}",
    '```json\n{\n  "a": true\n}\n```',
    "-H 'Content-Type: application/vnd.api+json; version=2' \\\n  -d '{\n  \"a\": true\n}'",
    'JSON.stringify({\n    "a": true\n  })',
    'json={\n      "a": True\n    },',
  ],
  // scalar/scalar#4777
  [
    "application/json: {example: {id: 9223372036854775807}}",
    '"id": 9223372036854775807',
    '"id": 9223372036854775807',
    'body: "{\\n  \\"id\\": 9223372036854775807\\n}",',
    'json={\n      "id": 9223372036854775807\n    },',
  ],
  [
    `application/json: {example: '{"a": 1}', schema: {type: object}}`,
    '```json\n{"a": 1}\n```',
    "-d '{\"a\": 1}'",
    'body: "{\\"a\\": 1}",',
    'data="{\\"a\\": 1}",',
  ],
];

test("bodies are written as their media types say, in the example and in each sample", () => {
  const paths = bodies.map(([content], index) => `  /${index}: {post: {requestBody: {content: {${content}}}}}`);
  const pet =
    "{type: object, xml: {name: pet, namespace: 'http://e.org/p', prefix: p}, properties: {id: {type: integer, xml: {attribute: true}, example: 5}, name: {type: string, example: 'a<b'}, photos: {type: array, xml: {wrapped: true}, items: {type: string, xml: {name: photo}}}, tags: {type: array, items: {type: string, example: x, xml: {name: tag}}}}}";
  const { page } = readPages(`${head}paths:\n${paths.join("\n")}\ncomponents: {schemas: {Pet: ${pet}}}\n`);
  for (const [index, [, example, curl, js, py]] of bodies.entries()) {
    const samples = samplesIn(page(`operations/post /${index}`));
    expect.soft(samples.before).toContain(example);
    expect.soft(samples.curl).toContain(curl);
    expect.soft(samples.javascript).toContain(js);
    expect.soft(samples.python).toContain(py);
    if (example.includes("form-data")) expect.soft(samples.curl).not.toContain("Content-Type: multipart");
  }
});

const list = "schema: {type: array, items: {type: string}, example: [a, b c]}";
const map = "schema: {type: object, example: {R: 100, G: x y}}";

/** A parameter, and what curl sends. */
const parameters: readonly [parameter: string, sent: string][] = [
  // PaloAltoNetworks/docusaurus-openapi-docs#909, Endava/cats#207, OpenAPITools/openapi-generator#10689
  [
    'name: "ids[]", in: query, schema: {type: array, items: {type: string}, example: [a, b]}',
    "/x?ids%5B%5D=a&ids%5B%5D=b'",
  ],
  [`name: l, in: query, explode: false, ${list}`, "/x?l=a,b%20c'"],
  [`name: l, in: query, style: spaceDelimited, explode: false, ${list}`, "/x?l=a%20b%20c'"],
  [`name: l, in: query, style: pipeDelimited, explode: false, ${list}`, "/x?l=a%7Cb%20c'"],
  [`name: m, in: query, ${map}`, "/x?R=100&G=x%20y'"],
  [`name: m, in: query, explode: false, ${map}`, "/x?m=R,100,G,x%20y'"],
  // swagger-api/swagger-ui#5611, swagger-api/swagger-ui#6672
  [`name: m, in: query, style: deepObject, explode: true, ${map}`, "/x?m%5BR%5D=100&m%5BG%5D=x%20y'"],
  [
    "name: m, in: query, style: deepObject, schema: {type: object, example: {k: [a+b, c]}}",
    "/x?m%5Bk%5D=a%2Bb&m%5Bk%5D=c'",
  ],
  ["name: p, in: query, allowReserved: true, schema: {type: string, example: '/a b?c&d'}", "/x?p=/a%20b?c%26d'"],
  ["name: q, in: query, content: {application/json: {example: {a: 1}}}", "/x?q=%7B%22a%22%3A1%7D'"],
  ["name: b, in: query, schema: {type: boolean, default: false}", "/x?b=false'"],
  ["name: n, in: query, schema: {type: integer, example: 9223372036854775807}", "/x?n=9223372036854775807'"],
  ["name: x, in: path, schema: {type: string, example: a/b c}", "/a%2Fb%20c'"],
  [`name: x, in: path, ${list}`, "/a,b%20c'"],
  [`name: x, in: path, explode: true, ${map}`, "/R=100,G=x%20y'"],
  [`name: x, in: path, style: label, explode: true, ${list}`, "/.a.b%20c'"],
  [`name: x, in: path, style: matrix, ${list}`, "/;x=a,b%20c'"],
  [`name: x, in: path, style: matrix, explode: true, ${list}`, "/;x=a;x=b%20c'"],
  [`name: x, in: path, style: matrix, explode: true, ${map}`, "/;R=100;G=x%20y'"],
  [`name: X-L, in: header, ${list}`, "-H 'X-L: a,b c'"],
  [`name: X-M, in: header, explode: true, ${map}`, "-H 'X-M: R=100,G=x y'"],
  ["name: sid, in: cookie, schema: {type: string, example: a b}", "-H 'Cookie: sid=a%20b'"],
];

test("parameters are written by their style", () => {
  const paths = parameters.map(([parameter], index) => {
    const path = parameter.includes("in: path") ? `/${index}/{x}` : `/${index}/x`;
    return `  "${path}": {get: {operationId: o${index}, parameters: [{${parameter}, required: true}]}}`;
  });
  const { page } = readPages(`${head}paths:\n${paths.join("\n")}\n`);
  for (const [index, [parameter, sent]] of parameters.entries())
    expect
      .soft([parameter, samplesIn(page(`operations/o${index}`)).curl])
      .toEqual([parameter, expect.stringContaining(sent)]);
});

test("authorization is sent as its schemes say: together, in cookies, with certificates, and not at all", () => {
  const { page } = readPages(`${head}paths:
  /all: {get: {security: [{key: [], session: [], basic: []}], parameters: [{name: a, in: cookie, required: true, example: b}]}}
  /tls: {get: {security: [{tls: [], digest: []}]}}
  /open: {get: {security: [{}, {key: []}]}}
  /head: {head: {}}
components:
  securitySchemes:
    key: {type: apiKey, in: query, name: api key}
    session: {type: apiKey, in: cookie, name: sid}
    basic: {type: http, scheme: basic}
    digest: {type: http, scheme: Digest}
    tls: {type: mutualTLS}
`);
  expect(samplesIn(page("operations/get /all")).curl).toBe(
    "curl 'https://api.test.dev/all?api%20key=YOUR_API_KEY' \\\n  -H 'Authorization: Basic YOUR_CREDENTIALS' \\\n  -H 'Cookie: a=b; sid=YOUR_API_KEY'",
  );
  const tls = samplesIn(page("operations/get /tls"));
  expect(tls.curl).toContain("--cert client.pem --key client.key \\\n  -H 'Authorization: Digest YOUR_CREDENTIALS'");
  expect(tls.python).toContain('cert=("client.pem", "client.key"),');
  expect(samplesIn(page("operations/get /open")).curl).toBe("curl 'https://api.test.dev/open'");
  expect(samplesIn(page("operations/head /head")).curl).toBe("curl --head 'https://api.test.dev/head'");
});
