// Words of all scripts and languages, and names of programs: each is found in a text, a title and a description, and
// marked. The sources are reports about other search engines.
import { beforeAll, expect, test } from "vitest";
import { indexMissing } from "#src/features/content/commands/index-texts.ts";
import { editAs, newPage } from "#test/features/content/edits.ts";
import { addSpace } from "#test/features/spaces/factory.ts";
import { type Client, useApp } from "#test/support/app.ts";

const { app, world } = await useApp();

interface Row {
  readonly text: string;
  readonly search: string;
  /** What is marked: what was searched unless something else is given. */
  readonly marks?: readonly string[];
  /** The language of the space, in which descriptions and titles are found, too. */
  readonly language?: string;
}

/** Without a language, unless one is given. */
const found: Readonly<Record<string, Row>> = {
  "Thai (meilisearch/meilisearch#864)": { text: "คุณสามารถติดตั้งฐานข้อมูลด้วยคำสั่งนี้", search: "ฐานข้อมูล" },
  "Thai, in the middle (typesense/typesense#228)": { text: "คุณสามารถติดตั้งฐานข้อมูลด้วยคำสั่งนี้", search: "ติดตั้ง" },
  "Thai, a last letter without its vowel": { text: "วิธีการเชื่อมต่อ", search: "เชื่อมต", marks: ["เชื่อมต่"] },
  Lao: { text: "ທ່ານສາມາດຕິດຕັ້ງຖານຂໍ້ມູນໄດ້", search: "ຖານຂໍ້ມູນ" },
  Khmer: { text: "អ្នកអាចដំឡើងមូលដ្ឋានទិន្នន័យ", search: "មូលដ្ឋាន" },
  "Khmer with breaks of no width": {
    text: "អ្នក\u200bអាច\u200bដំឡើង\u200bកម្មវិធី",
    search: "ដំឡើងកម្មវិធី",
    marks: ["ដំឡើង\u200bកម្មវិធី"],
  },
  Burmese: { text: "ဒေတာဘေ့စ်ကိုထည့်သွင်းနိုင်သည်", search: "ထည့်သွင်း" },
  Tibetan: { text: "བོད་ཀྱི་དཔེ་ཆ་འདི་ཡིན།", search: "དཔེ་ཆ" },
  Javanese: { text: "ꦏꦸꦭꦩꦼꦩꦧꦕꦧꦸꦏꦸ", search: "ꦧꦸꦏꦸ" },
  "Chinese (typesense/typesense#228)": { text: "您可以使用此命令安装数据库", search: "数据库" },
  "Japanese with a long vowel": { text: "東京都のデータベースを変更します", search: "データベース" },
  "Japanese of half width": { text: "新しいﾃﾞｰﾀﾍﾞｰｽの設定", search: "データベース", marks: ["ﾃﾞｰﾀﾍﾞｰｽ"] },
  "Japanese beside Latin": { text: "ここではVue入門を読む", search: "Vue入門", marks: ["Vue", "入門"] },
  "Korean with a particle (Chocobozzz/PeerTube#3526)": { text: "데이터베이스를 설치합니다", search: "데이터베이스" },
  "Korean with another particle": { text: "데이터베이스의 상태", search: "데이터베이스를", marks: ["데이터베이스"] },
  "Korean, the second noun": { text: "데이터베이스연결이 끊겼습니다", search: "연결" },
  "Turkish after an apostrophe": { text: "İstanbul'da bir sunucu", search: "istanbul", marks: ["İstanbul"] },
  "Turkish capitals": { text: "IŞIK ve ÇIKIŞ", search: "ışık", marks: ["IŞIK"] },
  "Finnish, the beginning of the last word": {
    text: "Tietokannassamme on taulu",
    search: "tietokanna",
    marks: ["Tietokannassamme"],
  },
  "German in compounds (jprante/elasticsearch-analysis-decompound#28)": {
    text: "Die Datenbankverbindung fehlt",
    search: "Datenbank",
    marks: ["Datenbankverbindung"],
  },
  "German, the second part": {
    text: "Eine Netzwerkschnittstelle wird benutzt",
    search: "Schnittstelle",
    marks: ["Netzwerkschnittstelle"],
  },
  "German sharp s": { text: "Die Straße ist groß", search: "strasse", marks: ["Straße"] },
  "German sharp s, searched": { text: "Die Gasse nach Neuss", search: "gaße", marks: ["Gasse"] },
  "a flag (BurntSushi/ripgrep#215)": { text: "Use --dry-run first", search: "--dry-run", marks: ["dry", "run"] },
  "a flag among words (ggreer/the_silver_searcher#941)": {
    text: "Use --prune-all first",
    search: "use --prune-all",
    marks: ["Use", "prune", "all"],
  },
  "a flag of one letter": { text: "tar takes -z to compress", search: "tar -z", marks: ["tar", "z"] },
  "a flag with a value": {
    text: "java -Dfile.encoding=UTF-8 Main",
    search: "-Dfile.encoding=utf-8",
    marks: ["Dfile", "encoding", "UTF", "8"],
  },
  "a negative number": { text: "the code -32601 is returned", search: "-32601", marks: ["32601"] },
  "the first part of camel case": {
    text: "Call renderSidebarTree() again",
    search: "render",
    marks: ["renderSidebarTree"],
  },
  "a later part of camel case": { text: "Call fetchInvoiceRows() again", search: "invoice", marks: ["Invoice"] },
  "capitals in camel case": { text: "An XMLHttpQuery is sent", search: "http query", marks: ["Http", "Query"] },
  "camel case by snake case": {
    text: "Set maxRetryCount to 3",
    search: "max_retry_count",
    marks: ["maxRetryCount"],
  },
  "snake case by camel case": {
    text: "Set pool_idle_limit to 3",
    search: "poolIdleLimit",
    marks: ["pool", "idle", "limit"],
  },
  "a part of snake case": { text: "Set lock_wait_seconds to 3", search: "seconds", marks: ["seconds"] },
  "a part of a constant": { text: "Set GATEWAY_CACHE_TTL in the shell", search: "cache ttl", marks: ["CACHE", "TTL"] },
  "a name with a dot, without it": { text: "It runs on Node.js only", search: "nodejs", marks: ["Node.js"] },
  "a name without a dot, with it": { text: "It needs vuejs here", search: "vue.js", marks: ["vuejs"] },
  "a word with a dash, without it": { text: "Send an e-mail to them", search: "email", marks: ["e-mail"] },
  "an apostrophe": { text: "It doesn't matter", search: "doesnt", marks: ["doesn't"] },
  "C++": { text: "Written in C++ and tested", search: "c++", marks: ["C++"] },
  "C++ of a year": { text: "It needs C++20 and later", search: "C++20", marks: ["C++", "20"] },
  "C#": { text: "A client for C# exists", search: "C#", marks: ["C#"] },
  ".NET": { text: "A client for .NET exists", search: ".net", marks: [".NET"] },
  "soft hyphens": {
    text: "The con\u00adfigu\u00adration file",
    search: "configuration",
    marks: ["con\u00adfigu\u00adration"],
  },
  "a blank of no width": { text: "The sched\u200buler waits", search: "scheduler", marks: ["sched\u200buler"] },
  "a mark of no width in the search": {
    text: "The dispatcher waits",
    search: "dispatcher\ufeff",
    marks: ["dispatcher"],
  },
  "Persian with a joiner": { text: "من می\u200cخواهم بروم", search: "میخواهم", marks: ["می\u200cخواهم"] },
  "Arabic with vowel points": { text: "هذه قَاعِدَةُ البَيَانَاتِ", search: "قاعدة", marks: ["قَاعِدَةُ"] },
  "Arabic without a hamza": { text: "هذا الإعداد جديد", search: "الاعداد", marks: ["الإعداد"] },
  "Hebrew with vowel points": { text: "זה שָׁלוֹם עולם", search: "שלום", marks: ["שָׁלוֹם"] },
  Hindi: { text: "यह हिंदी का पाठ है", search: "हिंदी" },
  Vietnamese: { text: "Cài đặt cơ sở dữ liệu", search: "co so du lieu", marks: ["cơ", "sở", "dữ", "liệu"] },
  "letters apart from their accents": { text: "Le cafe\u0301 noir", search: "café", marks: ["cafe\u0301"] },
  "letters of full width": { text: "Ｇａｔｅｗａｙ settings", search: "gateway", marks: ["Ｇａｔｅｗａｙ"] },
  ligatures: { text: "The ﬁrewall is oﬄine", search: "firewall offline", marks: ["ﬁrewall", "oﬄine"] },
  "Scandinavian letters": { text: "Smørrebrød og æbler", search: "smorrebrod aebler", marks: ["Smørrebrød", "æbler"] },
  "Greek with a final sigma": { text: "Ο ΔΡΟΜΟΣ είναι εδώ", search: "δρόμος", marks: ["ΔΡΟΜΟΣ"] },
  "curly quotes": { text: "Fetch a fresh token now", search: "“a fresh token”", marks: ["a", "fresh", "token"] },
  "German by its language": {
    text: "Die Rechnungsbearbeitungen stocken",
    search: "Bearbeitung",
    marks: ["bearbeitungen"],
    language: "GERMAN",
  },
  "German, the middle part": {
    text: "Die Kundendatenpflege stockt",
    search: "Daten",
    marks: ["datenpflege"],
    language: "GERMAN",
  },
  Dutch: { text: "De databaseverbinding is weg", search: "verbinding", marks: ["verbinding"], language: "DUTCH" },
  Swedish: { text: "En databasanslutning saknas", search: "anslutning", marks: ["anslutning"], language: "SWEDISH" },
  Norwegian: { text: "Uten databasetilkobling", search: "tilkobling", marks: ["tilkobling"], language: "NORWEGIAN" },
  Danish: { text: "En databaseforbindelse mangler", search: "forbindelse", marks: ["forbindelse"], language: "DANISH" },
  Finnish: { text: "Uusi tietokantayhteys puuttuu", search: "yhteys", marks: ["yhteys"], language: "FINNISH" },
};

