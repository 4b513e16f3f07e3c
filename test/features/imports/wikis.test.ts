// Wikis, vaults and exports of other tools: links by name, embeds, titles and pages in HTML.
import { describe, test } from "vitest";
import { expectPlan, type Repository } from "#test/features/imports/expected-plans.ts";

const png = Buffer.of(1);

/** perber/leafwiki#788, siyuan-note/siyuan#14477, streetwriters/notesnook#4428, stevencohn/OneMore#1549. */
const cases: Readonly<Record<string, Repository>> = {
  "a vault of Obsidian": {
    files: {
      ".obsidian/app.json": "{}",
      "Index.md":
        "[[Deep Note]] [[Deep Note|alias]] ![[pic.png]] ![[pic.png|300]] [[Deep Note#A Heading]] [[#Own]] [[Nickname]] [[deep note]] ![[Deep Note]] [[Nothing]] `[[code]]` \\[[text]] [[1, 2]]\n\n| a |\n|---|\n| [[Deep Note\\|in a table]] |\n",
      "folder/Deep Note.md": "---\naliases: [Nickname]\n---\n[i](Index.md) ![[doc.pdf]] [[folder/Deep Note#^block|b]]",
      "folder/pic.png": png,
      "files/doc.pdf": "x",
    },
    pages: ['index "Index"', 'folder "Folder" group', '  deep-note "Deep Note"'],
    texts: {
      index:
        '[Deep Note](page:deep-note) [alias](page:deep-note) ![pic.png](file:folder/pic.png) <img src="file:folder/pic.png" alt="pic.png" width="300"> [Deep Note > A Heading](page:deep-note#a-heading) [Own](page:index#own) [Nickname](page:deep-note) [deep note](page:deep-note) [Deep Note](page:deep-note) [[Nothing]] `[[code]]` \\[[text]] [[1, 2]]\n\n| a |\n|---|\n| [in a table](page:deep-note) |\n',
      "deep-note": "[i](page:index) [doc.pdf](file:files/doc.pdf) [b](page:deep-note)",
    },
    warnings: [
      "Index.md:1 The embedded page Deep Note becomes a link.",
      "Index.md:1 The link target Nothing does not exist in the import.",
      "folder/Deep Note.md:4 The link target Index.md was found by its name at Index.md.",
    ],
  },
  "a wiki of GitHub": {
    files: {
      "Home.md": "[[Install Guide]] [[words|Install Guide]] [x](Install-Guide) ![[images/x.png]]",
      "Install-Guide.md": "[up](Home#top)",
      "Other.md": "",
      "_Sidebar.md": "* [[Home]]\n* [[Set up|Install-Guide]]\n",
      "_Footer.md": "The end",
      "images/x.png": png,
    },
    pages: ['home "Home"', 'install-guide "Set up"', 'other "Other"'],
    texts: {
      home: "[Install Guide](page:install-guide) [words](page:install-guide) [x](page:install-guide) ![x.png](file:images/x.png)",
      "install-guide": "[up](page:home#top)",
    },
  },
  "Wiki.js with languages": {
    files: {
      "home.md":
        "---\ntitle: Home\ndescription: D\npublished: true\neditor: markdown\n---\n[a](/en/guides/a) [b](/guides/a) ![p](/uploads/p.png)",
      "guides/a.md": "---\ntitle: The A\n---\n",
      "uploads/p.png": png,
    },
    pages: ['guides "Guides" group', '  a "The A"', 'home "Home" {"description":"D"}'],
    texts: { home: "[a](page:a) [b](page:a) ![p](file:uploads/p.png)" },
  },
  "an export of Notion": {
    files: {
      "Home 0123456789abcdef0123456789abcdef.md":
        "# Home\n\n[Sub](Home%200123456789abcdef0123456789abcdef/Sub%20Page%200123456789abcdef0123456789abcdee.md)\n\n<aside>\n💡 Note this\n\n</aside>\n",
      "Home 0123456789abcdef0123456789abcdef/Sub Page 0123456789abcdef0123456789abcdee.md": "# Sub Page\n",
    },
    pages: ['home "Home"', '  sub-page "Sub Page"'],
    texts: { home: '# Home\n\n[Sub](page:sub-page)\n\n{% hint style="info" %}\nNote this\n{% endhint %}\n' },
  },
  "an export of Confluence": {
    files: {
      "index.html":
        "<h1>Space Details</h1><div><h2>Available Pages:</h2><ul><li><a href='Home_1.html'>Home</a><ul><li><a href='Sub_2.html'>Sub page</a></li></ul></li></ul></div>",
      "Home_1.html":
        "<html><body><h1>Home</h1><p>Here is <a href='Sub_2.html#part'>the other page</a> and <img src='attachments/1/2.png' alt='a picture'>.</p></body></html>",
      "Sub_2.html": "<html><body><h1>Sub</h1><p>The text of the other page is this.</p></body></html>",
      "attachments/1/2.png": png,
    },
    pages: ['index "Space Details"', 'home-1 "Home"', '  sub-2 "Sub page"'],
    texts: { "home-1": "Here is [the other page](page:sub-2#part) and ![a picture](file:attachments/1/2.png).\n" },
  },
};

describe("an import of a wiki", () => {
  test.each(Object.entries(cases))("keeps order, titles and links of %s", (_name, wiki) => expectPlan(wiki));
});
