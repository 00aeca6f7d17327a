import { bind, type Sql, sql } from '#server/stores/sql.ts'
import type { DayRule } from '../day-rule.ts'
import { type DayFigure, type Measuring, spanOf } from '../measuring.ts'
import { speedRows } from '../queries/fact-rows.ts'
import { countEvents } from './count-events.ts'

/** Units of a rule in one m/s: 1 mi = 1609.344 m. */
export const perMetreSecond = (unit: string | null): number => (unit === 'mph' ? 3600 / 1609.344 : 3.6)

/** The limit in m/s; infinite without one. */
const fastest = ({ policy: { maximum, unit } }: DayRule): number => (maximum === null ? Infinity : maximum / perMetreSecond(unit))

/** Whether a speed breaks the rule, in the digits in which telemetry is stored: 25 km/h told as 6.944444444 m/s does not. */
export const isSpeeding = (rule: DayRule): Sql => sql`toFloat32(speed) > toFloat32(${bind('Float64', fastest(rule))})`

/** Places of rides in each ground that were passed too fast. */
export const measureSpeeding = (measuring: Measuring): Promise<DayFigure[]> =>
  measuring.rule.policy.maximum === null ? Promise.resolve([]) : countEvents(measuring, speedRows(measuring.asked, spanOf(measuring.windows), isSpeeding(measuring.rule)), sql`true`)
