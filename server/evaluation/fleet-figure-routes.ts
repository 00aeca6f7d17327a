import * as contract from '#contract/fleet-figures.ts'
import { type Route, route } from '#server/http/route.ts'
import type { Viewer } from '#server/http/viewer.ts'
import { findRegion } from '#server/regions/find-region.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { State } from '#server/stores/state.ts'
import { type FleetAsked, readFleetQuery } from './fleet/fleet-asked.ts'
import { fleetByHour } from './fleet/fleet-by-hour.ts'
import { fleetByPeriod } from './fleet/fleet-by-period.ts'
import { nonOperationalSummary } from './fleet/non-operational-summary.ts'
import { newestNonOperational, type NonOperationalRow } from './queries/non-operational.ts'
import { medianDistance, tripsByPeriod, type TripsOfPeriod } from './queries/trips-by-period.ts'

interface Call {
  viewer: Viewer
  params: { region_id: string }
  query: contract.FleetQuery
  at: Date
  signal: AbortSignal
}

const median = { name: 'median', version: 1 }

/** The calls about a region's fleet and its trips over time. */
export function fleetFigureRoutes(state: State, facts: Facts): Route[] {
  const read = async ({ viewer: { scope }, params, query, at, signal }: Call): Promise<FleetAsked> => readFleetQuery(scope, await findRegion(state, scope, params.region_id), query, at, signal)
  return [
    route(contract.getVehiclesByHour, async (call) => fleetByHour(facts, await read(call))),
    route(contract.getVehiclesByTimePeriod, async (call) => fleetByPeriod(facts, await read(call), call.query.period, call.query.method)),
    route(contract.getNonOperationalSummary, async (call) => nonOperationalSummary(facts, await read(call))),
    route(contract.listNonOperationalEvents, async (call) => {
      const fleet = await read(call)
      const rows = await facts.rows<NonOperationalRow>(fleet.scope, newestNonOperational(fleet), { signal: call.signal })
      return { items: rows.map(({ begins, ends, ...row }) => ({ ...row, from: Number(begins), to: Number(ends) > fleet.now ? null : Number(ends) })) }
    }),
    route(contract.getTripsByTimePeriod, async (call) => {
      const { scope, filters } = await read(call)
      const rows = await facts.rows<TripsOfPeriod>(scope, tripsByPeriod(filters, call.query.period), { signal: call.signal })
      return { items: rows.map((row) => ({ start: row.start, operator: row.operator, trips: Number(row.trips), median_distance_m: Number(row.measured) ? row.median_distance : null, median_duration_s: Number(row.timed) ? row.median_duration : null })), method: median }
    }),
    route(contract.getMedianTripDistance, async (call) => {
      const { scope, filters } = await read(call)
      const [row] = await facts.rows<{ n: string; median: number | null }>(scope, medianDistance(filters), { signal: call.signal })
      const n = Number(row?.n ?? 0)
      return { median_distance_m: n ? (row?.median ?? null) : null, n, method: median }
    }),
  ]
}
