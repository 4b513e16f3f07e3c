// The style of PDFs: sizes in points, and colours.

/** A4 with its margins. */
export const sheet = { width: 595.28, height: 841.89, left: 64, top: 70, right: 64, bottom: 66 } as const;

export const room = {
  width: sheet.width - sheet.left - sheet.right,
  height: sheet.height - sheet.top - sheet.bottom,
} as const;

export const colours = {
  text: "#1f2937",
  strong: "#0f172a",
  muted: "#64748b",
  faint: "#94a3b8",
  line: "#dbe1ea",
  wash: "#f5f7fa",
  accent: "#2563eb",
  link: "#1d4ed8",
} as const;

export const lineHeight = 1.18;

/** The height of a line: that of Noto Sans is 1.362 for a size of 1. */
export const lineOf = (size: number): number => 1.362 * lineHeight * size;

/** By the level of pages; deeper levels share the last. */
export const titleSizes = [24, 18, 15.5, 14] as const;
export const headingSizes = [15, 13.5, 12, 11, 10.5, 10] as const;
export const bodySize = 10;
export const tableSize = 9;
export const codeSize = 8.5;
export const smallSize = 8.5;

/** The height of content that must follow a heading on its sheet. */
export const keptWithHeading = 44;

/** By kind of hint: the colour of the line beside it, the background, and the label. */
export const hintLooks = {
  note: { line: "#2563eb", wash: "#eff5ff", name: "Note" },
  success: { line: "#16a34a", wash: "#effaf2", name: "Success" },
  tip: { line: "#16a34a", wash: "#effaf2", name: "Tip" },
  important: { line: "#7c3aed", wash: "#f6f2fe", name: "Important" },
  warning: { line: "#d97706", wash: "#fff8eb", name: "Warning" },
  caution: { line: "#dc2626", wash: "#fef2f2", name: "Caution" },
  danger: { line: "#dc2626", wash: "#fef2f2", name: "Danger" },
} as const;
export type HintKind = keyof typeof hintLooks;
