import { civilClock } from '#contract/civil-clock.ts'
import { dayFromNumber, dayMs, dayNumber, getWeekday, type LocalDay } from '#contract/period.ts'
import type { ReportCadence } from '#contract/report-schedules.ts'

/** When a schedule runs. */
export interface DueDates {
  cadence: ReportCadence
  /** ISO weekday of a weekly schedule, day of the month of a monthly one. */
  day: number
  timezone: string
}

/** Local hour at which reports are sent; by then most late records of the previous day have arrived. */
const sendHour = 7

/** The local days of a report, both included, and the period with which it is compared. */
export interface ReportPeriod {
  start_date: LocalDay
  end_date: LocalDay
  compare_start_date: LocalDay
  compare_end_date: LocalDay
}

/** Returns the first day number and the length in days of the month `months` after that of a day number. */
function getMonth(day: number, months: number): { first: number; length: number } {
  const date = new Date(day * dayMs)
  const getFirstOfMonth = (offset: number): number =>
    Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + offset, 1) / dayMs
  const first = getFirstOfMonth(months)
  return { first, length: getFirstOfMonth(months + 1) - first }
}

/** Whether a schedule runs on a day number. A day beyond the end of a month means its last day. */
const isDueOn = ({ cadence, day }: DueDates, candidate: number): boolean => {
  if (cadence === 'weekly') return getWeekday(dayFromNumber(candidate)) === day
  const { first, length } = getMonth(candidate, 0)
  return candidate === first + Math.min(day, length) - 1
}

/** Returns the first time after `after` at which a schedule runs, ms. */
export function findNextDue(dates: DueDates, after: number): number {
  const clock = civilClock(dates.timezone)
  for (let day = clock.local(after).day; ; day++) {
    const sendTime = clock.instant(day, sendHour * 3600).ms
    if (sendTime > after && isDueOn(dates, day)) return sendTime
  }
}

/** Returns the period of a run at `runMs`: the last seven days or the last month before its local day. */
export function getReportPeriod({ cadence, timezone }: DueDates, runMs: number): ReportPeriod {
  const today = civilClock(timezone).local(runMs).day
  const { first, length } = cadence === 'weekly' ? { first: today - 7, length: 7 } : getMonth(today, -1)
  return addComparedPeriod(cadence, dayFromNumber(first), dayFromNumber(first + length - 1))
}

/** Returns a period with the one with which it is compared: the seven days, or the month, before it. */
export function addComparedPeriod(
  cadence: ReportCadence,
  start_date: LocalDay,
  end_date: LocalDay,
): ReportPeriod {
  const firstDay = dayNumber(start_date)
  const compared = cadence === 'weekly' ? { first: firstDay - 7, length: 7 } : getMonth(firstDay, -1)
  return {
    start_date,
    end_date,
    compare_start_date: dayFromNumber(compared.first),
    compare_end_date: dayFromNumber(compared.first + compared.length - 1),
  }
}
