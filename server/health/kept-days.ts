import type { LocalDay } from '#contract/period.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { State } from '#server/stores/state.ts'
import { countDays } from './count-day.ts'
import type { Counting } from './count-ways.ts'
import type { DayFacts, DayKind } from './day-facts.ts'
import { type HealthRegion, earlierFeeds } from './health-region.ts'
import { dayAfter, dayStart } from './local-hours.ts'
import { countFactChanges } from '#server/mobility/fact-days.ts'

/** A day as it was counted. */
export interface KeptDay<Body> {
  body: Body
  /** Until when (ms) it holds what was received. */
  asOf: number
}

/** Days of which the facts count for a day, before and after: vehicles since their last event, the event before, the end of a trip. */
const reach: Readonly<Record<DayKind, { before: number; after: number }>> = {
  records: { before: 0, after: 1 },
  events: { before: 2, after: 0 },
  trips: { before: 2, after: 1 },
  vehicles: { before: 15, after: 0 },
}

/** Counts of local days, made once and stored until facts of them change. */
export class KeptDays {
  readonly #state: State
  readonly #facts: Facts
  readonly #counting = new Map<string, Promise<unknown>>()
  constructor(state: State, facts: Facts) {
    this.#state = state
    this.#facts = facts
  }

  /** Days of a region. `restMs`: what changed since is not counted again before that time; a day that nobody counted is. */
  async find<Kind extends DayKind>(
    region: HealthRegion,
    kind: Kind,
    days: readonly LocalDay[],
    at: number,
    restMs: number,
  ): Promise<Map<LocalDay, KeptDay<DayFacts[Kind]>>> {
    // One after the other: who comes second finds what the first has counted.
    const key = `${region.regionId} ${kind}`
    const before = this.#counting.get(key) ?? Promise.resolve()
    const found = before.catch(() => undefined).then(() => this.#find(region, kind, days, at, restMs))
    this.#counting.set(key, found)
    return found.finally(() => this.#counting.get(key) === found && this.#counting.delete(key))
  }

  async #find<Kind extends DayKind>(
    region: HealthRegion,
    kind: Kind,
    days: readonly LocalDay[],
    at: number,
    restMs: number,
  ): Promise<Map<LocalDay, KeptDay<DayFacts[Kind]>>> {
    const { regionId, scope } = region
    const found = new Map<LocalDay, KeptDay<DayFacts[Kind]>>()
    if (!days.length) return found
    // Before the facts are read: what changes meanwhile makes the counts out of date.
    const versions = await this.#versions(region, kind, days)
    const rows = await this.#state
      .as(scope)
      .selectFrom('health_day')
      .select(['day', 'body', 'made_time', 'facts'])
      .where('region_id', '=', regionId)
      .where('kind', '=', kind)
      .where('day', 'in', days)
      .execute()
    // How long vehicles have been silent changes while nothing comes.
    const goesOn = (day: LocalDay, made: number): boolean =>
      kind === 'vehicles' && made < dayStart(dayAfter(day), region.timezone)
    for (const row of rows) {
      const made = row.made_time.getTime()
      const isOld = BigInt(row.facts) !== versions.get(row.day) || goesOn(row.day, made)
      if (!isOld || at - made < restMs)
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

  /** How often the facts changed that each day depends on. */
  async #versions(
    { regionId, scope, timezone }: HealthRegion,
    kind: DayKind,
    days: readonly LocalDay[],
  ): Promise<Map<LocalDay, bigint>> {
    const { before, after } = reach[kind]
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
        .onConflict((there) =>
          there.columns(['region_id', 'kind', 'day']).doUpdateSet((row) => ({
            body: row.ref('excluded.body'),
            made_time: made,
            facts: row.ref('excluded.facts'),
          })),
        )
        .execute()
  }
}
