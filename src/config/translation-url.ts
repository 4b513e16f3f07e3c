// The setting TRANSLATION_URL: which engine translates, and where it is.

type TranslationEngineKind = "apertium" | "libretranslate" | "openai";

/** Where the engine of translations is, as `TRANSLATION_URL` says it. */
export interface TranslationAddress {
  readonly kind: TranslationEngineKind;
  /** Of http or https, without a slash at the end. */
  readonly url: string;
  /** Of chat completions only: the model that is asked. */
  readonly model?: string;
}

/**
 * Reads `apertium+http://host`, `libretranslate+https://host`, `openai+https://host/v1?model=name`; null if invalid.
 */
export function readTranslationUrl(text: string): TranslationAddress | null {
  const [, kind, address = ""] = /^(apertium|libretranslate|openai)\+(https?:\/\/.+)$/.exec(text) ?? [];
  const url = URL.parse(address);
  if (!kind || !url || url.username !== "" || url.password !== "" || url.hash !== "") return null;
  const model = url.searchParams.get("model") ?? "";
  const isModelOnly = [...url.searchParams.keys()].every((name) => name === "model");
  if (!isModelOnly || (kind === "openai") !== (model !== "")) return null;
  url.search = "";
  return {
    kind: kind as TranslationEngineKind, // the form has these only
    url: url.href.replace(/\/+$/, ""),
    ...(model !== "" && { model }),
  };
}
