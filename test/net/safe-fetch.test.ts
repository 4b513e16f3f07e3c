// The safe fetch connects to public servers only, and limits responses.
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { serveOnLoopback } from "#test/support/loopback.ts";
import type { FetchProblem } from "#src/net/fetch-error.ts";
import { createSafeFetch, type FetchOptions, type SafeFetch } from "#src/net/safe-fetch.ts";

interface Seen {
  readonly url: string;
  readonly headers: NodeJS.Dict<string | string[]>;
}

const seen: Seen[] = [];
const bomb = gzipSync(Buffer.alloc(50_000_000));
const port = await serveOnLoopback((request, response) => {
  const { url = "/", headers } = request;
  seen.push({ url, headers });
  const { pathname: path, searchParams } = new URL(url, "http://server");
  if (path === "/to") return response.writeHead(302, { location: searchParams.get("url") ?? "" }).end();
  if (path === "/endless") return void response.on("drain", () => response.write(zeros)).write(zeros);
  if (path === "/drip") return void setInterval(() => response.write("."), 5).unref();
  if (path === "/bomb") return response.writeHead(200, { "content-encoding": "gzip" }).end(bomb);
  if (path === "/lies") return response.writeHead(200, { "content-encoding": "gzip" }).end("no gzip");
  if (path === "/breaks")
    return void response.writeHead(200, { "content-length": 10 }).write("half", () => response.destroy());
  if (path === "/headers") return response.writeHead(200, { "x-long": "x".repeat(100_000) }).end();
  if (path === "/cookie") return response.writeHead(302, { "set-cookie": "a=b", location: "/last" }).end();
  return response.writeHead(path === "/missing" ? 404 : 200, { "content-type": "text/plain" }).end(`from ${path}`);
});
const zeros = Buffer.alloc(100_000);

/** A resolver with these addresses by name; results are not cached. */
const names: Readonly<Record<string, readonly string[]>> = {
  "public.example.com": ["127.0.0.1"],
  "inside.example.com": ["10.0.0.7"],
  "half.example.com": ["93.184.215.14", "127.0.0.1"],
  "six.example.com": ["::1"],
  "mapped.example.com": ["::ffff:10.0.0.7"],
  "cloud.example.com": ["169.254.169.254"],
  "nothing.example.com": [],
};
const resolve = (host: string) => Promise.resolve(names[host] ?? ["127.0.0.1"]);

/** A fetch that may connect to the loopback server by this name. */
const fetch = createSafeFetch({ allowedHosts: ["public.example.com"], resolve });
const at = (path: string) => `http://public.example.com:${port}${path}`;

async function problemOf(url: string, options?: FetchOptions, by: SafeFetch = fetch): Promise<FetchProblem | "none"> {
  try {
    await by(url, options);
    return "none";
  } catch (error) {
    return (error as { problem: FetchProblem }).problem; // it throws nothing else, or the comparison fails
  }
}

const hostileHosts = `
  127.0.0.1 127.1 127.0.0.1. 2130706433 0x7f000001 0x7f.1 0177.0.0.1 017700000001 0 0.0.0.0 １２７.0.0.1 127。0。0。1
  %31%32%37.0.0.1 10.0.0.1 172.16.0.1 172.31.255.255 192.168.1.1 169.254.169.254 100.64.0.1 100.100.100.200
  192.0.0.192 192.0.2.1 192.88.99.1 198.18.0.1 198.51.100.1 203.0.113.1 224.0.0.1 240.0.0.1 255.255.255.255
  168.63.129.16 [::1] [::] [::ffff:127.0.0.1] [::ffff:7f00:1] [::127.0.0.1] [fe80::1] [fc00::1] [fd00:ec2::254]
  [ff02::1] [64:ff9b::7f00:1] [64:ff9b:1::1] [2002:7f00:1::] [2001::1] [2001:db8::1] [100::1] [5f00::1]
  localhost localhost. LOCALHOST inside.example.com half.example.com six.example.com mapped.example.com
  cloud.example.com nothing.example.com sub.public.example.com public.example.com.evil.example.com`;

const hostile: readonly (readonly [url: string, problem: FetchProblem])[] = [
  ...hostileHosts
    .trim()
    .split(/\s+/)
    .map((host) => [`http://${host}:${port}/`, "host"] as const),
  ["https://127.0.0.1/", "host"],
  ["file:///etc/passwd", "scheme"],
  ["ftp://public.example.com/", "scheme"],
  ["gopher://public.example.com:70/_", "scheme"],
  ["data:text/plain,hello", "scheme"],
  ["blob:http://public.example.com/1", "scheme"],
  ["javascript:alert(1)", "scheme"],
  ["ws://public.example.com/", "scheme"],
  ["unix:/var/run/docker.sock", "scheme"],
  [`http://somebody@public.example.com:${port}/`, "credentials"],
  [`http://somebody:secret@public.example.com:${port}/`, "credentials"],
  ["http://", "address"],
  ["/etc/passwd", "address"],
  ["http://[::1", "address"],
  ["http://256.256.256.256/", "address"],
  ["http://public.example.com:99999/", "address"],
  ["", "address"],
  ["http://public.example.com:22/", "connection"],
  ["http://public.example.com:6000/", "connection"],
];

