import { randomUUID } from 'node:crypto'
import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import { bind, type Sql, sql } from '#server/stores/sql.ts'
import { markColumns } from './dirty-marks.ts'
import { type DerivationStep, dirtyVehiclesSql, type FleetDerivation } from './fleet-derivation.ts'
import { intervalColumns, stateIntervalRows } from './queries/intervals.ts'
import { parkingColumns, parkingEventRows } from './queries/parking-events.ts'
import { derivationSpanRows } from './queries/spans.ts'
import { deletionRows } from './queries/deletion-rows.ts'

/** A span that begins more than this many days before the newest one is long. */
const longSpanDays = 2

/**
 * Derives intervals and parking events of the dirty vehicles, each from its last break before the change
 * (queries/spans.ts). The result depends only on the stored events, not on the order in which they arrived.
 *
 * Returns the first instant at which rows may have changed (`since`, ms; Infinity: none), and the run under
 * which the spans of these vehicles are listed (`spanRunId`). When everything is derived, the caller
 * withdraws the marks of that run and of the derived runs.
 */
export async function deriveFleet(
  facts: Facts,
  scope: Scope,
  derivation: FleetDerivation,
): Promise<{ since: number; spanRunId: string }> {
  const { regionId, runIds } = derivation
  const spanRunId = randomUUID()
  await facts.add(scope, 'fleet_marks', {
    columns: markColumns,
    rows: derivationSpanRows(regionId, runIds, spanRunId),
    ...queryOptions,
  })
  let since = Infinity
  // Vehicles that need a long history are derived separately, so that the others read only recent events.
  for (const group of await facts.rows<Pick<DerivationStep, 'since' | 'before'>>(
    scope,
    spanGroupsSql(regionId, spanRunId),
  )) {
    since = Math.min(since, Number(group.since))
    const step: DerivationStep = { ...derivation, spanRunId, ...group }
    await Promise.all([
      deriveRows(facts, scope, step, {
        table: 'vehicle_intervals',
        columns: intervalColumns,
        rows: stateIntervalRows(step),
      }),
      deriveRows(facts, scope, step, {
        table: 'parking_events',
        columns: parkingColumns,
        rows: parkingEventRows(step),
      }),
    ])
  }
  return { since, spanRunId }
}

/** 10 minutes and 8 GiB. `areDistinct`: the rows have distinct keys. */
const queryOptions = { limits: { seconds: 600, memory: 8 * 2 ** 30 }, areDistinct: true }

interface DerivedRows {
  table: 'vehicle_intervals' | 'parking_events'
  columns: readonly string[]
  rows: Sql
}

/** Inserts new rows first, then withdraws old ones, so that concurrent readers never miss a time. */
async function deriveRows(
  facts: Facts,
  scope: Scope,
  step: DerivationStep,
  { table, columns, rows }: DerivedRows,
): Promise<void> {
  await facts.add(scope, table, { columns, rows, ...queryOptions })
  if (!step.isFirst)
    await facts.add(scope, table, { columns, rows: deletionRows(table, columns, step), ...queryOptions })
}

/** Builds SQL for groups of spans by how far back they begin: short, long, entire past. Times are ms. */
const spanGroupsSql = (regionId: string, spanRunId: string): Sql => sql`
  select toString(min(from_ms)) as since, toString(max(from_ms) + 1) as before
  from (
    select
      toUnixTimestamp64Milli(from_time) as from_ms,
      multiIf(
        from_ms = 0,
        0,
        from_ms < max(from_ms) over () - ${bind('UInt32', longSpanDays)} * 86400000,
        1,
        2
      ) as length
    from (${dirtyVehiclesSql(regionId, [spanRunId])})
  )
  group by length
  order by length desc`
