// The rules of the code: allowed imports, names and lengths of files, and an opening sentence for each.
import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { features } from "#src/features/index.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Folders and files of src, lowest first: each imports only from those to its left, and from itself. */
const order = [
  ..."base config docs runtime documents db files net sandbox jobs events access domain plan graph http rest pages".split(
    " ",
  ),
  ..."features history demo schema reference backup server main cli".split(" "),
];

/** Layers of a feature, in the order of import. */
const layers =
  "events model access reads commands type queries mutations subscriptions routes views pages http follow jobs index".split(
    " ",
  );

interface Source {
  readonly path: string;
  readonly text: string;
  readonly lines: string[];
  readonly imports: readonly string[];
}

function sourcesUnder(folder: string, skip: RegExp): Source[] {
  return readdirSync(`${root}${folder}`, { recursive: true, encoding: "utf8" })
    .map((path) => `${folder}/${path}`)
    .filter((path) => path.endsWith(".ts") && !skip.test(path))
    .map((path) => {
      const text = readFileSync(`${root}${path}`, "utf8");
      const imports = [...text.matchAll(/(?:from|import|import\()\s*"([^"]+)"/g)].map((match) => match[1] ?? "");
      return { path, text, lines: text.split("\n"), imports };
    });
}

/** Files with comments; migrations are excluded, since databases record their hashes. */
function commentedUnder(folder: string): string[] {
  return readdirSync(`${root}${folder}`, { recursive: true, encoding: "utf8" })
    .map((path) => `${folder}/${path}`)
    .filter((path) => /\.(ts|prisma)(\.txt)?$|\.sql$|^\.ci\//.test(path))
    .filter((path) => !/\/(generated|node_modules|migrations)\//.test(path));
}

/** A line of a comment, or one behind code. */
function commentIn(path: string): RegExp {
  if (path.endsWith(".sql")) return /(^|\s)-- /;
  return path.startsWith(".ci/") ? /(^|\s)# / : /(^|\s)\/\/\/? |^\s*(\/\*)?\* /;
}

const sources = sourcesUnder("src", /^src\/generated\//);
const tests = sourcesUnder("test", /^test\/bench\/rivals\//);
const ours = (source: Source) =>
  source.imports.filter((specifier) => specifier.startsWith("#src/")).map((specifier) => specifier.slice(1));

/** `src/db/reading/reader.ts` is in `db`, `src/schema.ts` is `schema`. */
const placeOf = (path: string) => (path.split("/")[1] ?? "").replace(/\.ts$/, "");
const featureOf = (path: string) =>
  path.startsWith("src/features/") && path.split("/").length > 3 ? path.split("/")[2] : undefined;
const layerOf = (path: string) => (path.split("/")[3] ?? "").replace(/\.ts$/, "");
const exported = /^export (?:async )?(?:function|class|interface|type|const) (\w+)/gm;

test("the check finds source files", () => {
  expect(sources.length).toBeGreaterThan(60);
  expect(sources.flatMap(ours).length).toBeGreaterThan(200);
});

describe("imports", () => {
  /** Applications of clients, which are built in a folder of their own. */
  const isApplication = (path: string) => /^test\/clients\/[^/]+\//.test(path);

  test("import own files by #src/ and #test/, never by relative paths", () => {
    const relative = [...sources, ...tests].flatMap(({ path, imports }) =>
      imports.filter((specifier) => specifier.startsWith(".")).map((specifier) => ({ path, specifier })),
    );
    expect(relative.filter(({ path }) => !isApplication(path))).toEqual([]);
  });

  test("a folder imports only from folders to its left", () => {
    const wrong = sources.flatMap((source) =>
      ours(source)
        .filter(
          (target) =>
            placeOf(target) !== "generated" && order.indexOf(placeOf(target)) > order.indexOf(placeOf(source.path)),
        )
        .map((target) => `${source.path} imports ${target}`),
    );
    expect(wrong).toEqual([]);
    expect(sources.map(({ path }) => placeOf(path)).filter((place) => !order.includes(place))).toEqual([]);
  });

  test("a feature imports only from features before it in the registry", () => {
    const registry = features.map(({ name }) => name);
    const wrong = sources.flatMap((source) => {
      const own = featureOf(source.path);
      if (own === undefined) return [];
      return ours(source)
        .filter((target) => registry.indexOf(featureOf(target) ?? own) > registry.indexOf(own))
        .map((target) => `${source.path} imports ${target}`);
    });
    expect(wrong).toEqual([]);
    const folders = new Set(sources.map(({ path }) => featureOf(path)).filter((name) => name !== undefined));
    expect([...folders].toSorted()).toEqual(registry.toSorted());
  });

  test("the server imports only the registry of features and the type of its rows", () => {
    const wrong = sources
      .filter(({ path }) => placeOf(path) === "server")
      .flatMap((source) =>
        ours(source)
          .filter((target) => /^src\/features\/[^/]+\//.test(target))
          .map((target) => `${source.path} imports ${target}`),
      );
    expect(wrong).toEqual([]);
  });

  test("a layer imports only the same or a lower layer, in any feature", () => {
    const inFeatures = sources.filter(({ path }) => featureOf(path) !== undefined);
    expect(inFeatures.map(({ path }) => layerOf(path)).filter((layer) => !layers.includes(layer))).toEqual([]);
    const wrong = inFeatures.flatMap((source) =>
      ours(source)
        .filter((target) => featureOf(target) !== undefined)
        .filter((target) => layers.indexOf(layerOf(target)) > layers.indexOf(layerOf(source.path)))
        .map((target) => `${source.path} imports ${target}`),
    );
    expect(wrong).toEqual([]);
  });

  test("models import neither the database nor the context", () => {
    const pure =
      /^src\/(base\/|documents\/|runtime\/|generated\/prisma\/(enums|models)\.ts$|domain\/input\.ts$|features\/[^/]+\/model[/.])/;
    const wrong = sources
      .filter(({ path }) => layerOf(path) === "model" && featureOf(path) !== undefined)
      .flatMap((source) =>
        ours(source)
          .filter((target) => !pure.test(target))
          .map((target) => `${source.path} imports ${target}`),
      );
    expect(wrong).toEqual([]);
  });

  test("events, models, access, reads and commands do not import GraphQL; routes name documents, not resolvers", () => {
    const wrong = sources.filter(({ path, imports }) => {
      if (featureOf(path) === undefined) return false;
      const isPlain = ["events", "model", "access", "reads", "commands", "routes"].includes(layerOf(path));
      return isPlain && imports.some((specifier) => /^(graphql|@pothos\/|#src\/graph\/)/.test(specifier));
    });
    expect(wrong.map(({ path }) => path)).toEqual([]);
  });

  test("only reads and commands of a feature import the database", () => {
    const wrong = sources.filter(
      ({ path, text }) =>
        featureOf(path) !== undefined &&
        !["reads", "commands", "jobs"].includes(layerOf(path)) &&
        /\.(prisma|pool|query)\b[.(]/.test(text),
    );
    expect(wrong.map(({ path }) => path)).toEqual([]);
  });

  test("only http and the server import node:http", () => {
    const wrong = sources.filter(
      ({ path, imports }) =>
        !["http", "server"].includes(placeOf(path)) && imports.some((specifier) => /^node:https?$/.test(specifier)),
    );
    expect(wrong.map(({ path }) => path)).toEqual([]);
  });

  test("only net sends requests to other servers", () => {
    // The global `fetch`, not one that was passed in.
    const asks = (text: string) => /(?<![.#\w])fetch\(/.test(text) && !/\bfetch\s*[,:}]/.test(text);
    const wrong = sources.filter(
      ({ path, text, imports }) =>
        placeOf(path) !== "net" && (imports.includes("undici") || asks(text) || text.includes("globalThis.fetch")),
    );
    expect(wrong.map(({ path }) => path)).toEqual([]);
  });

  test("events are written only in transactions that were opened for writing events", () => {
    const writes = sources.flatMap(({ path, text }) => {
      const asked = [
        ...text.matchAll(/(\w+)\.(?:outboxEvent\.create|\$executeRaw|\$queryRaw|query\b)|insert into "OutboxEvent"/g),
      ];
      const given = [...text.matchAll(/(?<!function )appendEvents\(\s*(\w+)/g)];
      const by = asked.flatMap(([found, name], index) => {
        if (found.startsWith("insert")) return asked[index - 1]?.[1];
        return found.endsWith("create") ? name : [];
      });
      return [...by, ...given.map((match) => match[1])].map((writer) => `${path}: ${writer}`);
    });
    expect(writes.length).toBeGreaterThan(10);
    expect(writes.filter((write) => !write.endsWith(": transaction"))).toEqual([]);
  });

  test("imports have no cycles", () => {
    const edges = new Map(sources.map((source) => [source.path, ours(source)]));
    const done = new Set<string>();
    const cycles: string[] = [];
    const visit = (path: string, trail: readonly string[]): void => {
      if (trail.includes(path)) cycles.push([...trail.slice(trail.indexOf(path)), path].join(" -> "));
      if (done.has(path) || trail.includes(path)) return;
      for (const target of edges.get(path) ?? []) visit(target, [...trail, path]);
      done.add(path);
    };
    for (const path of edges.keys()) visit(path, []);
    expect(cycles).toEqual([]);
  });
});

describe("files", () => {
  test("have kebab-case names, and none has a meaningless name", () => {
    const wrong = [...sources, ...tests].filter(({ path }) => {
      const name = basename(path, ".ts");
      const isPlain = /^[a-z0-9]+(-[a-z0-9]+)*(\.test|\.config|\.d)?$/.test(name);
      return !isPlain || /(^|\/)(utils?|helpers?|common|shared|misc|manager|service)(\.|\/|$)/.test(path);
    });
    expect(wrong.map(({ path }) => path)).toEqual([]);
  });

  test("are at most 20 in a folder, except in the top folders of src and in features", () => {
    const entries = new Map<string, Set<string>>();
    for (const { path } of sources)
      for (let at = path; at !== "src"; at = dirname(at))
        entries.set(dirname(at), (entries.get(dirname(at)) ?? new Set()).add(basename(at)));
    const tooFull = [...entries].filter(([folder, { size }]) => size > 20 && !["src", "src/features"].includes(folder));
    expect(tooFull.map(([folder]) => folder).toSorted()).toEqual([]);
  });

  test("begin with a sentence that says what they are", () => {
    expect(
      [...sources, ...tests].filter(({ lines }) => !/^\/\/ \S.{15,}/.test(lines[0] ?? "")).map(({ path }) => path),
    ).toEqual([]);
  });

  test("have at most 350 lines and functions of at most 40", () => {
    const tooLong = [
      ...sources.filter(({ lines }) => lines.length > 351),
      ...tests.filter(({ lines }) => lines.length > 401),
    ];
    expect(tooLong.map(({ path, lines }) => `${path}: ${lines.length} lines`)).toEqual([]);
    const lengths = sources.map(({ lines }) => lines.length).toSorted((a, b) => a - b);
    expect(lengths[Math.floor(lengths.length / 2)]).toBeLessThan(120);
  });

  test("have comment lines of at most 120 columns", () => {
    const paths = ["src", "test", "prisma", ".ci"].flatMap(commentedUnder);
    expect(paths.length).toBeGreaterThan(700);
    const tooLong = paths.flatMap((path) =>
      readFileSync(`${root}${path}`, "utf8")
        .split("\n")
        .flatMap((line, index) => (line.length > 120 && commentIn(path).test(line) ? [`${path}:${index + 1}`] : [])),
    );
    expect(tooLong).toEqual([]);
  });

  test("have no default exports and no re-exports, except settings of tools", () => {
    const wrong = [...sources, ...tests].filter(
      ({ path, text }) => !path.endsWith(".config.ts") && /^export (default|\*|\{[^}]*\} from)/m.test(text),
    );
    expect(
      wrong
        .filter(({ text, path }) => !/^export type \{/m.test(text) || !path.startsWith("test/"))
        .map(({ path }) => path),
    ).toEqual([]);
  });

  test("look up a missing key as missing: a text in its place could be the key of something", () => {
    const instead = /\.(?:get|has)\([^()]*\?\? (?:""|0)\)/;
    expect(sources.filter(({ text }) => instead.test(text)).map(({ path }) => path)).toEqual([]);
  });

  test("process.env is read in config/config only", () => {
    expect(
      sources
        .filter(({ path, text }) => path !== "src/config/config.ts" && /process\.env/.test(text))
        .map(({ path }) => path),
    ).toEqual([]);
  });

  test("every export of the folders from base to rest has a comment", () => {
    const documented = new Set([
      "base",
      "config",
      "runtime",
      "documents",
      "db",
      "files",
      "net",
      "sandbox",
      "jobs",
      "events",
      "access",
      "domain",
      "graph",
      "http",
      "rest",
      "pages",
    ]);
    const bare = sources
      .filter(({ path }) => documented.has(placeOf(path)) && dirname(path) !== "src")
      .flatMap(({ path, text }) =>
        [...text.matchAll(exported)]
          .filter(
            (match) =>
              /^export (?:async )?(?:function|class)/.test(match[0]) && !text.slice(0, match.index).endsWith("*/\n"),
          )
          .map((match) => `${path}: ${match[1]}`),
      );
    expect(bare).toEqual([]);
  });
});
