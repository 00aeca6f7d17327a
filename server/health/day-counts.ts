import type { LocalDay } from '#contract/period.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { State } from '#server/stores/state.ts'
import { countDays } from './count-day.ts'
import type { Counting } from './check-transitions.ts'
import type { DayFacts, DayKind } from './day-facts.ts'
import { type HealthRegion, earlierFeeds } from './health-region.ts'
import { dayAfter, dayStart } from './local-hours.ts'
import { countFactChanges } from '#server/fleet/fact-changes.ts'

/** A day as it was counted. */
export interface CountedDay<Body> {
  body: Body
  /** The counts include what was received until then (ms). */
  /** Until when (ms) it holds what was received. */
  asOf: number
}

/** Days before and after that affect a day's counts: last events of vehicles, the event before, the end of a trip. */
const affectedBy: Readonly<Record<DayKind, { before: number; after: number }>> = {
  records: { before: 0, after: 1 },
  events: { before: 2, after: 0 },
  trips: { before: 2, after: 1 },
  vehicles: { before: 15, after: 0 },
}

/** Counts of local days, stored until their facts change. */
export class DayCounts {
  readonly #state: State
  readonly #facts: Facts
  readonly #counting = new Map<string, Promise<unknown>>()
  constructor(state: State, facts: Facts) {
    this.#state = state
    this.#facts = facts
  }

  /** Days of a region. Days with changed facts are counted again only after `recountAfterMs`; days without counts at once. */
  async find<Kind extends DayKind>(
    region: HealthRegion,
    kind: Kind,
    days: readonly LocalDay[],
    at: number,
    recountAfterMs: number,
  ): Promise<Map<LocalDay, CountedDay<DayFacts[Kind]>>> {
    // One at a time: the next call finds what this one has counted.
    const key = `${region.regionId} ${kind}`
    const before = this.#counting.get(key) ?? Promise.resolve()
    const found = before.catch(() => undefined).then(() => this.#find(region, kind, days, at, recountAfterMs))
    this.#counting.set(key, found)
    return found.finally(() => this.#counting.get(key) === found && this.#counting.delete(key))
  }

  async #find<Kind extends DayKind>(
    region: HealthRegion,
    kind: Kind,
    days: readonly LocalDay[],
    at: number,
    recountAfterMs: number,
  ): Promise<Map<LocalDay, CountedDay<DayFacts[Kind]>>> {
    const { regionId, scope } = region
    const found = new Map<LocalDay, CountedDay<DayFacts[Kind]>>()
    if (!days.length) return found
    // Read before the facts: a change in between makes the counts outdated.
    const versions = await this.#versions(region, kind, days)
    const rows = await this.#state
      .as(scope)
      .selectFrom('health_day')
      .select(['day', 'body', 'made_time', 'facts'])
      .where('region_id', '=', regionId)
      .where('kind', '=', kind)
      .where('day', 'in', days)
      .execute()
    // Vehicles become silent as time passes, without any new facts.
    const isUnfinished = (day: LocalDay, made: number): boolean =>
      kind === 'vehicles' && made < dayStart(dayAfter(day), region.timezone)
    for (const row of rows) {
      const made = row.made_time.getTime()
      const isOld = BigInt(row.facts) !== versions.get(row.day) || isUnfinished(row.day, made)
      if (!isOld || at - made < recountAfterMs)
        found.set(row.day, { body: row.body as DayFacts[Kind], asOf: isOld ? made : at })
    }
    const missing = days.filter((day) => !found.has(day))
    if (!missing.length) return found
    const counting: Counting = {
      facts: this.#facts,
      region,
      earlierFeeds: await earlierFeeds(this.#state, region),
      at,
    }
    const counted = await countDays[kind](counting, missing)
    for (const [day, body] of counted) found.set(day, { body, asOf: at })
    await this.#store(region, kind, counted, versions, at)
    return found
  }

  /** How often the facts of each day changed. */
  async #versions(
    { regionId, scope, timezone }: HealthRegion,
    kind: DayKind,
    days: readonly LocalDay[],
  ): Promise<Map<LocalDay, bigint>> {
    const { before, after } = affectedBy[kind]
    const counts = await countFactChanges(
      this.#state,
      scope,
      regionId,
      days.map((day) => ({
        from: dayStart(dayAfter(day, -before), timezone),
        until: dayStart(dayAfter(day, after + 1), timezone),
      })),
    )
    return new Map(days.map((day, at) => [day, counts[at] ?? 0n]))
  }

  async #store<Kind extends DayKind>(
    { regionId, scope }: HealthRegion,
    kind: Kind,
    counted: Map<LocalDay, DayFacts[Kind]>,
    versions: ReadonlyMap<LocalDay, bigint>,
    at: number,
  ): Promise<void> {
    const made = new Date(at)
    const values = [...counted].map(([day, body]) => ({
      region_id: regionId,
      kind,
      day,
      body: JSON.stringify(body),
      made_time: made,
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
            made_time: made,
            facts: row.ref('excluded.facts'),
          })),
        )
        .execute()
  }
}
