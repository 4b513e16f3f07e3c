// Names of code as words of a sentence.

/** `changeRequest` is a "change request". */
export function inWords(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}
