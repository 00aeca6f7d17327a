import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { Sql } from '#server/stores/sql.ts'
import {
  operatorsWithTripsSql,
  stationChangesSql,
  stationDaysSql,
  stationDetailsSql,
  stationReportsSql,
  stationRunsSql,
  stationSumsSql,
  stationSystemsSql,
  stationTripsSql,
} from './queries/station-figures.ts'
import type { StationQuery } from './station-query.ts'

/** A trip starts or ends at a station if it is within this distance. */
export const stationRadiusMeters = 50

interface StationKey {
  operator: string
  feed_id: string
  station_id: string
}

/** Figures of a station within the windows. Numbers are NaN if unknown. */
export interface StationFigures {
  operator: string
  feedId: string
  stationId: string
  name: string
  lon: number
  lat: number
  capacity: number
  knownMs: number
  installedMs: number
  rentingMs: number
  returningMs: number
  emptyMs: number
  /** NaN also if the feed does not report the number of available docks. */
  fullMs: number
  /** Time in which it was empty or full. */
  eitherMs: number
  maxEmptyMs: number
  maxFullMs: number
  /** The time beyond the tolerance in which it was empty or full without interruption. */
  beyondMs: number
  /** The number of times in which it was empty or full for longer than the tolerance. */
  runsBeyond: number
  /** Average number of disabled vehicles. */
  disabledMean: number
  starts: number
  ends: number
  /** Time of its last report, ms since 1970. */
  reported: number
}

/** Times in states on one day, over all stations. */
export interface DayFigures {
  /** Index of the day in the report. */
  day: number
  knownMs: number
  emptyMs: number
  fullMs: number
}

/** The figures of a report. */
export interface StationReportFigures {
  stations: StationFigures[]
  days: DayFigures[]
  /** Operators with starts and ends from trips. For others, they come from numbers of vehicles. */
  operatorsWithTrips: string[]
}

const toStationKey = ({ operator, feed_id, station_id }: StationKey): string =>
  JSON.stringify([operator, feed_id, station_id])
const indexByStation = <Row extends StationKey>(rows: readonly Row[]): Map<string, Row> =>
  new Map(rows.map((row) => [toStationKey(row), row]))

type Sums<Name extends string> = StationKey & Record<Name, string>
type SumsRow = Sums<
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
type DayRow = Record<'day' | 'known' | 'empty' | 'full', string>
type RunsRow = Sums<'longest_empty' | 'longest_full' | 'beyond' | 'runs'>
type MovementsRow = Sums<'starts' | 'ends'>
type ReportRow = Sums<'reported'>
type DetailsRow = StationKey & { name: string; lon: number; lat: number; capacity: number | null }

/** Reads the figures of all stations of a region that have a known state within the windows. */
export async function readStationFigures(
  facts: Facts,
  scope: Scope,
  query: StationQuery,
  { toleranceMs, signal }: { toleranceMs: number; signal: AbortSignal },
): Promise<StationReportFigures> {
  if (!query.windows.length) return { stations: [], days: [], operatorsWithTrips: [] }
  const readRows = <Row>(statement: Sql): Promise<Row[]> =>
    facts.rows<Row>(scope, statement, { signal, limits: { seconds: 60 } })
  const [sums, days, runs, changes, reports, trips, tripOperators, details] = await Promise.all([
    readRows<SumsRow>(stationSumsSql(query)),
    readRows<DayRow>(stationDaysSql(query)),
    readRows<RunsRow>(stationRunsSql(query, toleranceMs)),
    readRows<MovementsRow>(stationChangesSql(query)),
    readRows<ReportRow>(stationReportsSql(query)),
    readRows<MovementsRow>(stationTripsSql(query, stationRadiusMeters)),
    readRows<{ operator: string }>(operatorsWithTripsSql(query)),
    readRows<DetailsRow>(stationDetailsSql(query)),
  ])
  const operatorsWithTrips = tripOperators.map(({ operator }) => operator)
  const runsByKey = indexByStation(runs)
  const changesByKey = indexByStation(changes)
  const reportsByKey = indexByStation(reports)
  const tripsByKey = indexByStation(trips)
  const detailsByKey = indexByStation(details)
  const stations = sums.map((row) => {
    const key = toStationKey(row)
    const movementsByKey = operatorsWithTrips.includes(row.operator) ? tripsByKey : changesByKey
    return toStationFigures(row, {
      runs: runsByKey.get(key),
      movements: movementsByKey.get(key),
      report: reportsByKey.get(key),
      details: detailsByKey.get(key),
    })
  })
  return { stations, days: days.map(toDayFigures), operatorsWithTrips }
}

/** What the other queries found about a station. */
interface StationRows {
  runs: RunsRow | undefined
  movements: MovementsRow | undefined
  report: ReportRow | undefined
  details: DetailsRow | undefined
}

/** Combines the rows of a station. `full` -1 means that the feed does not report available docks. */
function toStationFigures(sums: SumsRow, { runs, movements, report, details }: StationRows): StationFigures {
  const full = Number(sums.full)
  return {
    operator: sums.operator,
    feedId: sums.feed_id,
    stationId: sums.station_id,
    name: details?.name || sums.station_id,
    lon: details?.lon ?? Number.NaN,
    lat: details?.lat ?? Number.NaN,
    capacity: details?.capacity ?? Number.NaN,
    knownMs: Number(sums.known),
    installedMs: Number(sums.installed),
    rentingMs: Number(sums.renting),
    returningMs: Number(sums.returning),
    emptyMs: Number(sums.empty),
    fullMs: full < 0 ? Number.NaN : full,
    eitherMs: Number(sums.either),
    maxEmptyMs: Number(runs?.longest_empty ?? 0),
    maxFullMs: full < 0 ? Number.NaN : Number(runs?.longest_full ?? 0),
    beyondMs: Number(runs?.beyond ?? 0),
    runsBeyond: Number(runs?.runs ?? 0),
    // NaN (0 / 0) if the feed never reports the number of disabled vehicles.
    disabledMean: Number(sums.disabled_sum) / Number(sums.disabled_known),
    starts: Number(movements?.starts ?? 0),
    ends: Number(movements?.ends ?? 0),
    reported: report ? Number(report.reported) : Number.NaN,
  }
}

const toDayFigures = ({ day, known, empty, full }: DayRow): DayFigures => ({
  day: Number(day),
  knownMs: Number(known),
  emptyMs: Number(empty),
  fullMs: Number(full),
})

/** A feed with stations: its first and last poll (ms), and the number of stations that it has described. */
export interface StationSystem {
  operator: string
  feedId: string
  first: number
  last: number
  stations: number
}

/** Lists the feeds of a region that have stations with docks. */
export async function listStationSystems(
  facts: Facts,
  scope: Scope,
  regionId: string,
): Promise<StationSystem[]> {
  const rows = await facts.rows<Record<'operator' | 'feed_id' | 'first' | 'last' | 'stations', string>>(
    scope,
    stationSystemsSql(regionId),
  )
  return rows.map(({ operator, feed_id, first, last, stations }) => ({
    operator,
    feedId: feed_id,
    first: Number(first),
    last: Number(last),
    stations: Number(stations),
  }))
}
