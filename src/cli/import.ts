// `npm run import -- --space <id> <folder|zip|address>`: imports Markdown files or a website; docgraph may run or not.
import { runCommand } from "#src/cli/command.ts";
import { UsageError } from "#src/base/usage-error.ts";

const usage =
  "npm run import -- --space <id> <folder, ZIP archive or address> [--source <website, markdown or openapi>] [--change-request <id or number>] [--replace] [--message <text>] [--as <email>] [--progress]";
const about = `Imports Markdown files, or what is at an address, into a space, as one revision that is whole or not at all.
Works while docgraph runs and while it does not, on the database that 'npm start' uses (DATA_DIR or DATABASE_URL).

  --space <id>            The space.
  --change-request <...>  A change request of it: its content instead of the main one.
  --replace               The files take the place of all that is there, which stays in the history. A page at the path of one that was
                          there goes on as it, with its comments: importing a folder again changes what has changed.
  --message <text>        What to say of the revision.
  --source <...>          What is at an address: website (when left out), or markdown for a Markdown file or a ZIP archive, or openapi.
  --progress              Prints how many pages are found, read and written, also where the output is no terminal.
  --as <email>            Who imports, and whose rights count; the first admin of the space's organization when left out.

  Contents   come from SUMMARY.md (also in src or docs), as mdBook and others write it: chapters, parts, drafts. Without it, from the
             folders: README.md or index.md is the page of its folder. Pages that are only linked to are hidden.
  Titles     come from SUMMARY.md, else from the front matter, else from the first heading, else from the file name.
  Addresses  come from the names of files and folders.
  Links      to other files of the import lead to their pages and files; all others stay as they are. Nothing else in the texts changes,
             but for front matter, of which title, description, icon, emoji, hidden, noIndex, noRobotsIndex and layout are taken over.

<history.json> stands for the pages that a documentation history starts with.
`;

const options = {
  space: { type: "string" },
  "change-request": { type: "string" },
  replace: { type: "boolean" },
  message: { type: "string" },
  source: { type: "string", default: "website" },
  progress: { type: "boolean", default: false },
  as: { type: "string" },
} as const;

await runCommand({ usage, about, options, takes: "one" }, async (values, path) => {
  const { space } = values;
  if (!space) throw new UsageError(`usage: ${usage}`);
  const { importIntoSpace } = await import("#src/cli/importing/import-into-space.ts");
  return importIntoSpace(path, { ...values, space });
});
