// The stories of what Harbour Instruments writes for itself, and of the spaces for its customers and partners.
import { type Story, text } from "#src/demo/story.ts";

export const handbook: Story = [
  {
    by: "mara",
    at: [8, "9:00"],
    edit: "Tone and terms",
    does: [
      {
        add: {
          name: "tone",
          title: "Tone",
          text: text`
            - Write to one person, who has cold hands.
            - Short sentences. One thought each.
            - Say what to do first, and why afterwards.
          `,
        },
      },
      {
        add: {
          name: "terms",
          title: "Terms",
          text: text`
            | We say     | We do not say |
            | ---------- | ------------- |
            | sign in    | log in        |
            | device     | unit          |
            | reading    | data point    |
          `,
        },
      },
    ],
  },
  {
    by: "elif",
    at: [140, "9:00"],
    change: "Write dates as day, month, year",
    does: [
      {
        add: {
          name: "dates",
          title: "Dates and numbers",
          text: text`
            Write dates as day, month, year: 5 May 2026. Never in numbers alone.

            Numbers have a point, and thin spaces from five digits on.
          `,
        },
      },
    ],
    now: { merged: [141, "9:00"], by: "mara" },
  },
  {
    by: "tomas",
    at: [224, "12:30"],
    change: "When to use a table",
    does: [
      {
        add: {
          name: "tables",
          title: "Tables",
          text: text`
            Use a table when things have the same three properties or more. Two properties are [a list](page:tone).
          `,
        },
        after: "terms",
      },
    ],
    now: "open",
  },
];

export const runbooks: Story = [
  {
    by: "jonas",
    at: [58, "9:00"],
    edit: "Who is called, and when",
    does: [
      {
        add: {
          name: "on-call",
          title: "On call",
          text: text`
            The one on call answers within 15 minutes, by day and by night. The list is in the calendar.
          `,
        },
      },
    ],
  },
  {
    by: "dana",
    at: [60, "9:00"],
    change: "What to do when a buoy falls silent",
    does: [
      {
        add: {
          name: "silent-buoy",
          title: "A buoy is silent",
          text: text`
            1. Wait for two hours: most come back by themselves.
            2. Look for its last position. More than 100 m off means that the mooring broke.
            3. Call the owner.
          `,
        },
      },
    ],
    now: "archived",
  },
];

export const knowledgeBase: Story = [
  {
    by: "noor",
    at: [45, "10:00"],
    edit: "The questions of the first month",
    does: [
      {
        add: {
          name: "questions",
          title: "Frequent questions",
          emoji: "❓",
          text: text`
            ## May the device freeze in?

            Yes, but its battery lasts half as long.

            ## Who sees my readings?

            You, and whom you invite.
          `,
        },
      },
    ],
  },
];

export const partners: Story = [
  {
    by: "priya",
    at: [94, "11:00"],
    edit: "Prices and contacts",
    does: [
      {
        add: {
          name: "start",
          title: "For partners",
          text: text`
            Orders before noon leave on the same day. Ask your contact for the price list of the year.
          `,
        },
      },
      { add: { name: "shop", title: "Shop", type: "link", target: "https://shop.example.com/harbour" } },
    ],
  },
];

export const launch: Story = [
  {
    by: "mara",
    at: [222, "9:00"],
    edit: "Dates of the spring release",
    does: [
      {
        add: {
          name: "dates",
          title: "Dates",
          text: text`
            - 12 January: last change of a text
            - 19 January: translations
            - 2 February: release
          `,
        },
      },
    ],
  },
  {
    by: "mara",
    at: [235, "9:00"],
    change: "Checklist for the spring release",
    does: [
      {
        add: {
          name: "checklist",
          title: "Checklist",
          text: text`
            - [x] Screenshots
            - [ ] Error codes linked
            - [ ] Announcement
          `,
        },
      },
    ],
    now: "draft",
  },
];

export const website: Story = [
  {
    by: "jonas",
    at: [7, "9:00"],
    edit: "Texts of the old website",
    does: [{ add: { name: "about", title: "About us", text: "Instruments for the sea, since the ferry was late.\n" } }],
  },
];
