// The client applications as a browser loads them: type-checked, bundled and served.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Plugin, rolldown } from "rolldown";
import { applications, generate, program, run } from "#test/clients/generate.ts";

export interface Built extends AsyncDisposable {
  /** The compiler errors of the applications. */
  readonly problems: string;
  /** The length of each bundle in bytes. */
  readonly sizes: Readonly<Record<string, number>>;
  /** Serves their pages on a new port; `settings` become meta elements of each. */
  serve(settings: Readonly<Record<string, string>>): Promise<string>;
}

/** Builds all of them; the build is deleted on disposal. */
export async function build(description: object): Promise<Built> {
  const folder = await mkdtemp(join(tmpdir(), "docgraph-clients-"));
  await generate(folder, description);
  const [problems, ...bundles] = await Promise.all([
    typeCheck(folder),
    ...Object.entries(applications).map(([name, file]) => bundle(folder, join(name, file))),
  ]);
  const scripts = Object.fromEntries(Object.keys(applications).map((name, index) => [name, bundles[index] ?? ""]));
  const servers: ReturnType<typeof createServer>[] = [];
  return {
    problems,
    sizes: Object.fromEntries(Object.entries(scripts).map(([name, script]) => [name, Buffer.byteLength(script)])),
    async serve(settings) {
      const server = createServer(({ url = "" }, response) => {
        const [, name = "", file] = new URL(url, "http://pages").pathname.split("/");
        const script = scripts[name];
        if (script === undefined) response.writeHead(404).end();
        else if (file === "main.js") response.setHeader("content-type", "text/javascript").end(script);
        else response.setHeader("content-type", "text/html; charset=utf-8").end(pageOf(name, settings));
      });
      servers.push(server);
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // it listens on TCP
    },
    async [Symbol.asyncDispose]() {
      for (const server of servers) server.close().closeAllConnections();
      await rm(folder, { recursive: true });
    },
  };
}

/** The errors of the TypeScript compiler; empty if it compiles. */
async function typeCheck(folder: string): Promise<string> {
  const compilerOptions = {
    target: "ES2024",
    lib: ["ES2024", "DOM", "DOM.Iterable"],
    module: "ESNext",
    moduleResolution: "bundler",
    jsx: "react-jsx",
    strict: true,
    noEmit: true,
    noUncheckedIndexedAccess: true,
    verbatimModuleSyntax: true,
    allowImportingTsExtensions: true,
    resolveJsonModule: true,
    skipLibCheck: true,
    types: [],
  };
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["**/*.ts", "**/*.tsx"] }));
  return run(program("tsc"), ["-p", folder], { cwd: folder }).then(
    ({ stdout }) => stdout,
    ({ stdout }: { stdout: string }) => stdout,
  );
}

/** Replaces a tagged document by its relay-compiler artifact, as Relay's Babel plugin does. */
const relayDocuments: Plugin = {
  name: "relay-documents",
  transform: {
    filter: { id: /\/relay\/main\.tsx$/ },
    handler(code) {
      const names = new Set<string>();
      const text = code.replaceAll(
        /graphql`\s*(?:query|mutation|subscription|fragment) (\w+)[^`]*`/g,
        (_, name: string) => {
          names.add(name);
          return `${name}Artifact`;
        },
      );
      const artifactOf = (name: string) => JSON.stringify(`./__generated__/${name}.graphql.ts`);
      const imports = Array.from(names, (name) => `import ${name}Artifact from ${artifactOf(name)};`);
      return `${imports.join("")}${text}`;
    },
  },
};

async function bundle(folder: string, file: string): Promise<string> {
  const bundled = await rolldown({
    cwd: folder,
    input: file,
    platform: "browser",
    plugins: [relayDocuments],
    transform: { define: { "process.env.NODE_ENV": '"development"' } }, // libraries print warnings
    logLevel: "silent",
  });
  const { output } = await bundled.generate({ format: "esm" });
  await bundled.close();
  return output[0].code;
}

const pageOf = (name: string, settings: Readonly<Record<string, string>>): string => `<!doctype html>
<html lang="en">
<title>${name}</title>
<link rel="icon" href="data:,">
${Object.entries(settings)
  .map(([key, value]) => `<meta name="${key}" content="${value}">`)
  .join("\n")}
<body><div id="root"></div><script type="module" src="/${name}/main.js"></script></body>
</html>
`;
