import { sql } from '#server/stores/sql.ts'
import type { DayRule } from '../day-rule.ts'
import { type DayFigure, type Measuring, spanOf } from '../measuring.ts'
import { speedRows } from '../queries/speed-rows.ts'
import { knownSpeeds } from '../speeds/known-speeds.ts'
import { countEvents } from './count-events.ts'

/** Units of a rule in one m/s: 1 mi = 1609.344 m. */
export const perMetreSecond = (unit: string | null): number => (unit === 'mph' ? 3600 / 1609.344 : 3.6)

/** The limit in m/s; null: none. */
export const fastest = ({ policy: { maximum, unit } }: DayRule): number | null => (maximum === null ? null : maximum / perMetreSecond(unit))

/** Places of rides in each ground that were passed too fast. */
export async function measureSpeeding(measuring: Measuring): Promise<DayFigure[]> {
  const { facts, scope, asked, rule, windows, signal } = measuring
  const [limit, span] = [fastest(rule), spanOf(windows)]
  if (limit === null) return []
  return countEvents(measuring, speedRows(asked, span, await knownSpeeds(facts, scope, asked.regionId, span, signal), limit), sql`true`)
}
