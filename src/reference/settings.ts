// The reference of settings: the variables of the environment that the configuration reads.
import type { Variable } from "#src/config/variable.ts";
import { variables } from "#src/config/variables.ts";
import type { Reference } from "#src/reference/reference.ts";

export const settingsReference: Reference = {
  path: "/reference/settings",
  title: "Settings",
  about: "Every environment variable, its allowed values and its default.",
  introduction:
    "docgraph reads its settings from environment variables when it starts. An empty variable counts as unset. A value that is not allowed stops the start with a message that names the variable. `npm start -- --help` prints the same list. The settings that limit callers are explained in [limits](/reference/limits).",
  tables: () => [
    {
      id: "settings",
      columns: ["Setting", "Purpose", "Allowed values", "Default"],
      rows: Object.entries<Variable>(variables).map(([name, variable]) => ({
        id: name,
        cells: cellsOf(name, variable),
      })),
    },
  ],
};

function cellsOf(name: string, { about, wants, fallback, isSecret }: Variable): string[] {
  const values = `${wants.slice(0, 1).toUpperCase()}${wants.slice(1)}.${isSecret ? " Secret: it is never printed." : ""}`;
  return [`\`${name}\``, about, values, fallback === undefined ? "" : `\`${fallback}\``];
}
