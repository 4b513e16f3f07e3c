// Bundles of integrations in the form of public ones (`public/*.jsx`), made as their command line makes them.
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

/** The script of one of them. */
export async function bundleOf(name: string): Promise<string> {
  const bundled = await rolldown({
    input: fileURLToPath(new URL(`public/${name}.jsx`, import.meta.url)),
    platform: "browser",
    resolve: { conditionNames: ["workerd", "worker", "browser", "import", "default"] },
    transform: { define: { MODE: '"production"' }, jsx: { runtime: "automatic", importSource: "@gitbook/runtime" } },
    logLevel: "silent",
  });
  const { output } = await bundled.generate({ format: "esm", minify: true });
  await bundled.close();
  return output[0].code;
}
