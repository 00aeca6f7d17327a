import { localDay, type LocalDay } from '#contract/period.ts'

/** The first and the last day of a month (YYYY-MM). */
export function daysOfMonth(month: string): { start_date: LocalDay; end_date: LocalDay } {
  const [year = 0, number = 1] = month.split('-').map(Number)
  return {
    start_date: `${month}-01`,
    end_date: new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10),
  }
}

/**
 * The months from the first to the last day with data that have ended in the region's time zone, newest
 * first.
 */
export function endedMonths(first: LocalDay, last: LocalDay, at: Date, zone: string): string[] {
  const currentMonth = localDay(at, zone).slice(0, 7)
  const months: string[] = []
  for (
    let [year = 0, number = 1] = first.split('-').map(Number);
    ;
    number === 12 ? ([year, number] = [year + 1, 1]) : number++
  ) {
    const month = `${String(year).padStart(4, '0')}-${String(number).padStart(2, '0')}`
    if (month > last.slice(0, 7) || month >= currentMonth) return months.reverse()
    months.push(month)
  }
}

/** The months within the published range; null means no limit. */
export const publishedMonths = (
  months: readonly string[],
  { from, until }: { from: string | null; until: string | null },
): string[] =>
  months.filter((month) => (from === null || month >= from) && (until === null || month <= until))
