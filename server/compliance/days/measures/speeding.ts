import { bind, sql } from '#server/stores/sql.ts'
import type { DayRule } from '../day-rule.ts'
import { getSpan } from '../measure-input.ts'
import { buildPlacesWithSpeedSql } from '../speeds/known-speeds.ts'
import { countEvents, placedEventRows } from './count-events.ts'
import { type MeasureType, valueRows } from './measure-type.ts'

const metersPerMile = 1609.344

/** Returns the factor that converts m/s to the unit of a rule: mph, or otherwise km/h. */
export const getSpeedFactor = (unit: string | null): number => (unit === 'mph' ? 3600 / metersPerMile : 3.6)

/** Returns the speed limit of a rule in m/s; null if there is none. */
const getSpeedLimit = ({ policy: { maximum, unit } }: DayRule): number | null =>
  maximum === null ? null : maximum / getSpeedFactor(unit)

/** Measures telemetry points in each shape with a speed over the limit. */
export const speeding: MeasureType<'speeding'> = {
  name: () => 'speeding_points',
  async measure(input) {
    const limit = getSpeedLimit(input.rule)
    return limit === null
      ? []
      : countEvents(input, await buildPlacesWithSpeedSql(input, getSpan(input.windows), limit), sql`true`)
  },
  async facts(input) {
    const { rule, windows } = input
    const points = await buildPlacesWithSpeedSql(input, getSpan(windows))
    const limit = getSpeedLimit(rule)
    return {
      kind: 'segment',
      rows: valueRows(
        placedEventRows(input, points),
        sql`speed * ${bind('Float64', getSpeedFactor(rule.policy.unit))}`,
        limit === null ? sql`0` : sql`toFloat32(speed) > toFloat32(${bind('Float64', limit)})`,
      ),
    }
  },
  needsMaximum: true,
  hasBreakingFacts: true,
  listsTrips: true,
}
