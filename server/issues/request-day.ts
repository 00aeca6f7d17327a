import type { AliasableExpression, ExpressionBuilder } from 'kysely'
import { civilClock } from '#contract/civil-clock.ts'
import { dayNumber } from '#contract/period.ts'
import type { StateTables } from '#server/stores/state-tables.ts'
import type { DaySpan } from './asked-days.ts'

/** The local day of a request in days since 1970-01-01, of requests within the span. Days begin where those of the filters do, whatever the store knows of zones. */
export function requestDay(
  { first, last }: DaySpan,
  timezone: string,
): (is: ExpressionBuilder<StateTables, 'issue'>) => AliasableExpression<number> {
  const clock = civilClock(timezone)
  const from = dayNumber(first)
  const starts = Array.from(
    { length: dayNumber(last) - from + 1 },
    (_, at) => new Date(clock.instant(from + at, 0).ms),
  )
  return (is) => is(is.fn<number>('width_bucket', ['requested_time', is.val(starts)]), '+', from - 1)
}
