// The code of the threads of `dimensions.ts`: measures one image.
import { serveTasks } from "#src/runtime/threads.ts";
import type { Dimensions, Image } from "#src/files/dimensions.ts";
import { measure } from "#src/files/measure.ts";

serveTasks(({ contentType, head }: Image): Dimensions | null => measure(contentType, head));
