// `npm run import -- --space <id> <folder|zip|address>`: imports Markdown files or a website; docgraph may be running.
import { runCommand } from "#src/cli/command.ts";
import { UsageError } from "#src/base/usage-error.ts";

const usage =
  "npm run import -- --space <id> <folder, ZIP archive or address> [--source <website, markdown or openapi>] [--change-request <id or number>] [--replace] [--message <text>] [--as <email>] [--progress] [--static <folder>] [--warnings <number or all>]";
const about = `Imports Markdown files, or the content at an address, into a space, as one revision, completely or not at all.
docgraph may be running or not; the database is the one that 'npm start' uses (DATA_DIR or DATABASE_URL).

  --space <id>            The space.
  --change-request <...>  Imports into this change request of the space instead of its main content.
  --replace               Replaces all current content, which stays in the history. A page at the path of a current page continues it,
                          with its comments: importing a folder again changes only what differs.
  --message <text>        The message of the revision.
  --source <...>          What the address leads to: website (default), markdown for a Markdown file or a ZIP archive, or openapi.
  --static <folder>       The folder of files that are at the root of the website (/img/a.png), if it is not in the folder:
                          by default every folder with the name static, public or assets.
  --warnings <...>        How many warnings of each kind are printed: a number, or all (up to 10,000); 5 by default.
  --progress              Prints how many pages were found, read and written, even if the output is not a terminal.
  --as <email>            The user who imports, with their rights; by default the first admin of the space's organization.

  Contents   come from SUMMARY.md, nav of mkdocs.yml, sidebars.js, the sidebar of VitePress, docs.json, _Sidebar.md and the like. Without
             such a file, from the folders: README.md or index.md is the page of its folder, in the order of _category_, _meta, .pages
             and the front matter. Pages that are only linked to are hidden.
  Titles     come from the table of contents, else from the front matter, else from the first heading, else from the file name.
  Addresses  come from slug, permalink or url of the front matter, else from the names of files and folders.
  Links      to other files of the import lead to their pages and files, also [[wiki links]]; all others are kept. Components, shortcodes
             and includes of other tools are converted. Front matter is removed.
  Warnings   say what was left out or changed, with file and line. A file that cannot be read never ends an import.

<history.json> imports the first pages of a documentation history.
`;

const options = {
  space: { type: "string" },
  "change-request": { type: "string" },
  replace: { type: "boolean" },
  message: { type: "string" },
  source: { type: "string", default: "website" },
  progress: { type: "boolean", default: false },
  static: { type: "string" },
  warnings: { type: "string", default: "5" },
  as: { type: "string" },
} as const;

await runCommand({ usage, about, options, takes: "one" }, async (values, path) => {
  const { space } = values;
  if (!space) throw new UsageError(`usage: ${usage}`);
  if (!/^(?:all|\d{1,5})$/.test(values.warnings)) throw new UsageError("--warnings must be a number or all");
  const { importIntoSpace } = await import("#src/cli/importing/import-into-space.ts");
  return importIntoSpace(path, { ...values, space });
});
