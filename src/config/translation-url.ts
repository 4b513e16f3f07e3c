// The setting TRANSLATION_URL: the kind of the translation engine and its address.

/** The translation engine as `TRANSLATION_URL` specifies it. */
export interface TranslationAddress {
  readonly kind: "apertium" | "libretranslate" | "openai";
  /** Of http or https, without a slash at the end. */
  readonly url: string;
  /** The model, for chat completions only. */
  readonly model?: string;
}

/** Reads `apertium+http://host`, `libretranslate+https://host` or `openai+https://host/v1?model=name`, else null. */
export function readTranslationUrl(text: string): TranslationAddress | null {
  const [, kind, address = ""] = /^(apertium|libretranslate|openai)\+(https?:\/\/.+)$/.exec(text) ?? [];
  const url = URL.parse(address);
  if (!kind || !url || url.username !== "" || url.password !== "" || url.hash !== "") return null;
  const model = url.searchParams.get("model") ?? "";
  const isModelOnly = [...url.searchParams.keys()].every((name) => name === "model");
  if (!isModelOnly || (kind === "openai") !== (model !== "")) return null;
  url.search = "";
  const engine = kind as TranslationAddress["kind"]; // the pattern admits only these
  return { kind: engine, url: url.href.replace(/\/+$/, ""), ...(model !== "" && { model }) };
}
