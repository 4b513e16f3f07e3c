// An agent that answers a question from a site with a condition, for two visitors: it searches, reads the pages that it
// finds, and quotes the sentence that has most words of the question. TEST_ARTIFACTS keeps the transcript.
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { clients } from "#test/features/agents/clients.ts";
import { makeSiteForAgents, nobody } from "#test/features/agents/scene.ts";
import { editAs, newPage } from "#test/features/content/edits.ts";
import { useApp } from "#test/support/app.ts";
import { artifacts } from "#test/support/browser.ts";

const { app, world } = await useApp();

const question = "How many requests may I send in a minute?";
const keywords = ["requests", "minute"];

it("answers a question by what each visitor may read", async () => {
  const { root, spaces, staff, admin } = await makeSiteForAgents(app, world);
  const limits = (title: string, markdown: string) => newPage(title, { markdown }).edit;
  const [guide, internal] = [{ spaceId: spaces.guide.id }, { spaceId: spaces.internal.id }];
  await editAs(app.as(admin.token), guide, limits("Limits", "# API\n\nEverybody may send 60 requests a minute.\n"));
  const ofStaff = "# API\n\nThe staff may send 6,000 requests a minute, with an `x-staff` header.\n";
  await editAs(app.as(admin.token), internal, limits("Limits of the staff", ofStaff));

  const transcript: string[] = [];
  const log = (line: string) => void transcript.push(line.replaceAll(root, "https://docs.example.com"));

  async function answer(name: string, headers: Readonly<Record<string, string>>): Promise<string[]> {
    await using agent = await clients[0][1](`${root}/mcp`, headers);
    log(`\n=== ${name}${headers["x-visitor-token"] ? " (x-visitor-token: staff)" : ""}: ${question}`);
    const call = async (tool: string, input: Record<string, unknown>) => {
      const { texts } = await agent.call(tool, input);
      log(`> ${tool} ${JSON.stringify(input)}\n${texts.join("\n--\n").replaceAll(/^/gm, "  ")}`);
      return texts;
    };
    const [found = ""] = await call("search_pages", { query: keywords.join(" ") });
    const sentences: string[] = [];
    for (const [, path] of found.matchAll(/^path: (.+)$/gm)) {
      const [about = "", text = ""] = await call("read_page", { path });
      const quoted = text.split("\n").find((line) => keywords.every((word) => line.includes(word)));
      if (quoted !== undefined) sentences.push(`${quoted} (${about.split("\n")[1]})`);
    }
    log(`Answer: ${sentences.join(" ")}`);
    return sentences;
  }

  expect(await answer("A visitor without a token", nobody)).toEqual([
    `Everybody may send 60 requests a minute. (${root}/docs/guide/limits)`,
  ]);
  expect((await answer("A visitor of the staff", staff)).toSorted()).toEqual([
    `Everybody may send 60 requests a minute. (${root}/docs/guide/limits)`,
    `The staff may send 6,000 requests a minute, with an \`x-staff\` header. (${root}/api/internal/limits-of-the-staff)`,
  ]);
  await mkdir(artifacts, { recursive: true });
  await writeFile(join(artifacts, "mcp-transcript.txt"), `${transcript.join("\n").trim()}\n`);
});
