// The change requests of the demo: what was proposed where, and what became of it.
import type { PersonName } from "#src/demo/people.ts";
import type { SpaceName } from "#src/demo/spaces.ts";
import type { ChangeRequestStatus } from "#src/generated/prisma/enums.ts";

/** A day of the story and a time of day. */
export type Moment = readonly [day: number, time: `${number}:${number}`];

/** A direct edit of the main content. */
export interface EditPlan {
  readonly by: PersonName;
  readonly at: Moment;
  readonly edit: string;
}

export interface ChangePlan {
  readonly by: PersonName;
  readonly at: Moment;
  /** The subject. */
  readonly change: string;
  /** When its own content was last edited, if it has been since it was opened. */
  readonly edited?: Moment;
  /** When it last took in the main content. */
  readonly updated?: Moment;
  /** How it stands, or when it was merged. */
  readonly now: Exclude<ChangeRequestStatus, "merged"> | { merged: Moment; by: PersonName };
}

/** Told in any order: the calendar decides. Numbers count in the order in which change requests were opened. */
export const histories: Partial<Record<SpaceName, readonly (EditPlan | ChangePlan)[]>> = {
  gettingStarted: [
    { by: "mara", at: [6, "9:10"], edit: "Outline of the first hour" },
    { by: "jonas", at: [12, "13:40"], edit: "Install the desktop application" },
    {
      by: "tomas",
      at: [20, "9:05"],
      change: "Rewrite the introduction for field crews",
      edited: [23, "15:12"],
      now: { merged: [27, "10:30"], by: "priya" },
    },
    {
      by: "elif",
      at: [41, "11:20"],
      change: "Screenshots of the new setup wizard",
      edited: [44, "9:45"],
      now: { merged: [48, "16:05"], by: "mara" },
    },
    { by: "tomas", at: [80, "8:50"], change: "Explain time zones on the first page", now: "archived" },
    {
      by: "elif",
      at: [150, "10:00"],
      change: "Shorter quick start: one device, one reading",
      edited: [155, "14:25"],
      updated: [201, "9:00"],
      now: { merged: [203, "11:40"], by: "priya" },
    },
    { by: "priya", at: [188, "12:00"], edit: "Correct the download link" },
    { by: "tomas", at: [196, "9:30"], change: "Describe offline mode", edited: [199, "17:02"], now: "open" },
    {
      by: "elif",
      at: [230, "13:15"],
      change: "Link every step to its error codes",
      edited: [238, "10:48"],
      updated: [239, "8:55"],
      now: "open",
    },
    { by: "jonas", at: [244, "15:30"], change: "Draft: setup without an account", now: "draft" },
  ],
  calibration: [
    { by: "jonas", at: [9, "10:00"], edit: "Import of the paper handbook, chapters 1 to 4" },
    {
      by: "priya",
      at: [70, "9:15"],
      change: "Temperature tables in kelvin and Celsius",
      now: { merged: [77, "9:40"], by: "jonas" },
    },
    {
      by: "tomas",
      at: [218, "14:00"],
      change: "Yearly check of the reference sensor",
      edited: [221, "11:11"],
      now: "open",
    },
  ],
  tideGauge: [
    { by: "tomas", at: [15, "9:00"], edit: "Mounting the bracket" },
    { by: "elif", at: [33, "9:00"], edit: "Cleaning and storage" },
    {
      by: "tomas",
      at: [90, "10:10"],
      change: "Replace the wiring diagram",
      now: { merged: [92, "15:55"], by: "priya" },
    },
    { by: "elif", at: [210, "9:20"], change: "Battery life in cold water", now: "draft" },
    { by: "tomas", at: [214, "16:45"], change: "Old firmware: move to an appendix", now: "archived" },
    { by: "elif", at: [241, "9:35"], change: "Table of spare parts", edited: [242, "10:02"], now: "open" },
  ],
  waveBuoy: [
    { by: "priya", at: [35, "9:00"], edit: "First edition" },
    { by: "ines", at: [226, "10:40"], change: "Mooring in strong currents", edited: [232, "18:30"], now: "open" },
  ],
  apiReference: [
    { by: "jonas", at: [18, "9:00"], edit: "Reading and writing measurements" },
    {
      by: "jonas",
      at: [100, "9:00"],
      change: "Document paging and its limits",
      now: { merged: [104, "13:20"], by: "mara" },
    },
    { by: "priya", at: [190, "10:00"], change: "Examples in three languages", updated: [205, "10:00"], now: "open" },
    { by: "jonas", at: [206, "9:00"], edit: "Version 2 of the measurements endpoint" },
    { by: "elif", at: [236, "9:50"], change: "Errors of version 2", now: "draft" },
  ],
  errorCodes: [
    { by: "elif", at: [52, "9:00"], change: "Codes E40 to E49", now: { merged: [54, "9:30"], by: "priya" } },
  ],
  handbook: [
    { by: "mara", at: [8, "9:00"], edit: "Tone and terms" },
    {
      by: "elif",
      at: [140, "9:00"],
      change: "Write dates as day, month, year",
      now: { merged: [141, "9:00"], by: "mara" },
    },
    { by: "tomas", at: [224, "12:30"], change: "When to use a table", now: "open" },
  ],
  runbooks: [{ by: "dana", at: [60, "9:00"], change: "What to do when a buoy falls silent", now: "archived" }],
  launch: [{ by: "mara", at: [235, "9:00"], change: "Checklist for the spring release", now: "draft" }],
  manual: [
    { by: "ravi", at: [64, "9:00"], edit: "Start of the manual" },
    {
      by: "mara",
      at: [110, "9:00"],
      change: "Installation from packages",
      now: { merged: [115, "19:10"], by: "ravi" },
    },
    { by: "ravi", at: [228, "20:00"], change: "A chapter on plotting", now: "open" },
  ],
};
