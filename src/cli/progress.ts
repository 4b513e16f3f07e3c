// Progress of commands that take long, on the error output, so that the output has the outcome alone.

/** Prints what it is given, a line a second at most. */
export function sayProgress(): (sentence: string) => void {
  let last = performance.now();
  return (sentence) => {
    if (performance.now() - last < 1000) return;
    last = performance.now();
    process.stderr.write(`${sentence}\n`);
  };
}

/** A size for people, such as `12.3 MB`. */
export function sizeOf(bytes: number): string {
  const [unit, of] = bytes < 1e9 ? ["MB", 1e6] : ["GB", 1e9];
  return `${(bytes / Number(of)).toFixed(1)} ${unit}`;
}
