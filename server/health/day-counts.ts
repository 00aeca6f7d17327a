import { type LocalDay, addDays } from '#contract/period.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { State } from '#server/stores/state.ts'
import { getDayEnd, getDayStart } from '#server/regions/local-hours.ts'
import { countFactChanges } from '#server/fleet/fact-changes.ts'
import { countDays } from './count-day.ts'
import type { CountContext } from './check-transitions.ts'
import type { DayFacts, DayKind } from './day-facts.ts'
import { type HealthRegion, findEarlierFeeds } from './health-region.ts'

/** The counts of a day. */
export interface CountedDay<Body> {
  body: Body
  /** The counts include what was received until this time (ms). */
  asOf: number
}

/** A request for the counts of days. */
interface CountQuery<Kind extends DayKind> {
  kind: Kind
  days: readonly LocalDay[]
  /** Time of the request (ms). */
  at: number
  /** Minimum age of the counts of days with changed facts before they are counted again. */
  recountAfterMs: number
}

/**
 * The numbers of days before and after a day on which facts affect its counts too: the previous event of a
 * vehicle, its last contact, or the end of a trip may be on another day.
 */
const affectingDays: Readonly<Record<DayKind, { before: number; after: number }>> = {
  records: { before: 0, after: 1 },
  events: { before: 2, after: 0 },
  trips: { before: 2, after: 1 },
  vehicles: { before: 15, after: 0 },
}

/** Counts of local days, stored and counted again when their facts have changed. */
export class DayCounts {
  readonly #state: State
  readonly #facts: Facts
  /** The last call by region and kind, which the next one waits for. */
  readonly #lastCalls = new Map<string, Promise<unknown>>()
  constructor(state: State, facts: Facts) {
    this.#state = state
    this.#facts = facts
  }

  /**
   * Returns the counts of days of a region. Days with changed facts are counted again if their counts are
   * older than `recountAfterMs`; days without counts are counted at once.
   */
  async find<Kind extends DayKind>(
    region: HealthRegion,
    query: CountQuery<Kind>,
  ): Promise<Map<LocalDay, CountedDay<DayFacts[Kind]>>> {
    // Calls run one at a time, so that the next one finds the counts of this one.
    const key = `${region.regionId} ${query.kind}`
    const previous = this.#lastCalls.get(key) ?? Promise.resolve()
    const counts = previous.catch(() => undefined).then(() => this.#find(region, query))
    this.#lastCalls.set(key, counts)
    return counts.finally(() => this.#lastCalls.get(key) === counts && this.#lastCalls.delete(key))
  }

  async #find<Kind extends DayKind>(
    region: HealthRegion,
    { kind, days, at, recountAfterMs }: CountQuery<Kind>,
  ): Promise<Map<LocalDay, CountedDay<DayFacts[Kind]>>> {
    const { regionId, scope } = region
    const counts = new Map<LocalDay, CountedDay<DayFacts[Kind]>>()
    if (!days.length) return counts
    // Read before the facts, so that a change in between marks the counts as outdated.
    const versions = await this.#readVersions(region, kind, days)
    const rows = await this.#state
      .as(scope)
      .selectFrom('health_day')
      .select(['day', 'body', 'made_time', 'facts'])
      .where('region_id', '=', regionId)
      .where('kind', '=', kind)
      .where('day', 'in', days)
      .execute()
    // Vehicles become silent as time passes, even without new facts.
    const isUnfinished = (day: LocalDay, countedMs: number): boolean =>
      kind === 'vehicles' && countedMs < getDayEnd(day, region.timezone)
    for (const row of rows) {
      const countedMs = row.made_time.getTime()
      const isOutdated = BigInt(row.facts) !== versions.get(row.day) || isUnfinished(row.day, countedMs)
      if (!isOutdated || at - countedMs < recountAfterMs)
        counts.set(row.day, { body: row.body as DayFacts[Kind], asOf: isOutdated ? countedMs : at })
    }
    const missingDays = days.filter((day) => !counts.has(day))
    if (!missingDays.length) return counts
    const context: CountContext = {
      facts: this.#facts,
      region,
      earlierFeeds: await findEarlierFeeds(this.#state, region),
      at,
    }
    const newCounts = await countDays[kind](context, missingDays)
    for (const [day, body] of newCounts) counts.set(day, { body, asOf: at })
    await this.#store(region, { kind, newCounts, versions, at })
    return counts
  }

  /** Counts the changes of the facts that affect each day. A different number means that facts have changed. */
  async #readVersions(
    { regionId, scope, timezone }: HealthRegion,
    kind: DayKind,
    days: readonly LocalDay[],
  ): Promise<Map<LocalDay, bigint>> {
    const { before, after } = affectingDays[kind]
    const counts = await countFactChanges(
      this.#state,
      scope,
      regionId,
      days.map((day) => ({
        from: getDayStart(addDays(day, -before), timezone),
        until: getDayStart(addDays(day, after + 1), timezone),
      })),
    )
    return new Map(days.map((day, index) => [day, counts[index] ?? 0n]))
  }

  async #store<Kind extends DayKind>(
    { regionId, scope }: HealthRegion,
    {
      kind,
      newCounts,
      versions,
      at,
    }: {
      kind: Kind
      newCounts: Map<LocalDay, DayFacts[Kind]>
      versions: ReadonlyMap<LocalDay, bigint>
      at: number
    },
  ): Promise<void> {
    const countedTime = new Date(at)
    const values = [...newCounts].map(([day, body]) => ({
      region_id: regionId,
      kind,
      day,
      body: JSON.stringify(body),
      made_time: countedTime,
      facts: String(versions.get(day) ?? 0n),
    }))
    if (values.length)
      await this.#state
        .as(scope)
        .insertInto('health_day')
        .values(values)
        .onConflict((conflict) =>
          conflict.columns(['region_id', 'kind', 'day']).doUpdateSet((row) => ({
            body: row.ref('excluded.body'),
            made_time: countedTime,
            facts: row.ref('excluded.facts'),
          })),
        )
        .execute()
  }
}
