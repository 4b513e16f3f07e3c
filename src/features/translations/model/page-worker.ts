// What runs in the thread of `page-translator.ts`: one page at a time.
import { serveTasks } from "#src/runtime/threads.ts";
import type { PageTask } from "#src/features/translations/model/page-translator.ts";
import { fill, segmentsOf } from "#src/features/translations/model/segments.ts";

serveTasks(({ page, translations }: PageTask) => (translations ? fill(page, translations) : segmentsOf(page)));
