import { sql } from '#server/stores/sql.ts'
import type { DayRule } from '../day-rule.ts'
import { type DayFigure, type Measuring, spanOf } from '../measuring.ts'
import { ridesWithSpeed } from '../speeds/known-speeds.ts'
import { countEvents } from './count-events.ts'

/** Units of a rule in one m/s: 1 mi = 1609.344 m. */
export const perMetreSecond = (unit: string | null): number => (unit === 'mph' ? 3600 / 1609.344 : 3.6)

/** The limit in m/s; null: none. */
export const fastest = ({ policy: { maximum, unit } }: DayRule): number | null =>
  maximum === null ? null : maximum / perMetreSecond(unit)

/** Places of rides in each ground that were passed too fast. */
export async function measureSpeeding(measuring: Measuring): Promise<DayFigure[]> {
  const limit = fastest(measuring.rule)
  return limit === null
    ? []
    : countEvents(measuring, await ridesWithSpeed(measuring, spanOf(measuring.windows), limit), sql`true`)
}
