import type { DerivedProduct, DerivedRegion } from '#server/derived/derived-product.ts'
import { markDirty } from '#server/derived/dirty-spans.ts'
import { rideSpeeds } from '#server/mobility/ride-days.ts'
import type { Facts } from '#server/stores/facts.ts'
import { bind, identifier, joinSql, type Sql, sql } from '#server/stores/sql.ts'
import type { State } from '#server/stores/state.ts'
import {
  beginOf,
  buildsOf,
  dayMs,
  foundSpeeds,
  type OperatorDay,
  paceOf,
  utcDay,
} from '../queries/speed-rows.ts'
import { newestBuild, speedDays, type SpeedDay, staleBuilds } from './queries/speed-days.ts'

interface RideSpeedsOptions {
  state: State
  facts: Facts
  /** Ms since 1970. */
  now: () => number
}

/** A day is derived once it has been over for so long: nearly all late telemetry is there, ms. */
const settledMs = 10 * 60_000
const limits = { limits: { seconds: 600, memory: 6 * 2 ** 30 }, areDistinct: true }

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

const rowsOf = (regionId: string, build: number, days: readonly SpeedDay[]): Sql => {
  const own: Readonly<Record<string, Sql>> = {
    region_id: sql`${bind('String', regionId)}`,
    day: sql`toDate(time)`,
    build: sql`toUInt64(${bind('UInt64', String(build))})`,
    pace: paceOf,
  }
  const starts = days.map(({ day }) => beginOf(day))
  return sql`select ${joinSql(
    columns.map((name) => own[name] ?? identifier(name)),
    ', ',
  )} from (${foundSpeeds(regionId, { first: Math.min(...starts), last: Math.max(...starts) + dayMs }, days)})`
}

/**
 * Speeds of rides by UTC day (decision 024). Reads `telemetry`; writes `ride_speeds` as a new build of the day of an operator, then its
 * tally in `ride_speed_days`; rows of the former build are removed a step later, because a query that began with them may still read.
 * A day whose tally differs from that of its telemetry is not read by anyone, so that nothing depends on this product but time.
 */
export function createRideSpeeds({ state, facts, now }: RideSpeedsOptions): DerivedProduct {
  /** By region: the last day that is over, as of the last step. */
  const lastDays = new Map<string, string>()
  let replaced: { region: DerivedRegion; days: readonly OperatorDay[] }[] = []

  const lastDay = (): string => utcDay(now() - settledMs - dayMs)
  const daysBetween = (
    { regionId, scope }: DerivedRegion,
    first: string,
    last: string,
  ): Promise<SpeedDay[]> =>
    facts.rows<SpeedDay>(
      scope,
      speedDays(regionId, { first: beginOf(first), last: beginOf(last) + dayMs }),
      limits,
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
          sql`region_id = ${bind('String', region.regionId)} and (operator, day, build) in (select arrayJoin(${buildsOf(stale)}))`,
        )
    }
  }
  return {
    name: rideSpeeds,
    description: 'Speeds of rides: telemetry to ride_speeds and ride_speed_days',
    settleMs: 20 * 60_000,
    // Their places are put in order in memory.
    maxSpans: 4,
    async derive(region, spans) {
      const over = spans.filter((day) => day <= lastDay())
      if (!over.length) return
      const { regionId, scope } = region
      const wanted = new Set(over)
      const found = await daysBetween(region, over.at(-1) as string, over[0] as string)
      const days = found.filter(({ day, build }) => wanted.has(day) && build === '0')
      if (!days.length) return
      const [newest] = await facts.rows<{ build: string }>(scope, newestBuild(regionId))
      // Higher than any before, also if the clock was set back.
      const build = Math.max(now(), Number(newest?.build ?? 0) + 1)
      await facts.add(scope, 'ride_speeds', columns, rowsOf(regionId, build, days), limits)
      await facts.insert(
        scope,
        'ride_speed_days',
        ['region_id', 'operator', 'day', 'build', 'tally'],
        regionId,
        Buffer.from(
          days
            .map(({ operator, day, tally }) => `${regionId}\t${operator}\t${day}\t${build}\t${tally}\n`)
            .join(''),
        ),
      )
      replaced.push({ region, days })
    },
    /** Marks days that ended since the last step; the first step of a process looks at all days. */
    async advance(region) {
      await removeReplaced()
      const [before, last] = [lastDays.get(region.regionId), lastDay()]
      if (before === last) return false
      const owner = { product: rideSpeeds, regionId: region.regionId }
      if (before === undefined) {
        const all = await daysBetween(region, '1970-01-02', last)
        const due = all.filter(({ build }) => build === '0')
        await markDirty(
          state,
          region.scope,
          owner,
          due.map(({ day }) => day),
          new Date(now()),
        )
        // Rows that a process left behind when it was stopped.
        if (all.length) replaced.push({ region, days: all })
      } else await markDirty(state, region.scope, owner, [last], new Date(now()))
      lastDays.set(region.regionId, last)
      return false
    },
  }
}