/** Searches that find no page of these. */
const nothing: readonly (readonly [text: string, search: string])[] = [
  ["C without signs", "C#"],
  ["A net result", ".NET"],
  ["データの設定", "定設"],
  ["ข้อมูลฐาน", "ฐานข้อมูล"],
  ["The token was revoked", "-token"],
];

interface Hit {
  readonly title: string;
  readonly sections: readonly { readonly body: string; readonly bodyMatches: { start: number; end: number }[] }[];
}

let as: Client;
const spaceIds = new Map<string, string>();

beforeAll(async () => {
  const { admin, organization } = await world.space();
  as = app.as(admin.token);
  const rows = Object.entries(found);
  for (const language of new Set(rows.map(([, { language }]) => language ?? ""))) {
    const { id } = await world.insert((all) => addSpace(all, { organizationId: organization.id }));
    spaceIds.set(language, id);
    if (language !== "")
      await as.query(
        `mutation { updateSpace(input: { spaceId: "${id}", searchLanguage: ${language} }) { space { id } } }`,
      );
    const own = rows.filter(([, row]) => (row.language ?? "") === language);
    const pages = own.flatMap(([name, { text }]) => [
      newPage(`Text: ${name}`, { markdown: `First.\n\n${text.replaceAll("_", "\\_")}` }),
      newPage(text, { type: "GROUP" }),
      newPage(`Description: ${name}`, { type: "GROUP", description: text }),
    ]);
    const others = language === "" ? nothing.map(([text], index) => newPage(`Other ${index}`, { markdown: text })) : [];
    await editAs(as, { spaceId: id }, ...[...pages, ...others].map(({ edit }) => edit));
  }
  const of = { spaceIds: [...spaceIds.values()], changeRequestIds: [], revisionIds: [] };
  await indexMissing(app.database, { of }); // content beyond the writer's limit is indexed soon after
});

