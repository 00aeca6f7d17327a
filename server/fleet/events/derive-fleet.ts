import { randomUUID } from 'node:crypto'
import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import { bind, type Sql, sql } from '#server/stores/sql.ts'
import { markColumns } from './dirty-marks.ts'
import { type DerivationStep, dirtyVehicles, type FleetDerivation } from './fleet-derivation.ts'
import { intervalColumns, stateIntervals } from './queries/intervals.ts'
import { parkingColumns, parkingEvents } from './queries/parking-events.ts'
import { derivationSpans } from './queries/spans.ts'
import { withdrawnRows } from './queries/withdrawn-rows.ts'

/** A span that begins so long before the latest ones is a long one. */
const longSpanDays = 2

/**
 * Derives intervals and parking events of the dirty vehicles again, from the last moment before the change from which on the past
 * does not matter. The same events end in the same facts, in whatever order and parts they came. Returns from which moment on rows may
 * have changed (`since`, ms; Infinity: none), and the run of the list of these vehicles: the caller takes back its marks and those of the
 * derived runs once all is derived.
 */
export async function deriveFleet(
  store: Facts,
  scope: Scope,
  derivation: FleetDerivation,
): Promise<{ since: number; spans: string }> {
  const { regionId, runIds } = derivation
  const spans = randomUUID()
  await store.add(scope, 'fleet_marks', markColumns, derivationSpans(regionId, runIds, spans), limits)
  let since = Infinity
  // A few vehicles that rested long, or of which the whole past counts, would make every vehicle's past be read: they go by themselves.
  for (const group of await store.rows<Pick<DerivationStep, 'since' | 'before'>>(
    scope,
    spanGroups(regionId, spans),
  )) {
    since = Math.min(since, Number(group.since))
    const steps: DerivationStep = { ...derivation, spans, ...group }
    await Promise.all([
      deriveRows(store, scope, steps, 'vehicle_intervals', intervalColumns, stateIntervals(steps)),
      deriveRows(store, scope, steps, 'parking_events', parkingColumns, parkingEvents(steps)),
    ])
  }
  return { since, spans }
}

const limits = { limits: { seconds: 600, memory: 8 * 2 ** 30 }, areDistinct: true }

/** Writes new rows first, then removes old ones: a concurrent reader sees each moment at least once. */
async function deriveRows(
  store: Facts,
  scope: Scope,
  steps: DerivationStep,
  table: 'vehicle_intervals' | 'parking_events',
  columns: readonly string[],
  rows: Sql,
): Promise<void> {
  await store.add(scope, table, columns, rows, limits)
  if (!steps.isFirst) await store.add(scope, table, columns, withdrawnRows(table, columns, steps), limits)
}

/** The spans in groups by how far back they begin, ms: all of the past, long, short. */
const spanGroups = (regionId: string, spans: string): Sql => sql`
  select toString(min(from_ms)) as since, toString(max(from_ms) + 1) as before
  from (
    select toUnixTimestamp64Milli(from_time) as from_ms, multiIf(from_ms = 0, 0, from_ms < max(from_ms) over () - ${bind('UInt32', longSpanDays)} * 86400000, 1, 2) as length
    from (${dirtyVehicles(regionId, [spans])})
  )
  group by length
  order by length desc`
