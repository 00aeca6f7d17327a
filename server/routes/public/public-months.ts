import { localDay, type LocalDay, splitByMonth, startOfMonth } from '#contract/period.ts'

/**
 * Returns the months from the first to the last day with data that have ended in the region's time zone,
 * newest first.
 */
export function listEndedMonths(first: LocalDay, last: LocalDay, at: Date, timezone: string): string[] {
  const currentMonth = startOfMonth(localDay(at, timezone))
  return splitByMonth({ start_date: first, end_date: last })
    .filter(({ month }) => month < currentMonth)
    .map(({ month }) => month.slice(0, 7))
    .toReversed()
}

/** Returns the months (`2026-02`) within the published range; null means no limit. */
export const filterPublishedMonths = (
  months: readonly string[],
  { from, until }: { from: string | null; until: string | null },
): string[] =>
  months.filter((month) => (from === null || month >= from) && (until === null || month <= until))
