import * as contract from '#contract/fleet-figures.ts'
import { defaultPeriod, localDay } from '#contract/period.ts'
import { type Route, route } from '#server/http/route.ts'
import type { Viewer } from '#server/http/viewer.ts'
import { findRegion } from '#server/regions/read-region.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { State } from '#server/stores/state.ts'
import { type FleetQueryContext, readFleetQuery } from './fleet/fleet-query-context.ts'
import { fleetByHour } from './fleet/fleet-by-hour.ts'
import { fleetByPeriod } from './fleet/fleet-by-period.ts'
import {
  newestNonOperational,
  nonOperationalSummary,
  type NonOperationalRow,
} from './fleet/non-operational.ts'
import { type ParkingSums, parkingSums, type TripSums, tripSums } from './queries/region-sums.ts'
import {
  medianDistance,
  type MedianDistanceRow,
  tripsByPeriod,
  type TripsOfPeriod,
} from './queries/trips-by-period.ts'

interface Call {
  viewer: Viewer
  params: { region_id: string }
  query: contract.FleetQuery
  at: Date
  signal: AbortSignal
}

/** Removes undefined parameters, so that they do not override defaults. */
const omitUndefined = <Query extends object>(query: Query): Query =>
  Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined)) as Query

const medianMethod = { name: 'median', version: 1 }

/** The endpoints about a region's fleet and its trips over time. */
export function fleetFigureRoutes(state: State, facts: Facts): Route[] {
  const read = async ({ viewer: { scope }, params, query, at, signal }: Call): Promise<FleetQueryContext> =>
    readFleetQuery({ scope, at, signal }, await findRegion(state, scope, params.region_id), query)
  const readPeriod = async (
    call: Omit<Call, 'query'> & { query: Partial<contract.FleetQuery> },
  ): Promise<FleetQueryContext> => {
    const { viewer, params, at, signal } = call
    const region = await findRegion(state, viewer.scope, params.region_id)
    const query = { ...defaultPeriod(localDay(at, region.timezone)), ...omitUndefined(call.query) }
    return readFleetQuery({ scope: viewer.scope, at, signal }, region, query)
  }
  return [
    route(contract.getRegionMetrics, async (call) => {
      const { scope, filters } = await readPeriod(call)
      const options = { signal: call.signal }
      const [[sums], [distance]] = await Promise.all([
        facts.rows<TripSums>(scope, tripSums(filters), options),
        facts.rows<MedianDistanceRow>(scope, medianDistance(filters), options),
      ])
      const { start_date, end_date } = filters
      return {
        start_date,
        end_date,
        trips: Number(sums?.trips ?? 0),
        operators: Number(sums?.operators ?? 0),
        median_trip_distance_m: Number(distance?.n ?? 0) ? (distance?.median ?? null) : null,
      }
    }),
    route(contract.getRegionParking, async (call) => {
      const { scope, filters, time, now } = await readPeriod(call)
      const rows = await facts.rows<ParkingSums>(scope, parkingSums({ filters, time, now }), {
        signal: call.signal,
      })
      const items = rows.map(({ operator, events, minutes }) => ({
        operator,
        parking_events: Number(events),
        average_parked_duration: minutes / Number(events),
      }))
      const total = items.reduce((sum, { parking_events: events }) => sum + events, 0)
      const minutes = rows.reduce((sum, row) => sum + row.minutes, 0)
      const { start_date, end_date } = filters
      return {
        start_date,
        end_date,
        parking_events: total,
        average_parked_duration: total ? minutes / total : null,
        items,
      }
    }),
    route(contract.getVehiclesByHour, async (call) => fleetByHour(facts, await read(call))),
    route(contract.getVehiclesByTimePeriod, async (call) =>
      fleetByPeriod(facts, await read(call), call.query.period, call.query.method),
    ),
    route(contract.getNonOperationalSummary, async (call) => nonOperationalSummary(facts, await read(call))),
    route(contract.listNonOperationalEvents, async (call) => {
      const fleet = await read(call)
      const rows = await facts.rows<NonOperationalRow>(fleet.scope, newestNonOperational(fleet), {
        signal: call.signal,
      })
      return {
        items: rows.map(({ begins, ends, ...row }) => ({
          ...row,
          from: Number(begins),
          to: Number(ends) > fleet.now ? null : Number(ends),
        })),
      }
    }),
    route(contract.getTripsByTimePeriod, async (call) => {
      const { scope, filters } = await read(call)
      const rows = await facts.rows<TripsOfPeriod>(scope, tripsByPeriod(filters, call.query.period), {
        signal: call.signal,
      })
      return {
        items: rows.map((row) => ({
          start: row.start,
          operator: row.operator,
          trips: Number(row.trips),
          median_distance_m: Number(row.measured) ? row.median_distance : null,
          median_duration_s: Number(row.timed) ? row.median_duration : null,
        })),
        method: medianMethod,
      }
    }),
    route(contract.getMedianTripDistance, async (call) => {
      const { scope, filters } = await read(call)
      const [row] = await facts.rows<MedianDistanceRow>(scope, medianDistance(filters), {
        signal: call.signal,
      })
      const n = Number(row?.n ?? 0)
      return { median_distance_m: n ? (row?.median ?? null) : null, n, method: medianMethod }
    }),
  ]
}
