// Words of texts, as stats and budgets count them.

/** How many words a text has in its language, placeholders left out. */
export function countWords(text: string, language: string): number {
  const plain = text.replaceAll(/<[^>]*>/g, " ");
  let words = 0;
  for (const { isWordLike } of new Intl.Segmenter(language, { granularity: "word" }).segment(plain))
    if (isWordLike) words++;
  return words;
}