const fields = "nodes { title sections { body bodyMatches { start end } } }";

async function searchAll(asked: readonly { search: string; language?: string | undefined }[]): Promise<Hit[][]> {
  const hits: Hit[][] = [];
  for (let start = 0; start < asked.length; start += 15) {
    const some = asked.slice(start, start + 15);
    const searches = some.map(({ search, language = "" }, index) => {
      const place = `in: { spaceId: "${spaceIds.get(language)}" }`;
      return `s${index}: search(${place}, first: 20, text: ${JSON.stringify(search)}) { ${fields} }`;
    });
    const data = await as.query<Record<string, { nodes: Hit[] }>>(`{ ${searches.join(" ")} }`);
    hits.push(...some.map((_one, index) => data[`s${index}`]?.nodes ?? []));
  }
  return hits;
}

test("words of every script, language and program are found in titles, descriptions and texts, and marked", async () => {
  const rows = Object.entries(found);
  const hits = await searchAll(rows.map(([, row]) => row));
  const got = rows.map(([name, { text }], index) => {
    const titles = new Set(hits[index]?.map(({ title }) => title));
    const inText = hits[index]?.find(({ title }) => title === `Text: ${name}`);
    const [section] = inText?.sections ?? [];
    const marks = section?.bodyMatches.map(({ start, end }) => section.body.slice(start, end)) ?? [];
    return {
      name,
      text: inText !== undefined,
      title: titles.has(text),
      description: titles.has(`Description: ${name}`),
      marks,
    };
  });
  expect(got).toEqual(
    rows.map(([name, { search, marks = [search] }]) => ({ name, text: true, title: true, description: true, marks })),
  );
});

