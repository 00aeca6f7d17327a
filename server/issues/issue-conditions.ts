import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import type { IssueFilters } from '#contract/issues.ts'
import type { StateTables } from '#server/stores/state-tables.ts'
import { startOfDay } from '#contract/civil-clock.ts'
import { dayFromNumber, dayNumber } from '#contract/period.ts'

/** The range of days in conditions. No issue is outside; PostgreSQL rejects timestamps far beyond it. */
const minDay = dayNumber('1700-01-01')
const maxDay = dayNumber('2299-12-31')

/** Returns the start of a local day, or of the day `laterDays` after it. */
export const toDayStart = (day: string, timezone: string, laterDays = 0): Date =>
  new Date(
    startOfDay(dayFromNumber(Math.min(maxDay, Math.max(minDay, dayNumber(day) + laterDays))), timezone),
  )

/** Builds the condition for the filters of a request. Days are local days of the time zone. */
export const issueConditions =
  (filters: IssueFilters, timezone: string) =>
  (is: ExpressionBuilder<StateTables, 'issue'>): Expression<SqlBool> => {
    const { service_code: codes, status, start_date: first, end_date: last, resolution_time: hours } = filters
    const conditions: Expression<SqlBool>[] = []
    if (codes)
      conditions.push(
        is(
          'service_code',
          'in',
          codes.split(',').map((code) => code.trim()),
        ),
      )
    if (status) conditions.push(is('status', '=', status))
    if (first) conditions.push(is('requested_time', '>=', toDayStart(first, timezone)))
    if (last) conditions.push(is('requested_time', '<', toDayStart(last, timezone, 1)))
    if (hours) conditions.push(is('resolution_hours', 'is not', null))
    if (hours?.over != null) conditions.push(is('resolution_hours', '>', hours.over))
    if (hours?.upTo != null) conditions.push(is('resolution_hours', '<=', hours.upTo))
    return is.and(conditions)
  }
