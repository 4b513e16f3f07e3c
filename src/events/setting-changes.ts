// What an update of settings changes, as its event tells it.
import type { Fact, SettingChange } from "#src/events/event.ts";

/** How a setting is told: by its name in the interface, and, where that differs from the column, its value there. */
export type AuditedAs = string | readonly [field: string, show: (value: never) => Fact];

/** A stored value of an enumeration by its name in the interface. */
export const enumValue = (value: string | null): string | null =>
  value?.replaceAll(/([a-z])([A-Z])/g, "$1_$2").toUpperCase() ?? null;

/**
 * The settings in which `after` differs from `before`, in the order of `columns`, which names each audited one.
 * Columns that `after` does not have are not changed.
 */
export function settingChanges<Row extends object>(
  before: Row,
  after: Partial<Row>,
  columns: { readonly [Column in keyof Row]?: AuditedAs },
): SettingChange[] {
  return Object.entries(columns).flatMap(([column, as]) => {
    const name = column as keyof Row; // the keys of `columns` are columns
    const value = after[name];
    if (value === undefined || as === undefined) return [];
    const [field, show] =
      typeof as === "string" ? [as, (fact: Fact) => fact] : (as as [string, (fact: unknown) => Fact]);
    const change = { field, before: show(before[name] as never), after: show(value as never) };
    return JSON.stringify(change.before) === JSON.stringify(change.after) ? [] : [change];
  });
}
