import { regionScope, systemScope } from '#server/identity/scope.ts'
import { createIntervalJob, type IntervalJob } from '#server/jobs/interval-job.ts'
import type { Log } from '#server/jobs/log.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import { bind, identifier, joinSql, type Sql, sql } from '#server/stores/sql.ts'
import type { State } from '#server/stores/state.ts'
import { beginOf, buildsOf, dayMs, foundSpeeds, type OperatorDay, paceOf } from '../queries/speed-rows.ts'
import { newestBuild, speedDays, type SpeedDay, staleBuilds } from './queries/speed-days.ts'

interface Keeping {
  state: State
  facts: Facts
  /** Ms since 1970. */
  now: () => number
  log: Log
}

const minuteMs = 60_000
const everyMs = 10 * minuteMs
/** A day is kept once it has been over for so long: most late telemetry is there. */
const settledMs = 10 * minuteMs
/** So far back changes are looked for at each run; further back once a day. */
const recentMs = 35 * dayMs
/** Days that are kept at once: their places are put in order in memory. */
const daysAtOnce = 4
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

/** Days of which former builds may be left. */
interface Renewed {
  scope: Scope
  regionId: string
  days: readonly OperatorDay[]
}

/**
 * The keeper of rides' speeds: days that are over, of which telemetry was told since they were kept, are kept anew. Nothing depends on it but time: what is not kept as
 * it is now is found where it is asked for.
 */
export function keepSpeeds({ state, facts, now, log }: Keeping): IntervalJob {
  const wholeAt = new Map<string, number>()
  let gone: Renewed[] = []

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
  /** Rows of former builds: a question that began with one may still read it, so that they go a run later. */
  const sweep = async (): Promise<void> => {
    const waiting = gone
    gone = []
    for (const { scope, regionId, days } of waiting) {
      const stale = await facts.rows<OperatorDay & { build: string }>(scope, staleBuilds(regionId, days))
      if (stale.length)
        await facts.remove(
          scope,
          'ride_speeds',
          sql`region_id = ${bind('String', regionId)} and (operator, day, build) in (select arrayJoin(${buildsOf(stale)}))`,
        )
    }
  }
  const keepRegion = async (
    scope: Scope,
    regionId: string,
    signal: AbortSignal,
    rest: (workedMs: number) => Promise<void>,
  ): Promise<void> => {
    const at = now()
    const isWhole = at - (wholeAt.get(regionId) ?? -Infinity) >= dayMs
    const last = Math.floor((at - settledMs) / dayMs) * dayMs
    const found = await facts.rows<SpeedDay>(
      scope,
      speedDays(regionId, { first: isWhole ? dayMs : last - recentMs, last }),
      limits,
    )
    const [newest] = await facts.rows<{ build: string }>(scope, newestBuild(regionId))
    // Higher than any before, also where the clock was set back.
    let build = Math.max(at, Number(newest?.build ?? 0))
    const due = found.filter(({ build }) => build === '0').toReversed()
    // The newest first: they are asked for.
    for (let from = 0; from < due.length && !signal.aborted;) {
      const begin = performance.now()
      const days = new Set<string>()
      let until = from
      while (until < due.length && (days.size < daysAtOnce || days.has((due[until] as SpeedDay).day)))
        days.add((due[until++] as SpeedDay).day)
      const portion = due.slice(from, until)
      build++
      await facts.add(scope, 'ride_speeds', columns, rowsOf(regionId, build, portion), limits)
      await facts.insert(
        scope,
        'ride_speed_days',
        ['region_id', 'operator', 'day', 'build', 'tally'],
        regionId,
        Buffer.from(
          portion
            .map(({ operator, day, tally }) => `${regionId}\t${operator}\t${day}\t${build}\t${tally}\n`)
            .join(''),
        ),
      )
      from = until
      await rest(performance.now() - begin)
    }
    // What a process that was stopped left behind is found when all is looked at.
    const renewed = isWhole ? found : due
    if (renewed.length) gone.push({ scope, regionId, days: renewed })
    if (isWhole && !signal.aborted) wholeAt.set(regionId, at)
  }
  return createIntervalJob({
    name: 'ride speeds',
    intervalMs: everyMs,
    log,
    async run(signal, rest) {
      await sweep().catch((error: unknown) => log('ride speeds', { error: String(error) }))
      const regions = await state
        .as(systemScope)
        .selectFrom('region')
        .select(['region_id', 'organization_id'])
        .orderBy('region_id')
        .execute()
      for (const { region_id: regionId, organization_id: organizationId } of regions) {
        if (signal.aborted) return
        // One region that cannot be kept does not keep the others from it.
        await keepRegion(regionScope(organizationId, regionId), regionId, signal, rest).catch(
          (error: unknown) => log('ride speeds', { regionId, error: String(error) }),
        )
      }
    },
  })
}
