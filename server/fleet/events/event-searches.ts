import { systemScope } from '#server/identity/scope.ts'
import type { Facts } from '#server/stores/facts.ts'
import { instant } from '#server/stores/instant.ts'
import { RegionGroups } from '#server/stores/region-groups.ts'
import { bind, facts, type Sql, sql } from '#server/stores/sql.ts'
import type { VehicleEvent } from './vehicle-event.ts'

/** Events of a region, and between which moments (ms) their versions lie. */
export interface EventSearch {
  regionId: string
  from: number
  to: number
  events: readonly VehicleEvent[]
}

/** Larger batches are not joined: their vehicles lie everywhere. */
export const maxSearchedEvents = 5000

const weekMs = 7 * 86_400_000

/** Searches for stored versions of events. Those of pushes that wait at the same time are one query: its costs are per query. */
export class EventSearches {
  readonly #groups: RegionGroups<EventSearch, number>

  constructor(store: Facts) {
    this.#groups = new RegionGroups(
      async (searches) => {
        const rows = await store.rows<{ region_id: string; times: string }>(
          systemScope,
          countVersions(searches),
          { limits: { seconds: 300, memory: 4 * 2 ** 30 } },
        )
        const times = new Map(rows.map((row) => [row.region_id, Number(row.times)]))
        return searches.map(({ regionId }) => times.get(regionId) ?? 0)
      },
      ({ events }) => events.length,
      maxSearchedEvents,
    )
  }

  /** Whether the rows of events are their only versions. False may be wrong, true never. */
  async areNew(search: EventSearch): Promise<boolean> {
    // Of other weeks, a joined query would read them for all.
    const weeks = [search.from, search.to].map((time) => Math.floor(time / weekMs))
    return (await this.#groups.add(weeks.join(), search)) === search.events.length
  }
}

const valuesOf = (searches: readonly EventSearch[], valueOf: (event: VehicleEvent) => string): string[] => [
  ...new Set(searches.flatMap(({ events }) => events.map(valueOf))),
]

/**
 * Rows by region that may be versions of the events of searches. Each condition is of all searches, so that it finds more than versions
 * if one of them has an id of another one; if there are as many rows as events, all of them are new nevertheless.
 */
const countVersions = (searches: readonly EventSearch[]): Sql => sql`
  select region_id, toString(count()) as times
  from ${facts('vehicle_events')}
  where region_id in ${bind('Array(String)', [...new Set(searches.map(({ regionId }) => regionId))])}
    and event_time between ${instant(Math.min(...searches.map(({ from }) => from)))} and ${instant(Math.max(...searches.map(({ to }) => to)))}
    and operator in ${bind(
      'Array(String)',
      valuesOf(searches, ({ operator }) => operator),
    )}
    and device_id in ${bind(
      'Array(UUID)',
      valuesOf(searches, ({ deviceId }) => deviceId),
    )}
    and event_id in ${bind(
      'Array(UUID)',
      valuesOf(searches, ({ eventId }) => eventId),
    )}
  group by region_id`
