import * as contract from '#contract/fleet-figures.ts'
import type { TimePeriod } from '#contract/fleet-figures.ts'
import { defaultPeriod, localDay } from '#contract/period.ts'
import { type Route, route } from '#server/http/route.ts'
import type { Viewer } from '#server/http/viewer.ts'
import { findRegion } from '#server/regions/read-region.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { State } from '#server/stores/state.ts'
import { type FleetQueryContext, readFleetQuery } from './fleet/fleet-query-context.ts'
import { readFleetByHour } from './fleet/fleet-by-hour.ts'
import { readFleetByPeriod } from './fleet/fleet-by-period.ts'
import {
  newestNonOperationalSql,
  summarizeNonOperational,
  type NonOperationalRow,
} from './fleet/non-operational.ts'
import { type ParkingSums, parkingSumsSql, type TripSums, tripSumsSql } from './queries/region-sums.ts'
import {
  medianDistanceSql,
  type MedianDistanceRow,
  tripsByPeriodSql,
  type TripsOfPeriod,
} from './queries/trips-by-period.ts'

interface FleetCall {
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

/** Routes of the fleet's figures: trips, parking and vehicles of a region over time. */
export function fleetFigureRoutes(state: State, facts: Facts): Route[] {
  const readQuery = async ({
    viewer: { scope },
    params,
    query,
    at,
    signal,
  }: FleetCall): Promise<FleetQueryContext> =>
    readFleetQuery({ scope, at, signal }, await findRegion(state, scope, params.region_id), query)
  const readPeriodQuery = async (
    call: Omit<FleetCall, 'query'> & { query: Partial<contract.FleetQuery> },
  ): Promise<FleetQueryContext> => {
    const { viewer, params, at, signal } = call
    const region = await findRegion(state, viewer.scope, params.region_id)
    const query = { ...defaultPeriod(localDay(at, region.timezone)), ...omitUndefined(call.query) }
    return readFleetQuery({ scope: viewer.scope, at, signal }, region, query)
  }
  return [
    route(contract.getRegionMetrics, async (call) => readRegionMetrics(facts, await readPeriodQuery(call))),
    route(contract.getRegionParking, async (call) => readRegionParking(facts, await readPeriodQuery(call))),
    route(contract.getVehiclesByHour, async (call) => readFleetByHour(facts, await readQuery(call))),
    route(contract.getVehiclesByTimePeriod, async (call) =>
      readFleetByPeriod(facts, await readQuery(call), call.query.period, call.query.method),
    ),
    route(contract.getNonOperationalSummary, async (call) =>
      summarizeNonOperational(facts, await readQuery(call)),
    ),
    route(contract.listNonOperationalEvents, async (call) =>
      listNonOperationalEvents(facts, await readQuery(call)),
    ),
    route(contract.getTripsByTimePeriod, async (call) =>
      readTripsByPeriod(facts, await readQuery(call), call.query.period),
    ),
    route(contract.getMedianTripDistance, async (call) => {
      const { median, n } = await readMedianDistance(facts, await readQuery(call))
      return { median_distance_m: median, n, method: medianMethod }
    }),
  ]
}

/** Reads the median distance of trips (m; null if none), and the number of trips that it includes. */
async function readMedianDistance(
  facts: Facts,
  { scope, filters, signal }: FleetQueryContext,
): Promise<{ median: number | null; n: number }> {
  const [row] = await facts.rows<MedianDistanceRow>(scope, medianDistanceSql(filters), { signal })
  const n = Number(row?.n ?? 0)
  return { median: n ? (row?.median ?? null) : null, n }
}

/** Reads trips, operators and median distance of a region. */
async function readRegionMetrics(facts: Facts, fleet: FleetQueryContext) {
  const { scope, filters, signal } = fleet
  const [[sums], { median }] = await Promise.all([
    facts.rows<TripSums>(scope, tripSumsSql(filters), { signal }),
    readMedianDistance(facts, fleet),
  ])
  return {
    start_date: filters.start_date,
    end_date: filters.end_date,
    trips: Number(sums?.trips ?? 0),
    operators: Number(sums?.operators ?? 0),
    median_trip_distance_m: median,
  }
}

/** Returns number and mean duration (minutes) of the parking events of a region, in total and by operator. */
async function readRegionParking(facts: Facts, { scope, filters, time, now, signal }: FleetQueryContext) {
  const rows = await facts.rows<ParkingSums>(scope, parkingSumsSql({ filters, time, now }), { signal })
  const items = rows.map(({ operator, events, minutes }) => ({
    operator,
    parking_events: Number(events),
    average_parked_duration: minutes / Number(events),
  }))
  const eventCount = items.reduce((sum, { parking_events: events }) => sum + events, 0)
  const totalMinutes = rows.reduce((sum, row) => sum + row.minutes, 0)
  return {
    start_date: filters.start_date,
    end_date: filters.end_date,
    parking_events: eventCount,
    average_parked_duration: eventCount ? totalMinutes / eventCount : null,
    items,
  }
}

/** Lists the newest times in which vehicles were non-operational (ms). `to`: null if it has not ended. */
async function listNonOperationalEvents(facts: Facts, fleet: FleetQueryContext) {
  const { scope, now, signal } = fleet
  const rows = await facts.rows<NonOperationalRow>(scope, newestNonOperationalSql(fleet), { signal })
  return {
    items: rows.map(({ begins, ends, ...row }) => ({
      ...row,
      from: Number(begins),
      to: Number(ends) > now ? null : Number(ends),
    })),
  }
}

/** Reads trips with median distance and duration, by operator and period. */
async function readTripsByPeriod(
  facts: Facts,
  { scope, filters, signal }: FleetQueryContext,
  period: TimePeriod,
) {
  const rows = await facts.rows<TripsOfPeriod>(scope, tripsByPeriodSql(filters, period), { signal })
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
}
