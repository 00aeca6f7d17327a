import { randomUUID } from 'node:crypto'
import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import { bind, facts, type Sql, sql } from '#server/stores/sql.ts'
import type { FleetDerivation, DerivationStep } from './fleet-derivation.ts'
import { intervalColumns, stateIntervals } from './queries/intervals.ts'
import { parkingColumns, parkingEvents } from './queries/parking-events.ts'
import { derivationSpans } from './queries/spans.ts'
import { withdrawnRows } from './queries/withdrawn-rows.ts'

/** A span that begins so long before the latest ones is a long one. */
const longSpanDays = 2

/**
 * Derives intervals and parking events of the dirty vehicles again, from the last moment before the change from which on the past
 * does not matter. The same events end in the same facts, in whatever order and parts they came. The runs' lists stay, for the caller
 * to empty once all is derived. Returns from which moment on rows may have changed, ms; Infinity: none.
 */
export async function deriveFleet(store: Facts, scope: Scope, derivation: FleetDerivation): Promise<number> {
  const { regionId, runIds } = derivation
  const spans = randomUUID()
  await store.add(
    scope,
    'fleet_dirty',
    ['region_id', 'run_id', 'operator', 'device_id', 'from_time'],
    derivationSpans(regionId, runIds, spans),
    limits,
  )
  let first = Infinity
  // A few vehicles that rested long, or of which the whole past counts, would make every vehicle's past be read: they go by themselves.
  for (const { since, before } of await store.rows<Pick<DerivationStep, 'since' | 'before'>>(
    scope,
    spanGroups(regionId, spans),
  )) {
    first = Math.min(first, Number(since))
    const steps: DerivationStep = { ...derivation, spans, since, before }
    await Promise.all([
      deriveRows(store, scope, steps, 'vehicle_intervals', intervalColumns, stateIntervals(steps)),
      deriveRows(store, scope, steps, 'parking_events', parkingColumns, parkingEvents(steps)),
    ])
  }
  await store.emptyRuns([spans])
  return first
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
    from ${facts('fleet_dirty')}
    where region_id = ${bind('String', regionId)} and run_id = ${bind('UUID', spans)}
  )
  group by length
  order by length desc`
