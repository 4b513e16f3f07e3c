// The sections of the benchmark other than the cases.
import { measureAppPages } from "#test/bench/app.ts";
import { measureContent } from "#test/bench/content/section.ts";
import { measureEditing } from "#test/bench/editing.ts";
import { measureFirstRuns } from "#test/bench/first-runs.ts";
import { measureFanOut } from "#test/bench/live/fan-out.ts";
import { measureGrowth } from "#test/bench/growth.ts";
import { measureIntegrations } from "#test/bench/integrations.ts";
import { measureOutbox } from "#test/bench/outbox.ts";
import { measureSearch } from "#test/bench/search.ts";
import { measureSize } from "#test/bench/size.ts";
import { measureReader } from "#test/bench/reader.ts";
import { measureMonitoring } from "#test/bench/monitoring.ts";
import { measureMemory } from "#test/bench/memory.ts";
import { measureWorkers } from "#test/bench/workers.ts";

/** Options of a section. */
export interface SectionOptions {
  /** The URL of the database with the generated data; sections make their own databases on the same server. */
  readonly databaseUrl: string;
  readonly postmaster: number;
  /** The duration of the load of (memory), in seconds. */
  readonly duration: number;
  readonly say: (line: string) => void;
}

export interface Section {
  readonly key: string;
  readonly title: string;
  /** Whether it reads the generated data. */
  readonly readsData: boolean;
  /** Whether it is skipped unless requested. */
  readonly isLong?: true;
  /** The section for the results, and its missed targets. */
  readonly measure: (options: SectionOptions) => Promise<{ text: string; missed: readonly string[] }>;
}

export const sections: readonly Section[] = [
  {
    key: "first",
    title: "what the first run of a document costs",
    readsData: true,
    measure: measureFirstRuns,
  },
  {
    key: "content",
    title: "what merges, reads and revisions of content cost",
    readsData: false,
    measure: ({ databaseUrl, say }) => measureContent(databaseUrl, say),
  },
  {
    key: "search",
    title: "finding three words among 100,000 pages, and indexing them",
    readsData: false,
    measure: ({ databaseUrl, say }) => measureSearch(databaseUrl, say),
  },
  {
    key: "integrations",
    title: "events through scripts of integrations",
    readsData: false,
    measure: ({ databaseUrl, say }) => measureIntegrations(databaseUrl, say),
  },
  {
    key: "editing",
    title: "40 people who edit one space of 5,000 pages, and what others notice",
    readsData: false,
    measure: ({ databaseUrl, say }) => measureEditing(databaseUrl, say),
  },
  {
    key: "page",
    title: "a page of a published site beside a static file server",
    readsData: false,
    measure: ({ databaseUrl, postmaster, say }) => measureReader(databaseUrl, postmaster, say),
  },
  {
    key: "app",
    title: "pages of the application: statements, bytes and time",
    readsData: false,
    measure: ({ databaseUrl, say }) => measureAppPages(databaseUrl, say),
  },
  {
    key: "growth",
    title: "what requests take at 10 to 10,000 pages, comments and change requests",
    readsData: false,
    measure: ({ databaseUrl, say }) => measureGrowth(databaseUrl, say),
  },
  {
    key: "size",
    title: "lists of an organization of a million members; only when it is named",
    readsData: false,
    isLong: true,
    measure: ({ databaseUrl, say }) => measureSize(databaseUrl, say),
  },
  {
    key: "outbox",
    title: "six million events: their size and removal, and what looks and writes notice; only when it is named",
    readsData: false,
    isLong: true,
    measure: ({ databaseUrl, say }) => measureOutbox(databaseUrl, say),
  },
  {
    key: "live",
    title: "many subscribers on one process, against stock alone",
    readsData: false,
    measure: ({ databaseUrl, say }) => measureFanOut(databaseUrl, say),
  },
  {
    key: "watching",
    title: "what metrics and traces cost (d)",
    readsData: true,
    measure: measureMonitoring,
  },
  {
    key: "memory",
    title: "memory of the gateway under (d) at 2,000 requests a second; only when it is named",
    readsData: true,
    isLong: true,
    measure: measureMemory,
  },
  {
    key: "workers",
    title: "one to eight workers on one port: what they answer, share and cost; only when it is named",
    readsData: true,
    isLong: true,
    measure: measureWorkers,
  },
];
