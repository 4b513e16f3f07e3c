// Texts that are slow to compare and quick to parse: one code block with the same lines, each time in another order.
import { times } from "#test/support/world.ts";

/** A code block with this number of lines; those of two seeds have the same lines. */
export function hardText(seed: number, count: number): string {
  const lines = times(count, (index) => `l${index}\n`);
  let state = seed;
  for (let index = count - 1; index > 0; index--) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    const other = state % (index + 1);
    [lines[index], lines[other]] = [lines[other] ?? "", lines[index] ?? ""];
  }
  return `\`\`\`\n${lines.join("")}\`\`\`\n`;
}
