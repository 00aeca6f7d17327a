import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { Sql } from '#server/stores/sql.ts'
import {
  operatorsWithTrips,
  stationChanges,
  stationDays,
  stationDetails,
  stationReports,
  stationRuns,
  stationSums,
  stationSystems,
  stationTrips,
} from './queries/station-figures.ts'
import type { StationQuery } from './station-query.ts'

/** Meters from a station within which a trip starts or ends at it. */
export const stationRadius = 50

interface StationKey {
  operator: string
  feed_id: string
  station_id: string
}

/** What happened at a station within the windows. Times are ms. */
export interface StationFigures {
  operator: string
  feedId: string
  stationId: string
  name: string
  /** NaN: not known, as below. */
  lon: number
  lat: number
  capacity: number
  knownMs: number
  installedMs: number
  rentingMs: number
  returningMs: number
  emptyMs: number
  /** NaN if the feed does not report the number of available docks. */
  fullMs: number
  eitherMs: number
  maxEmptyMs: number
  maxFullMs: number
  beyondMs: number
  runsBeyond: number
  disabledMean: number
  starts: number
  ends: number
  /** When it reported last, ms since 1970. */
  reported: number
}

export interface DayFigures {
  /** Position of the window. */
  day: number
  knownMs: number
  emptyMs: number
  fullMs: number
}

export interface StationReportFigures {
  stations: StationFigures[]
  days: DayFigures[]
  /** Operators with starts and ends that are those of trips; of the others, of numbers of vehicles. */
  operatorsWithTrips: string[]
}

const keyOf = ({ operator, feed_id, station_id }: StationKey): string =>
  JSON.stringify([operator, feed_id, station_id])
const byStation = <Row extends StationKey>(rows: readonly Row[]): Map<string, Row> =>
  new Map(rows.map((row) => [keyOf(row), row]))

/** Everything about the stations of a region within some windows, without stations of which nothing is known then. */
export async function readStationFigures(
  facts: Facts,
  scope: Scope,
  query: StationQuery,
  toleranceMs: number,
  signal: AbortSignal,
): Promise<StationReportFigures> {
  if (!query.windows.length) return { stations: [], days: [], operatorsWithTrips: [] }
  const rowsOf = <Row>(statement: Sql): Promise<Row[]> =>
    facts.rows<Row>(scope, statement, { signal, limits: { seconds: 60 } })
  type Count<Name extends string> = StationKey & Record<Name, string>
  const [sums, days, runs, changes, reports, trips, tripOperators, details] = await Promise.all([
    rowsOf<
      Count<
        | 'known'
        | 'installed'
        | 'renting'
        | 'returning'
        | 'empty'
        | 'full'
        | 'either'
        | 'disabled_sum'
        | 'disabled_known'
      >
    >(stationSums(query)),
    rowsOf<Record<'day' | 'known' | 'empty' | 'full', string>>(stationDays(query)),
    rowsOf<Count<'longest_empty' | 'longest_full' | 'beyond' | 'runs'>>(stationRuns(query, toleranceMs)),
    rowsOf<Count<'starts' | 'ends'>>(stationChanges(query)),
    rowsOf<Count<'reported'>>(stationReports(query)),
    rowsOf<Count<'starts' | 'ends'>>(stationTrips(query, stationRadius)),
    rowsOf<{ operator: string }>(operatorsWithTrips(query)),
    rowsOf<StationKey & { name: string; lon: number; lat: number; capacity: number | null }>(
      stationDetails(query),
    ),
  ])
  const withTrips = tripOperators.map(({ operator }) => operator)
  const [runOf, changeOf, reportOf, tripsOf, detailOf] = [
    byStation(runs),
    byStation(changes),
    byStation(reports),
    byStation(trips),
    byStation(details),
  ]
  const stations = sums.map((row): StationFigures => {
    const key = keyOf(row)
    const [run, detail, report] = [runOf.get(key), detailOf.get(key), reportOf.get(key)]
    const flow = (withTrips.includes(row.operator) ? tripsOf : changeOf).get(key)
    const full = Number(row.full)
    return {
      operator: row.operator,
      feedId: row.feed_id,
      stationId: row.station_id,
      name: detail?.name || row.station_id,
      lon: detail?.lon ?? Number.NaN,
      lat: detail?.lat ?? Number.NaN,
      capacity: detail?.capacity ?? Number.NaN,
      knownMs: Number(row.known),
      installedMs: Number(row.installed),
      rentingMs: Number(row.renting),
      returningMs: Number(row.returning),
      emptyMs: Number(row.empty),
      fullMs: full < 0 ? Number.NaN : full,
      eitherMs: Number(row.either),
      maxEmptyMs: Number(run?.longest_empty ?? 0),
      maxFullMs: full < 0 ? Number.NaN : Number(run?.longest_full ?? 0),
      beyondMs: Number(run?.beyond ?? 0),
      runsBeyond: Number(run?.runs ?? 0),
      // 0 / 0, if the feed never reports the number of disabled ones, is NaN.
      disabledMean: Number(row.disabled_sum) / Number(row.disabled_known),
      starts: Number(flow?.starts ?? 0),
      ends: Number(flow?.ends ?? 0),
      reported: report ? Number(report.reported) : Number.NaN,
    }
  })
  return {
    stations,
    days: days.map(({ day, known, empty, full }) => ({
      day: Number(day),
      knownMs: Number(known),
      emptyMs: Number(empty),
      fullMs: Number(full),
    })),
    operatorsWithTrips: withTrips,
  }
}

/** A feed with stations: when it was polled first and last (ms), and how many stations it has described. */
export interface StationSystem {
  operator: string
  feedId: string
  first: number
  last: number
  stations: number
}

/** The station systems of a region. */
export async function listStationSystems(
  facts: Facts,
  scope: Scope,
  regionId: string,
): Promise<StationSystem[]> {
  const rows = await facts.rows<Record<'operator' | 'feed_id' | 'first' | 'last' | 'stations', string>>(
    scope,
    stationSystems(regionId),
  )
  return rows.map(({ operator, feed_id, first, last, stations }) => ({
    operator,
    feedId: feed_id,
    first: Number(first),
    last: Number(last),
    stations: Number(stations),
  }))
}