test("names of other programs, letters in another order and excluded words are not found", async () => {
  const hits = await searchAll(nothing.map(([, search]) => ({ search })));
  const titles = hits.map((some) => some.map(({ title }) => title).filter((title) => title.startsWith("Other")));
  expect(titles).toEqual(nothing.map(() => []));
});

test("a phrase is found at the end of a long text in a script without blanks", async () => {
  const spaceId = spaceIds.get("") ?? "";
  const line = "คุณสามารถใช้คำสั่งนี้เพื่อดูรายการทั้งหมดของระบบ ";
  const korean = "이 명령으로 시스템의 모든 항목을 볼 수 있습니다 ";
  const pages = [
    newPage("Long Thai", { markdown: `${line.repeat(200)}\n\nการสำรองเอกสารอัตโนมัติ` }),
    newPage("Long Korean", { markdown: `${korean.repeat(200)}\n\n자동백업기능을 켭니다` }),
  ];
  await editAs(as, { spaceId }, ...pages.map(({ edit }) => edit));
  const hits = await searchAll(["สำรองเอกสาร", "자동백업기능"].map((search) => ({ search })));
  expect(hits.map((some) => some.map(({ title }) => title))).toEqual([["Long Thai"], ["Long Korean"]]);
});

test("a text with more names and compounds than an index takes is indexed as far as it goes", async () => {
  const digits = "abcdefghijklmnopqrstuvwxyz";
  const name = (at: number) =>
    `${digits[at % 26]}${digits[Math.floor(at / 26) % 26]}${digits[Math.floor(at / 676) % 26]}`;
  const names = Array.from({ length: 30_000 }, (_, at) => `${name(at)}.${name(at * 7)}X${name(at * 3)}`);
  const compounds = Array.from(
    { length: 1_500 },
    (_, at) => `${name(at)}${"verbindungszeichen".repeat(2)}${name(at * 11)}`,
  );
  const { edit } = newPage("Everything", { markdown: `Anfang\n\n${[...names, ...compounds].join(" ")}` });
  const spaceId = spaceIds.get("GERMAN") ?? "";
  await editAs(as, { spaceId }, edit);
  await indexMissing(app.database, { of: { spaceIds: [spaceId], revisionIds: [] } });
  const [hits = []] = await searchAll([{ search: "anfang", language: "GERMAN" }]);
  expect(hits.map(({ title }) => title)).toEqual(["Everything"]);
});