test("never connects to a forbidden address, given directly or by a redirect", { timeout: 60_000 }, async () => {
  expect(hostile.length).toBeGreaterThan(60);
  const given = await Promise.all(hostile.map(async ([url]) => [url, await problemOf(url)] as const));
  expect(given).toEqual(hostile);
  expect(seen).toEqual([]);
  const led = hostile.filter(([url]) => /^[!-~]+$/.test(url) && url !== "/etc/passwd");
  const by = await Promise.all(
    led.map(async ([url]) => [url, await problemOf(at(`/to?url=${encodeURIComponent(url)}`))] as const),
  );
  expect(by).toEqual(led);
  expect(seen.every(({ url }) => url.startsWith("/to?"))).toBe(true);
});

test("connects to the checked address when the name resolves differently afterwards (DNS rebinding)", async () => {
  const answers = [["127.0.0.2"], ["127.0.0.1"]]; // the first is allowed, but has no server
  const asked: string[] = [];
  const rebinding = createSafeFetch({
    allowedHosts: ["127.0.0.2"],
    resolve: (host) => {
      asked.push(host);
      return Promise.resolve(answers.shift() ?? []);
    },
  });
  seen.length = 0;
  const url = `http://rebinding.example.com:${port}/`;
  expect(await problemOf(url, {}, rebinding)).toBe("connection");
  expect(await problemOf(url, {}, rebinding)).toBe("host");
  expect([asked.length, seen.length]).toEqual([2, 0]);
});

test("aborts a response that is too long, too slow, a decompression bomb or truncated", async () => {
  const problem = (path: string, options: FetchOptions) => problemOf(at(path), options);
  expect(await problem("/endless", { maxBytes: 1_000_000 })).toBe("size");
  expect(await problem("/bomb", { maxBytes: 1_000_000 })).toBe("size");
  expect(await problem("/drip", { timeoutMs: 200 })).toBe("time");
  expect(await problem("/lies", {})).toBe("connection");
  expect(await problem("/breaks", {})).toBe("connection");
  expect(await problem("/headers", {})).toBe("connection");
  expect(await problem(`/to?url=${at("/to")}`, { maxRedirects: 3 })).toBe("redirects");
  expect(await problem("/to?url=%2Fto%3Furl=%2Fto%3Furl=%2Flast", { maxRedirects: 1 })).toBe("redirects");
  expect(seen.filter(({ url }) => url === "/last")).toEqual([]);
  const silent = createSafeFetch({ resolve: () => new Promise(() => {}) });
  expect(await problemOf("http://silent.example.com/", { timeoutMs: 100 }, silent)).toBe("time");
});

test("aborts with the caller's reason when the caller aborts", async () => {
  const caller = new AbortController();
  const answer = fetch(at("/drip"), { signal: caller.signal });
  caller.abort(new Error("gone"));
  await expect(answer).rejects.toThrow("gone");
});

test("reads a response of any status and reports its final URL", async () => {
  const answer = await fetch(at("/to?url=/to%3Furl=/missing%23part"));
  expect(answer).toMatchObject({ status: 404, url: at("/missing") });
  expect([answer.headers.get("content-type"), answer.body.toString()]).toEqual(["text/plain", "from /missing"]);
});

test("does not forward headers and cookies to another host on a redirect", async () => {
  const headers = { authorization: "Bearer secret", cookie: "a=b", accept: "text/plain", "x-signature": "s" };
  const other = createSafeFetch({ allowedHosts: ["public.example.com", "127.0.0.0/8"], resolve });
  seen.length = 0;
  await other(at(`/to?url=http://127.0.0.1:${port}/other`), { headers });
  await other(at("/cookie"));
  const [first, second, , third] = seen.map((one) => one.headers);
  expect(first).toMatchObject({ ...headers, "accept-encoding": "identity", "user-agent": "docgraph" });
  expect(second).toMatchObject({ accept: "text/plain" });
  for (const name of ["authorization", "cookie", "x-signature", "referer"]) expect(second).not.toHaveProperty(name);
  expect(third).not.toHaveProperty("cookie");
});

test("returns the redirect of a POST instead of following it", async () => {
  seen.length = 0;
  const answer = await fetch(at("/to?url=/other"), { method: "POST", body: "{}" });
  expect([answer.status, seen.length]).toEqual([302, 1]);
});

test("reaches private networks and addresses that are allowed by name", async () => {
  const url = `http://127.0.0.1:${port}/`;
  for (const allowed of ["127.0.0.1", "127.0.0.0/8", "::ffff:127.0.0.1"])
    expect(await problemOf(url, {}, createSafeFetch({ allowedHosts: [allowed] }))).toBe("none");
  for (const allowed of ["127.0.0.2", "10.0.0.0/8", "::/0"])
    expect(await problemOf(url, {}, createSafeFetch({ allowedHosts: [allowed] }))).toBe("host");
  expect(() => createSafeFetch({ allowedHosts: ["http://x"] })).toThrow('"http://x" is not a host, address or network');
});
