// The form of the documentation: its size, its links, its table of pages, and that its operations are valid.
import { figuresOn, figuresTable, pagesOfFigures } from "#test/bench/history.ts";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { parse, validate } from "graphql";
import { describe, expect, test } from "vitest";
import { schema } from "#src/schema.ts";
import { anchorsOf, codeOf, listedPages, project, readPage, relativeLinks } from "#test/support/documentation.ts";

const paths = [
  "README.md",
  ...readdirSync(join(project, "src/docs"))
    .filter((name) => name.endsWith(".md"))
    .map((name) => `src/docs/${name}`),
];

test("the README lists every page, and each page that it lists exists", () => {
  expect(listedPages().toSorted()).toEqual(paths.slice(1).toSorted());
});

test("a page that the README does not list cannot be read", () => {
  expect(() => readPage("src/docs/missing.md")).toThrow("ENOENT");
});

test("the licence is the licence that package.json names", () => {
  const { license } = JSON.parse(readFileSync(join(project, "package.json"), "utf8")) as { license: string };
  const text = readFileSync(join(project, "src/docs/changelog.md"), "utf8");
  expect(text).toContain(`\n## ${license} License\n`);
  for (const part of ["Copyright (c)", "Permission is hereby granted", "this permission notice shall", "AS IS"])
    expect(text).toContain(part);
});

test("the page of HTTP names the number of routed operations", () => {
  const routes = readFileSync(join(project, "test/contract/routes.txt"), "utf8");
  const [, count = "no count"] = /^(\d+) operations have a route/m.exec(routes) ?? [];
  expect(readPage("src/docs/http.md").text).toContain(`${count} operations are routed`);
});

describe.each(paths)("%s", (path) => {
  const page = readPage(path);
  const lines = page.text.trimEnd().split("\n");
  const [mostLines, mostColumns] = path === "README.md" ? [250, 100] : [300, 120];

  test("is within the limits of lines and columns", () => {
    expect(lines.length).toBeLessThanOrEqual(mostLines);
    expect(lines.filter((line) => line.length > mostColumns)).toEqual([]);
  });

  test("opens with a title and a sentence", () => {
    expect(lines[0]).toMatch(/^# \S/);
    expect(lines[2]).toMatch(/^[A-Z`]|^docgraph /);
  });

  test("links to files and headings that exist", () => {
    expect(relativeLinks(page).filter((target) => !leads(path, target))).toEqual([]);
  });

  test("names files and folders that exist", () => {
    const named = [...page.text.matchAll(/`((?:src|test|prisma|\.ci)\/[\w./-]+)`/g)].map(([, name = ""]) => name);
    expect(named.filter((name) => !existsSync(join(project, name)))).toEqual([]);
  });

  test("prints operations that are valid", () => {
    const problems = codeOf(page, "graphql").flatMap((document) => validate(schema, parse(document)));
    expect(problems).toEqual([]);
  });
});

/** Whether a relative link of a page leads to a file and a heading. */
function leads(path: string, target: string): boolean {
  const [file = "", anchor] = target.split("#");
  const to = file === "" ? path : relative(project, join(project, dirname(path), file));
  if (!existsSync(join(project, to))) return false;
  return anchor === undefined || anchorsOf(readPage(to)).includes(anchor);
}

const results = readFileSync(new URL("bench/results.md", import.meta.url), "utf8");

test.each(pagesOfFigures)("%s has the figures of the last line of the history", (page) => {
  expect(figuresOn(page)).toBe(`${figuresTable(results).join("\n")}\n`);
});
