import { randomUUID } from 'node:crypto'
import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import { bind, facts, type Sql, sql } from '#server/stores/sql.ts'
import type { Derivation, Steps } from './derivation.ts'
import { intervalColumns, intervalsOf } from './queries/intervals.ts'
import { parkingColumns, parkingEventsOf } from './queries/parking-events.ts'
import { spansOf } from './queries/spans.ts'
import { withdrawnRows } from './queries/withdrawn-rows.ts'

/**
 * Derives intervals and parking events of the touched vehicles anew, from the last moment before the change from which on the past
 * does not matter. The same events end in the same facts, in whatever order and pieces they came.
 */
export async function deriveFleet(store: Facts, scope: Scope, derivation: Derivation): Promise<void> {
  const { regionId, runIds } = derivation
  const spans = randomUUID()
  const limits = { limits: { seconds: 600, memory: 8 * 2 ** 30 } }
  await store.add(scope, 'fleet_dirty', ['region_id', 'run_id', 'operator', 'device_id', 'from_time'], spansOf(regionId, runIds, spans), limits)
  // Vehicles whose whole past counts would make every vehicle's be read: they go by themselves.
  for (const isOld of [false, true]) {
    const [found] = await store.rows<{ since: string; vehicles: string }>(scope, sinceOf(regionId, spans, isOld))
    if (!found || found.vehicles === '0') continue
    const steps: Steps = { ...derivation, spans, since: found.since, isOld }
    // New rows first, then the old ones that have none: a reader in between sees each moment at least once.
    await store.add(scope, 'vehicle_intervals', intervalColumns, intervalsOf(steps), limits)
    await store.add(scope, 'vehicle_intervals', intervalColumns, withdrawnRows('vehicle_intervals', intervalColumns, steps), limits)
    await store.add(scope, 'parking_events', parkingColumns, parkingEventsOf(steps), limits)
    await store.add(scope, 'parking_events', parkingColumns, withdrawnRows('parking_events', parkingColumns, steps), limits)
  }
  await store.emptyRuns([...runIds, spans])
}

const sinceOf = (regionId: string, spans: string, isOld: boolean): Sql => sql`
  select toString(toUnixTimestamp64Milli(min(from_time))) as since, toString(count()) as vehicles
  from ${facts('fleet_dirty')}
  where region_id = ${bind('String', regionId)} and run_id = ${bind('UUID', spans)} and (toUnixTimestamp64Milli(from_time) = 0) = ${bind('UInt8', isOld ? 1 : 0)}`
