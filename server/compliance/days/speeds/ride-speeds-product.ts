import { dayMs } from '#contract/period.ts'
import type { DerivedProduct, DerivedRegion } from '#server/derived/derived-product.ts'
import { markDirty } from '#server/derived/dirty-spans.ts'
import { rideSpeeds } from '#server/fleet/ride-days.ts'
import type { Facts } from '#server/stores/facts.ts'
import { bind, identifier, joinSql, type Sql, sql } from '#server/stores/sql.ts'
import type { State } from '#server/stores/state.ts'
import {
  getUtcDayStart,
  buildArray,
  computedSpeeds,
  type OperatorDay,
  toUtcDay,
  wholeSpeed,
} from '../queries/speed-rows.ts'
import { newestBuild, speedDays, type SpeedDay, staleBuilds } from './queries/speed-days.ts'

interface RideSpeedsOptions {
  state: State
  facts: Facts
  /** Milliseconds since 1970. */
  nowMs: () => number
}

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

const selectSpeeds = (regionId: string, build: number, days: readonly SpeedDay[]): Sql => {
  const expressions: Readonly<Record<string, Sql>> = {
    region_id: sql`${bind('String', regionId)}`,
    day: sql`toDate(time)`,
    build: sql`toUInt64(${bind('UInt64', String(build))})`,
    pace: wholeSpeed,
  }
  const starts = days.map(({ day }) => getUtcDayStart(day))
  const selected = columns.map((name) => expressions[name] ?? identifier(name))
  const span = { from: Math.min(...starts), until: Math.max(...starts) + dayMs }
  return sql`
    select ${joinSql(selected, ', ')}
    from (${computedSpeeds(regionId, span, days)})`
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
  let replaced: { region: DerivedRegion; days: readonly OperatorDay[] }[] = []

  const lastDay = (): string => toUtcDay(nowMs() - settledMs - dayMs)
  const daysBetween = (
    { regionId, scope }: DerivedRegion,
    first: string,
    last: string,
  ): Promise<SpeedDay[]> =>
    facts.rows<SpeedDay>(
      scope,
      speedDays(regionId, { from: getUtcDayStart(first), until: getUtcDayStart(last) + dayMs }),
      queryOptions,
    )
  const removeReplaced = async (): Promise<void> => {
    const waiting = replaced
    replaced = []
    for (const { region, days } of waiting) {
      const stale = await facts.rows<OperatorDay & { build: string }>(
        region.scope,
        staleBuilds(region.regionId, days),
      )
      if (stale.length)
        await facts.remove(
          region.scope,
          'ride_speeds',
          sql`region_id = ${bind('String', region.regionId)} and (operator, day, build) in (select arrayJoin(${buildArray(stale)}))`,
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
      const endedDays = spans.filter((day) => day <= lastDay())
      if (!endedDays.length) return
      const { regionId, scope } = region
      const requested = new Set(endedDays)
      const daysWithTelemetry = await daysBetween(region, endedDays.at(-1) as string, endedDays[0] as string)
      const days = daysWithTelemetry.filter(({ day, build }) => requested.has(day) && build === '0')
      if (!days.length) return
      const [newest] = await facts.rows<{ build: string }>(scope, newestBuild(regionId))
      // Builds must increase even if the clock was set back.
      const build = Math.max(nowMs(), Number(newest?.build ?? 0) + 1)
      await facts.add(scope, 'ride_speeds', {
        columns,
        rows: selectSpeeds(regionId, build, days),
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
      replaced.push({ region, days })
    },
    /** Marks days that ended since the last step; the first step of a process checks all days. */
    async advance(region) {
      await removeReplaced()
      const [before, last] = [lastDays.get(region.regionId), lastDay()]
      if (before === last) return false
      const owner = { product: rideSpeeds, regionId: region.regionId }
      if (before === undefined) {
        const daysWithTelemetry = await daysBetween(region, '1970-01-02', last)
        const due = daysWithTelemetry.filter(({ build }) => build === '0')
        await markDirty(state, region.scope, owner, {
          spans: due.map(({ day }) => day),
          time: new Date(nowMs()),
        })
        // A stopped process may have left rows of replaced builds.
        if (daysWithTelemetry.length) replaced.push({ region, days: daysWithTelemetry })
      } else await markDirty(state, region.scope, owner, { spans: [last], time: new Date(nowMs()) })
      lastDays.set(region.regionId, last)
      return false
    },
  }
}
