import type { LocalDay } from '#contract/period.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { State } from '#server/stores/state.ts'
import { countDays } from './count-day.ts'
import type { Counting } from './count-ways.ts'
import type { DayFacts, DayKind } from './day-facts.ts'
import { type HealthRegion, earlierFeeds } from './health-region.ts'
import { dayAfter, dayStart } from './local-hours.ts'
import { lookForChanges } from './look-for-changes.ts'

/** A day as it was counted. */
export interface KeptDay<Body> {
  body: Body
  /** Until when (ms) it holds what was received. */
  asOf: number
}

/** Counts of local days, made once and kept until something more is received of them. */
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
    const rows = await this.#state
      .as(scope)
      .selectFrom('health_day')
      .select(['day', 'body', 'made_time', 'is_stale'])
      .where('region_id', '=', regionId)
      .where('kind', '=', kind)
      .where('day', 'in', days)
      .execute()
    // How long vehicles have been silent changes while nothing comes.
    const goesOn = (day: LocalDay, made: number): boolean =>
      kind === 'vehicles' && made < dayStart(dayAfter(day), region.timezone)
    for (const row of rows) {
      const made = row.made_time.getTime()
      const isOld = row.is_stale || goesOn(row.day, made)
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
    await this.#keep(region, kind, counted, at)
    return found
  }

  async #keep<Kind extends DayKind>(
    { regionId, scope }: HealthRegion,
    kind: Kind,
    counted: Map<LocalDay, DayFacts[Kind]>,
    at: number,
  ): Promise<void> {
    const made = new Date(at)
    const values = [...counted].map(([day, body]) => ({
      region_id: regionId,
      kind,
      day,
      body: JSON.stringify(body),
      made_time: made,
      is_stale: false,
    }))
    if (values.length)
      await this.#state
        .as(scope)
        .insertInto('health_day')
        .values(values)
        .onConflict((there) =>
          there
            .columns(['region_id', 'kind', 'day'])
            .doUpdateSet((row) => ({ body: row.ref('excluded.body'), made_time: made, is_stale: false })),
        )
        .execute()
  }

  /** Marks the days of which something was received since the last look. */
  look(region: HealthRegion, at: number): Promise<void> {
    return lookForChanges(this.#state, this.#facts, region, at)
  }
}
