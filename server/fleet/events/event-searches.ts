import { systemScope } from '#server/identity/scope.ts'
import type { Facts } from '#server/stores/facts.ts'
import { toDateTime } from '#server/stores/date-time.ts'
import { StatementGroups } from '#server/stores/statement-groups.ts'
import { bind, facts as factTable, type Sql, sql } from '#server/stores/sql.ts'
import type { VehicleEvent } from './feed-records.ts'

/** Events of a region, and the time range (ms) in which their versions are searched. */
export interface EventSearch {
  regionId: string
  from: number
  to: number
  events: readonly VehicleEvent[]
}

/** Searches for more events than this are not joined: they would read most of the table anyway. */
export const maxSearchedEvents = 5000

const weekMs = 7 * 86_400_000

/** Searches for stored versions of events. Concurrent searches share a query, because costs are per query. */
export class EventSearches {
  readonly #groups: StatementGroups<EventSearch, number>

  constructor(facts: Facts) {
    this.#groups = new StatementGroups(
      async (searches) => {
        const rows = await facts.rows<{ region_id: string; times: string }>(
          systemScope,
          versionCountsSql(searches),
          { limits: { seconds: 300, memory: 4 * 2 ** 30 } },
        )
        const times = new Map(rows.map((row) => [row.region_id, Number(row.times)]))
        return searches.map(({ regionId }) => times.get(regionId) ?? 0)
      },
      ({ events }) => events.length,
      maxSearchedEvents,
    )
  }

  /** Returns whether the stored rows of events are their only versions. True is certain; false is not. */
  async areNew(search: EventSearch): Promise<boolean> {
    // Only searches in the same weeks are joined, because the joined query reads the time range of all.
    const weeks = [search.from, search.to].map((time) => Math.floor(time / weekMs))
    return (await this.#groups.add(weeks.join(), search)) === search.events.length
  }
}

const listDistinctValues = (
  searches: readonly EventSearch[],
  getValue: (event: VehicleEvent) => string,
): string[] => [...new Set(searches.flatMap(({ events }) => events.map(getValue)))]

/**
 * Builds SQL for the number of rows by region that may be versions of the searched events. The conditions
 * combine all searches, so more rows may match than are versions. With as many rows as events, all events are
 * new.
 */
const versionCountsSql = (searches: readonly EventSearch[]): Sql => {
  const from = Math.min(...searches.map((search) => search.from))
  const to = Math.max(...searches.map((search) => search.to))
  const regionIds = [...new Set(searches.map(({ regionId }) => regionId))]
  const operators = listDistinctValues(searches, ({ operator }) => operator)
  const deviceIds = listDistinctValues(searches, ({ deviceId }) => deviceId)
  const eventIds = listDistinctValues(searches, ({ eventId }) => eventId)
  return sql`
  select region_id, toString(count()) as times
  from ${factTable('vehicle_events')}
  where
    region_id in ${bind('Array(String)', regionIds)}
    and event_time between ${toDateTime(from)} and ${toDateTime(to)}
    and operator in ${bind('Array(String)', operators)}
    and device_id in ${bind('Array(UUID)', deviceIds)}
    and event_id in ${bind('Array(UUID)', eventIds)}
  group by region_id`
}
