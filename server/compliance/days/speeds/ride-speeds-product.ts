import { dayMs } from '#contract/period.ts'
import type { DerivedProduct, DerivedRegion } from '#server/derived/derived-product.ts'
import { markDirty } from '#server/derived/dirty-spans.ts'
import { rideSpeeds } from '#server/fleet/ride-days.ts'
import type { Facts } from '#server/stores/facts.ts'
import { bind, identifier, joinSql, type Sql, sql } from '#server/stores/sql.ts'
import type { State } from '#server/stores/state.ts'
import {
  getUtcDayStart,
  operatorDayBuildArray,
  computedSpeedRows,
  type OperatorDay,
  toUtcDay,
  wholeSpeedColumn,
} from '../queries/speed-rows.ts'
import { newestBuildSql, speedDayRows, type SpeedDay, staleBuildRows } from './queries/speed-days.ts'

interface RideSpeedsOptions {
  state: State
  facts: Facts
  nowMs: () => number
}

/** Before all telemetry. The query also reads the day before, which must not be before 1970. */
const earliestDay = '1970-01-02'
/** Time after the end of a day until it is derived, ms. Nearly all late telemetry has arrived by then. */
const settledMs = 10 * 60_000
const queryOptions = { limits: { seconds: 600, memory: 6 * 2 ** 30 }, areDistinct: true }

const columns = [
  'region_id',
  'day',
  'operator',
  'build',
  'pace',
  'device_id',
  'time',
  'telemetry_id',
  'trip_id',
  'lon',
  'lat',
  'accuracy',
  'speed',
] as const

/** Builds SQL for the speeds of days, as rows of `ride_speeds`. */
const rideSpeedRows = (regionId: string, build: number, days: readonly SpeedDay[]): Sql => {
  const expressions: Readonly<Record<string, Sql>> = {
    region_id: sql`${bind('String', regionId)}`,
    day: sql`toDate(time)`,
    build: sql`toUInt64(${bind('UInt64', String(build))})`,
    pace: wholeSpeedColumn,
  }
  const dayStarts = days.map(({ day }) => getUtcDayStart(day))
  const selectedColumns = columns.map((name) => expressions[name] ?? identifier(name))
  const span = { from: Math.min(...dayStarts), until: Math.max(...dayStarts) + dayMs }
  return sql`
    select ${joinSql(selectedColumns, ', ')}
    from (${computedSpeedRows(regionId, span, days)})`
}

/**
 * Derives the speeds of trips by UTC day (decision 024) from `telemetry`. Writes a new build of each operator
 * and day to `ride_speeds`, then its tally to `ride_speed_days`. Rows of the previous build are removed in
 * the next call of `advance`, because running queries may still read them. Readers ignore a day with a tally
 * other than that of its telemetry, so late telemetry need not mark days dirty.
 */
export function createRideSpeeds({ state, facts, nowMs }: RideSpeedsOptions): DerivedProduct {
  /** The last complete day as of the last step, by region. */
  const lastDays = new Map<string, string>()
  /** Days with a new build, of which rows of the previous build are still to be removed. */
  let replacedDays: { region: DerivedRegion; days: readonly OperatorDay[] }[] = []

  const getLastCompleteDay = (): string => toUtcDay(nowMs() - settledMs - dayMs)
  const readSpeedDays = (
    { regionId, scope }: DerivedRegion,
    firstDay: string,
    lastDay: string,
  ): Promise<SpeedDay[]> =>
    facts.rows<SpeedDay>(
      scope,
      speedDayRows(regionId, { from: getUtcDayStart(firstDay), until: getUtcDayStart(lastDay) + dayMs }),
      queryOptions,
    )
  const removeReplaced = async (): Promise<void> => {
    const waiting = replacedDays
    replacedDays = []
    for (const { region, days } of waiting) {
      const staleDays = await facts.rows<OperatorDay & { build: string }>(
        region.scope,
        staleBuildRows(region.regionId, days),
      )
      if (staleDays.length)
        await facts.remove(
          region.scope,
          'ride_speeds',
          sql`region_id = ${bind('String', region.regionId)} and (operator, day, build) in (select arrayJoin(${operatorDayBuildArray(staleDays)}))`,
        )
    }
  }
  return {
    name: rideSpeeds,
    description: 'Speeds of trips: telemetry to ride_speeds and ride_speed_days',
    settleMs: 20 * 60_000,
    // Limited because all positions of these days are sorted in memory.
    maxSpans: 4,
    async derive(region, spans) {
      const endedDays = spans.filter((day) => day <= getLastCompleteDay())
      if (!endedDays.length) return
      const { regionId, scope } = region
      const requested = new Set(endedDays)
      const daysWithTelemetry = await readSpeedDays(
        region,
        endedDays.at(-1) as string,
        endedDays[0] as string,
      )
      const days = daysWithTelemetry.filter(({ day, build }) => requested.has(day) && build === '0')
      if (!days.length) return
      const [newest] = await facts.rows<{ build: string }>(scope, newestBuildSql(regionId))
      // Builds must increase even if the clock was set back.
      const build = Math.max(nowMs(), Number(newest?.build ?? 0) + 1)
      await facts.add(scope, 'ride_speeds', {
        columns,
        rows: rideSpeedRows(regionId, build, days),
        ...queryOptions,
      })
      await facts.insert(scope, 'ride_speed_days', {
        columns: ['region_id', 'operator', 'day', 'build', 'tally'],
        regionId,
        lines: Buffer.from(
          days
            .map(({ operator, day, tally }) => `${regionId}\t${operator}\t${day}\t${build}\t${tally}\n`)
            .join(''),
        ),
      })
      replacedDays.push({ region, days })
    },
    /** Marks days that ended since the last step; the first step of a process checks all days. */
    async advance(region) {
      await removeReplaced()
      const previousLastDay = lastDays.get(region.regionId)
      const lastDay = getLastCompleteDay()
      if (previousLastDay === lastDay) return false
      const owner = { product: rideSpeeds, regionId: region.regionId }
      if (previousLastDay === undefined) {
        const daysWithTelemetry = await readSpeedDays(region, earliestDay, lastDay)
        const dueDays = daysWithTelemetry.filter(({ build }) => build === '0')
        await markDirty(state, region.scope, owner, {
          spans: dueDays.map(({ day }) => day),
          time: new Date(nowMs()),
        })
        // A stopped process may have left rows of replaced builds.
        if (daysWithTelemetry.length) replacedDays.push({ region, days: daysWithTelemetry })
      } else await markDirty(state, region.scope, owner, { spans: [lastDay], time: new Date(nowMs()) })
      lastDays.set(region.regionId, lastDay)
      return false
    },
  }
}
