import type { DerivedProduct, DerivedRegion } from '#server/derived/derived-product.ts'
import { markDirty } from '#server/derived/dirty-spans.ts'
import { rideSpeeds } from '#server/fleet/ride-days.ts'
import type { Facts } from '#server/stores/facts.ts'
import { bind, identifier, joinSql, type Sql, sql } from '#server/stores/sql.ts'
import type { State } from '#server/stores/state.ts'
import {
  startOfCut,
  buildsOf,
  dayMs,
  computedSpeeds,
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

/** A day is derived after this time: nearly all late telemetry has arrived by then, ms. */
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
  const starts = days.map(({ day }) => startOfCut(day))
  return sql`select ${joinSql(
    columns.map((name) => own[name] ?? identifier(name)),
    ', ',
  )} from (${computedSpeeds(regionId, { first: Math.min(...starts), last: Math.max(...starts) + dayMs }, days)})`
}

/**
 * Speeds of trips by UTC day (decision 024). Reads `telemetry`; writes `ride_speeds` as a new build per operator and day, then its tally
 * in `ride_speed_days`. Rows of the previous build are removed one step later, because running queries may still read them.
 * A day is ignored if its tally differs from that of its telemetry, so that this product depends on nothing but time.
 */
export function createRideSpeeds({ state, facts, now }: RideSpeedsOptions): DerivedProduct {
  /** By region: the last complete day as of the last step. */
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
      speedDays(regionId, { first: startOfCut(first), last: startOfCut(last) + dayMs }),
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
    description: 'Speeds of trips: telemetry to ride_speeds and ride_speed_days',
    settleMs: 20 * 60_000,
    // Their places are put in order in memory.
    maxSpans: 4,
    async derive(region, spans) {
      const over = spans.filter((day) => day <= lastDay())
      if (!over.length) return
      const { regionId, scope } = region
      const requested = new Set(over)
      const found = await daysBetween(region, over.at(-1) as string, over[0] as string)
      const days = found.filter(({ day, build }) => requested.has(day) && build === '0')
      if (!days.length) return
      const [newest] = await facts.rows<{ build: string }>(scope, newestBuild(regionId))
      // Higher than any before, even if the clock was set back.
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
    /** Marks days that ended since the last step; the first step of a process checks all days. */
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
        // Rows left behind by a process that was stopped.
        if (all.length) replaced.push({ region, days: all })
      } else await markDirty(state, region.scope, owner, [last], new Date(now()))
      lastDays.set(region.regionId, last)
      return false
    },
  }
}
