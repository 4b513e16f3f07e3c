// PDFs of spaces with pages computed from a specification: they contain these in order.
import { expect, test } from "vitest";
import { newPage } from "#test/features/content/edits.ts";
import { documentWith, fixtureMaker } from "#test/features/openapi/scene.ts";
import { compute, from } from "#test/features/openapi/specs.ts";
import { bytesAt, pdfOf, readPdf, squeezed } from "#test/features/pdfs/reading.ts";
import { useApp } from "#test/support/app.ts";

const { app, world } = await useApp();
const makeFixture = fixtureMaker({ app, world });

const operation = (operationId: string, description: string, more: object = {}) => ({
  operationId,
  description,
  tags: ["ships"],
  responses: { "200": { description: `Answer of ${operationId}.` } },
  ...more,
});

const callbacks = { moored: { "{$url}": { post: { description: "Told when it lies there.", responses: {} } } } };

const paths = {
  "/ships": { get: operation("listShips", "All that float."), post: operation("addShip", "One more.", { callbacks }) },
  "/ships/{id}": { delete: operation("sinkShip", "One less.") },
};

test("computed pages are in the text, contents and outline of a PDF, each once; another version creates another PDF", async () => {
  const { edit, space, as, spec } = await makeFixture(documentWith("About the harbour.", { paths }));
  await edit(
    newPage("Before", { markdown: "Text before." }).edit,
    newPage("Interface", from("harbour")).edit,
    newPage("After", { markdown: "Text after." }).edit,
  );
  const issued = await pdfOf(as, { space: space.id });
  const pdf = await readPdf(await bytesAt(issued.url));
  const titles = pdf.outline.filter((title) => !/^ *(?:Pages|Responses|200|Code samples|Example)$/.test(title));
  expect(titles).toEqual([
    "Before",
    "Interface",
    "  ships",
    "    listShips",
    "    addShip",
    "      Callbacks",
    "        moored",
    "    sinkShip",
    "  Models",
    "    Ship",
    "After",
  ]);
  const text = squeezed(pdf.sheets.slice(2).join(""));
  const expectedTexts = [
    "Text before.",
    "About the harbour.",
    "GET https://api.example.com/ships",
    "All that float.",
    "Answer of listShips.",
    "POST https://api.example.com/ships",
    "One more.",
    "Answer of addShip.",
    "POST {$url}",
    "Told when it lies there.",
    "DELETE https://api.example.com/ships/{id}",
    "One less.",
    "Answer of sinkShip.",
    "Text after.",
  ].map(squeezed);
  const places = expectedTexts.map((one) => text.indexOf(one));
  expect(places).not.toContain(-1);
  expect(places).toEqual(places.toSorted((one, other) => one - other));
  expect(squeezed(pdf.sheets[1] ?? "")).toMatch(
    /Interface\d+ships\d+listShips\d+addShip\d+sinkShip\d+Models\d+Ship\d+/,
  );

  await spec.version(documentWith("About the new harbour.", { paths: { "/ships": paths["/ships"] } }));
  await compute(app, { spaceIds: [space.id] });
  const later = await pdfOf(as, { space: space.id });
  expect(later.url).not.toBe(issued.url);
  const again = await readPdf(await bytesAt(later.url));
  expect(again.outline).not.toContain("    sinkShip");
  expect(squeezed(again.sheets.join(""))).toContain("Aboutthenewharbour.");
});
