// What people say in the demo: comments on spaces and on change requests, about pages, parts of pages and table cells.
import type { Moment } from "#src/demo/story.ts";
import type { PersonName } from "#src/demo/people.ts";
import type { SpaceName } from "#src/demo/spaces.ts";

export interface Said {
  readonly by: PersonName;
  readonly at: Moment;
  readonly text: string;
  readonly edited?: Moment;
  readonly reactions?: Readonly<Record<string, readonly PersonName[]>>;
}

export interface CommentPlan extends Said {
  readonly in: SpaceName;
  /** Number of the change request that it is on; without it, it is on the space. */
  readonly on?: number;
  /** What it is about, when it is not the whole: a page, a part of a page, a cell of a table on a page. */
  readonly about?: {
    readonly page: string;
    /** What the part begins with. */
    readonly node?: string;
    /** What the row begins with, and the head of the column. */
    readonly cell?: readonly [row: string, column: string];
  };
  /** Whether it belongs to the review of whoever posted it. */
  readonly inReview?: true;
  readonly resolved?: { readonly by: PersonName; readonly at: Moment };
  readonly replies?: readonly Said[];
}

export const comments: readonly CommentPlan[] = [
  {
    in: "gettingStarted",
    on: 1,
    by: "priya",
    at: [21, "10:02"],
    text: "Good start. Could the first paragraph say **who** this is for?",
    resolved: { by: "tomas", at: [23, "15:20"] },
    replies: [
      {
        by: "tomas",
        at: [21, "13:37"],
        text: "It does now: crews who install the device themselves.",
        reactions: { "🎉": ["priya"] },
      },
      { by: "mara", at: [22, "8:15"], text: "Much clearer, thank you." },
    ],
  },
  {
    in: "gettingStarted",
    on: 2,
    by: "noor",
    at: [43, "9:00"],
    text: "The second screenshot still shows the old logo.",
    about: { page: "wizard" },
    resolved: { by: "elif", at: [44, "9:46"] },
  },
  {
    in: "gettingStarted",
    on: 5,
    by: "noor",
    at: [197, "14:20"],
    text: "How long does the device keep readings while it is offline?",
    about: { page: "offline", node: "The device stores readings" },
    reactions: { "👀": ["tomas", "jonas"], "👍": ["elif"] },
    replies: [{ by: "tomas", at: [198, "9:00"], text: "30 days at one reading a minute. I add a table." }],
  },
  {
    in: "gettingStarted",
    on: 5,
    by: "priya",
    at: [198, "10:12"],
    inReview: true,
    text: "And which readings are lost when it is full?",
    about: { page: "offline", node: "The device stores readings" },
    resolved: { by: "tomas", at: [199, "17:04"] },
  },
  {
    in: "gettingStarted",
    on: 5,
    by: "priya",
    at: [200, "11:00"],
    text: "In the table, please give days *and* number of readings.",
    about: { page: "offline", cell: ["1 in 10 min", "Capacity"] },
    edited: [200, "11:04"],
  },
  {
    in: "gettingStarted",
    on: 5,
    by: "jonas",
    at: [245, "8:30"],
    text: "The main content has moved on; update before I review again.",
  },
  {
    in: "gettingStarted",
    on: 6,
    by: "mara",
    at: [240, "17:45"],
    text: "Nice idea. Does every error code have an anchor?",
    replies: [
      { by: "elif", at: [241, "8:05"], text: "All but `E17`, which has no page yet." },
      {
        by: "mara",
        at: [241, "8:40"],
        text: "Then leave it out for now.",
        edited: [241, "8:41"],
        reactions: { "👍": ["elif"] },
      },
    ],
  },
  {
    in: "gettingStarted",
    by: "sam",
    at: [112, "10:30"],
    text: "The download page loads slowly in our office.",
    about: { page: "install" },
    resolved: { by: "jonas", at: [113, "9:00"] },
  },
  {
    in: "gettingStarted",
    by: "noor",
    at: [222, "15:00"],
    text: "Customers ask for this page as a PDF.",
    about: { page: "first-reading" },
    reactions: { "👍": ["mara", "elif", "tomas"], "❤️": ["sam"] },
  },
  {
    in: "calibration",
    on: 2,
    by: "priya",
    at: [219, "9:30"],
    text: "Which reference sensor: the one in the kit or ours?",
    about: { page: "yearly-check" },
    replies: [{ by: "tomas", at: [221, "11:12"], text: "The one in the kit; changed the title." }],
  },
  { in: "calibration", by: "jonas", at: [180, "9:00"], text: "Chapter 5 exists on paper only. Who scans it?" },
  {
    in: "tideGauge",
    on: 4,
    by: "noor",
    at: [242, "9:00"],
    text: "Please sort by part number.",
    about: { page: "spare-parts", cell: ["Clamp", "Number"] },
  },
  {
    in: "tideGauge",
    by: "otto",
    at: [233, "6:50"],
    text: "Step 4 needs a second person on board. Worth a warning?",
    about: { page: "mounting", node: "Lift the gauge onto the bracket" },
    reactions: { "👍": ["tomas"] },
    replies: [{ by: "tomas", at: [234, "9:10"], text: "Yes! Added to my list." }],
  },
  {
    in: "waveBuoy",
    on: 1,
    by: "priya",
    at: [229, "16:00"],
    text: "Where do the numbers for 3 knots come from?",
    replies: [
      {
        by: "ines",
        at: [232, "18:31"],
        text: "From the trials in May, see the last page.",
        reactions: { "👍": ["priya"], "👀": ["mara"] },
      },
    ],
  },
  {
    in: "waveBuoy",
    by: "ines",
    at: [227, "9:00"],
    text: "I can see this space, but not the one on tide gauges. Is that on purpose?",
    resolved: { by: "mara", at: [227, "12:00"] },
    replies: [{ by: "mara", at: [227, "11:58"], text: "It is; tell me when you need it." }],
  },
  {
    in: "apiReference",
    on: 2,
    by: "jonas",
    at: [192, "10:00"],
    text: "The third language should be the one that our customers use most.",
    reactions: { "👍": ["priya"] },
  },
  {
    in: "apiReference",
    by: "elif",
    at: [237, "10:10"],
    text: "`limit` is explained twice on this page.",
    about: { page: "paging", node: "limit: at most 1000" },
  },
  { in: "handbook", on: 2, by: "elif", at: [225, "9:00"], text: "I would add: never for a single column." },
  {
    in: "handbook",
    by: "noor",
    at: [130, "9:00"],
    text: "Is it *log in* or *sign in*?",
    resolved: { by: "mara", at: [130, "9:20"] },
    replies: [{ by: "mara", at: [130, "9:19"], text: "Sign in." }],
  },
  {
    in: "manual",
    on: 2,
    by: "june",
    at: [229, "21:15"],
    text: "Can the examples use the public tide data?",
    replies: [{ by: "ravi", at: [230, "19:00"], text: "Good idea, they will." }],
  },
  {
    in: "manual",
    by: "june",
    at: [243, "20:30"],
    text: "The search does not find *harmonics*.",
    reactions: { "👀": ["ravi", "mara"] },
  },
];
