import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import type { IssueFilters } from '#contract/issues.ts'
import type { StateTables } from '#server/stores/state-tables.ts'
import { startOfDay } from '#contract/civil-clock.ts'
import { dayFromNumber, dayNumber } from '#contract/period.ts'

/** No issue is outside of these days; the state store rejects timestamps far beyond. */
const [first, last] = [dayNumber('1700-01-01'), dayNumber('2299-12-31')]

/** The start of a local day, or of one some days later. */
export const dayStart = (day: string, timezone: string, laterDays = 0): Date =>
  new Date(startOfDay(dayFromNumber(Math.min(last, Math.max(first, dayNumber(day) + laterDays))), timezone))

/** The filters of a request as a condition; days are those of the time zone. */
export const issueConditions =
  (filters: IssueFilters, timezone: string) =>
  (is: ExpressionBuilder<StateTables, 'issue'>): Expression<SqlBool> => {
    const { service_code: codes, status, start_date: first, end_date: last, resolution_time: hours } = filters
    const all: Expression<SqlBool>[] = []
    if (codes)
      all.push(
        is(
          'service_code',
          'in',
          codes.split(',').map((code) => code.trim()),
        ),
      )
    if (status) all.push(is('status', '=', status))
    if (first) all.push(is('requested_time', '>=', dayStart(first, timezone)))
    if (last) all.push(is('requested_time', '<', dayStart(last, timezone, 1)))
    if (hours) all.push(is('resolution_hours', 'is not', null))
    if (hours?.over != null) all.push(is('resolution_hours', '>', hours.over))
    if (hours?.upTo != null) all.push(is('resolution_hours', '<=', hours.upTo))
    return is.and(all)
  }
