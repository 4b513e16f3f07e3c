// Percent encoding, as the parts of a URL use it.

/** The text that a part of a URL stands for, or null when it is not percent-encoded UTF-8. */
export function percentDecoded(part: string): string | null {
  try {
    return decodeURIComponent(part);
  } catch {
    return null;
  }
}
