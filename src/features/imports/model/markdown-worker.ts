// The worker that reads Markdown for an import: a text made to be slow holds up only itself here, and can be stopped.
import { serveTasks } from "#src/runtime/threads.ts";
import { type Task, tasks } from "#src/features/imports/model/text-reader.ts";

export type Answer = { readonly result: unknown } | { readonly problem: string };

export interface Asked {
  readonly task: Task;
  readonly text: string;
}

serveTasks(({ task, text }: Asked): Answer => {
  try {
    return { result: tasks[task](text) };
  } catch (error) {
    if (error instanceof RangeError) return { problem: "is nested too deeply." }; // the call stack is full
    throw error;
  }
});
