// The worker that reads Markdown for an import: texts made to take long hold up nothing but themselves here, and it can be ended.
import { serveTasks } from "#src/base/threads.ts";
import { readPageText } from "#src/features/content/commands/import/page-text.ts";
import { readSummary } from "#src/features/content/commands/import/summary.ts";

const tasks = { page: readPageText, summary: readSummary };

type Tasks = typeof tasks;
export type Task = keyof Tasks;
export type Result<Name extends Task> = ReturnType<Tasks[Name]>;
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
