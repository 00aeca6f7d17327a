import { civilClock } from '#contract/civil-clock.ts'
import { dayFromNumber, dayNumber, type LocalDay, weekdayOf } from '#contract/period.ts'
import type { ReportCadence } from '#contract/report-schedules.ts'

/** When a schedule runs: every week on an ISO weekday, or every month on a day. */
export interface DueDates {
  cadence: ReportCadence
  day: number
  timezone: string
}

/** Local hour at which reports are sent: the day before is over, and its late records are mostly there. */
const sendHour = 7

/** The local days of a report, both included, and those before to compare with. */
export interface ReportPeriod {
  start_date: LocalDay
  end_date: LocalDay
  compare_start_date: LocalDay
  compare_end_date: LocalDay
}

/** A day of the year and month that contain a day number, moved by months. */
function monthOf(day: number, months: number): { first: number; length: number } {
  const date = new Date(day * 86_400_000)
  const at = (more: number): number =>
    Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months + more, 1) / 86_400_000
  return { first: at(0), length: at(1) - at(0) }
}

const isDueDay = ({ cadence, day }: DueDates, number: number): boolean => {
  if (cadence === 'weekly') return weekdayOf(dayFromNumber(number)) === day
  const { first, length } = monthOf(number, 0)
  return number === first + Math.min(day, length) - 1
}

/** The first moment after another (ms) at which a schedule runs. */
export function nextDue(dates: DueDates, after: number): number {
  const clock = civilClock(dates.timezone)
  for (let day = clock.local(after).day; ; day++) {
    const moment = clock.instant(day, sendHour * 3600).ms
    if (moment > after && isDueDay(dates, day)) return moment
  }
}

/**
 * The period of a run at a moment (ms): the seven days before a weekly one, the month before a monthly one. It ends before the local day
 * of the moment.
 */
export function periodOf({ cadence, timezone }: DueDates, at: number): ReportPeriod {
  const today = civilClock(timezone).local(at).day
  const span = (first: number, length: number): [LocalDay, LocalDay] => [
    dayFromNumber(first),
    dayFromNumber(first + length - 1),
  ]
  const [now, before] =
    cadence === 'weekly'
      ? [span(today - 7, 7), span(today - 14, 7)]
      : [-1, -2].map((months) => {
          const { first, length } = monthOf(today, months)
          return span(first, length)
        })
  const [start_date = '', end_date = ''] = now ?? []
  const [compare_start_date = '', compare_end_date = ''] = before ?? []
  return { start_date, end_date, compare_start_date, compare_end_date }
}

/** The days of a period with those to compare it with: as many days before, or the month before. */
export function comparedWith(cadence: ReportCadence, start_date: LocalDay, end_date: LocalDay): ReportPeriod {
  const first = dayNumber(start_date)
  const before = cadence === 'weekly' ? { first: first - 7, length: 7 } : monthOf(first, -1)
  return {
    start_date,
    end_date,
    compare_start_date: dayFromNumber(before.first),
    compare_end_date: dayFromNumber(before.first + before.length - 1),
  }
}
