// Creates the engine of the settings.
import type { TranslationAddress } from "#src/config/translation-url.ts";
import { apertiumEngine } from "#src/features/translations/commands/engines/apertium.ts";
import type { EngineWay } from "#src/features/translations/commands/engines/engine-client.ts";
import { chatEngine } from "#src/features/translations/commands/engines/chat.ts";
import { libreTranslateEngine } from "#src/features/translations/commands/engines/libretranslate.ts";
import type { Engine } from "#src/base/translator.ts";
import { createSafeFetch } from "#src/net/safe-fetch.ts";

/** The settings `TRANSLATION_URL` and `TRANSLATION_KEY`. */
export type TranslationSettings = TranslationAddress & { readonly key?: string };

/** The engine at an address, whose host may be in a private network, since the operator has named it. */
export function engineOf(
  { kind, url, model = "", key }: TranslationSettings,
  way: Pick<EngineWay, "wait"> = {},
): Engine {
  const fetch = createSafeFetch({ allowedHosts: [new URL(url).hostname.replaceAll(/[[\]]/g, "")] });
  const secret = key === undefined ? {} : { key };
  switch (kind) {
    case "apertium":
      return apertiumEngine(url, { ...way, fetch });
    case "libretranslate":
      return libreTranslateEngine({ url, ...secret }, { ...way, fetch });
    case "openai":
      return chatEngine({ url, model, ...secret }, { ...way, fetch });
  }
}
