import type { z } from 'zod'
import {
  type getBikeshareStations,
  knownMinutes,
  maxStationDays,
  type StationReport,
  type StationRow,
} from '#contract/bikeshare.ts'
import { currencyDigits } from '#contract/money.ts'
import { addDays, dayNumber, minuteMs } from '#contract/period.ts'
import type { Region } from '#contract/regions.ts'
import { formatMinor, Rational } from '#server/billing/rational.ts'
import { Problem } from '#server/http/problem.ts'
import {
  listStationSystems,
  readStationFigures,
  type StationFigures,
} from '#server/fleet/stations/read-station-figures.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import { makeReportWindows } from './report-windows.ts'

export type StationQuestion = Omit<z.output<(typeof getBikeshareStations)['request']['query']>, 'format'>

export interface StationCaller {
  scope: Scope
  region: Region
  at: Date
  signal: AbortSignal
}

/** Converts ms to minutes with three decimals, which is a resolution of 60 ms. */
const toMinutes = (ms: number): number => Math.round(ms / 60) / 1000
/** Returns a number; null if it is unknown (NaN) or infinite. */
const finiteOrNull = (value: number): number | null => (Number.isFinite(value) ? value : null)

function rejectQuestion(path: string, message: string): never {
  throw new Problem('validation_error', `${path}: ${message}`, [{ path, message }])
}

/** Checks a question except for reversed days, which were rejected before. @throws Problem if invalid. */
export function checkStationQuestion(
  { start_date, end_date, window_from, window_until }: StationQuestion,
  timezone: string,
  now: number,
): void {
  if (dayNumber(end_date) - dayNumber(start_date) >= maxStationDays)
    rejectQuestion('query.end_date', `One report holds ${maxStationDays} days at most`)
  if (window_until <= window_from) rejectQuestion('query.window_until', 'The window ends before it begins')
  const day = { start_date, end_date: start_date }
  if (!makeReportWindows(day, { from: '00:00', until: '24:00' }, timezone, now).length)
    rejectQuestion('query.start_date', 'The period begins in the future')
}

/** Computes a station's penalty in minor units, rounded, so that stations add up to the total. */
const computePenalty = (beyondMs: number, price: string, digits: number): bigint =>
  Rational.of(price)
    .times(new Rational(BigInt(beyondMs), BigInt(minuteMs)))
    .rounded(digits)

type StationSums = Pick<
  StationFigures,
  | 'knownMs'
  | 'installedMs'
  | 'rentingMs'
  | 'returningMs'
  | 'emptyMs'
  | 'fullMs'
  | 'eitherMs'
  | 'maxEmptyMs'
  | 'maxFullMs'
  | 'beyondMs'
  | 'runsBeyond'
  | 'disabledMean'
  | 'starts'
  | 'ends'
  | 'capacity'
>

/** What figures of stations are related to. */
interface ReportTerms {
  windowMs: number
  /** Number of windows. */
  days: number
  /** Formats the penalty for a time beyond the tolerance; null without a price. */
  formatPenalty: (beyondMs: number) => string | null
}

const computeFigures = (sums: StationSums, { windowMs, days, formatPenalty }: ReportTerms) => ({
  window_minutes: toMinutes(windowMs),
  known_minutes: toMinutes(sums.knownMs),
  unknown_minutes: toMinutes(windowMs - sums.knownMs),
  installed_minutes: toMinutes(sums.installedMs),
  renting_minutes: toMinutes(sums.rentingMs),
  returning_minutes: toMinutes(sums.returningMs),
  empty_minutes: toMinutes(sums.emptyMs),
  full_minutes: finiteOrNull(toMinutes(sums.fullMs)),
  longest_empty_minutes: toMinutes(sums.maxEmptyMs),
  longest_full_minutes: finiteOrNull(toMinutes(sums.maxFullMs)),
  empty_or_full_share: finiteOrNull(sums.eitherMs / sums.knownMs),
  runs_beyond_tolerance: sums.runsBeyond,
  minutes_beyond_tolerance: toMinutes(sums.beyondMs),
  penalty: formatPenalty(sums.beyondMs),
  vehicles_disabled_mean: finiteOrNull(sums.disabledMean),
  starts: sums.starts,
  ends: sums.ends,
  net_flow: sums.ends - sums.starts,
  turnover_per_dock: finiteOrNull((sums.starts + sums.ends) / 2 / sums.capacity / days),
  coverage: sums.knownMs / windowMs,
})

type GetFigure = (station: StationFigures) => number

/** Returns the sum of known values; 0 if no station has one. */
const sumValues = (stations: readonly StationFigures[], getFigure: GetFigure): number =>
  stations
    .map(getFigure)
    .filter(Number.isFinite)
    .reduce((total, value) => total + value, 0)
/** Returns the sum of known values; NaN if no station has one. */
const sumKnownValues = (stations: readonly StationFigures[], getFigure: GetFigure): number =>
  stations.map(getFigure).some(Number.isFinite) ? sumValues(stations, getFigure) : Number.NaN
/** Finds the largest known value; NaN if no station has one. */
const findMax = (stations: readonly StationFigures[], getFigure: GetFigure): number => {
  const knownValues = stations.map(getFigure).filter(Number.isFinite)
  return knownValues.length ? Math.max(...knownValues) : Number.NaN
}

const sumStations = (stations: readonly StationFigures[]): StationSums => ({
  knownMs: sumValues(stations, ({ knownMs }) => knownMs),
  installedMs: sumValues(stations, ({ installedMs }) => installedMs),
  rentingMs: sumValues(stations, ({ rentingMs }) => rentingMs),
  returningMs: sumValues(stations, ({ returningMs }) => returningMs),
  emptyMs: sumValues(stations, ({ emptyMs }) => emptyMs),
  fullMs: sumKnownValues(stations, ({ fullMs }) => fullMs),
  eitherMs: sumValues(stations, ({ eitherMs }) => eitherMs),
  maxEmptyMs: stations.length ? findMax(stations, ({ maxEmptyMs }) => maxEmptyMs) : 0,
  maxFullMs: findMax(stations, ({ maxFullMs }) => maxFullMs),
  beyondMs: sumValues(stations, ({ beyondMs }) => beyondMs),
  runsBeyond: sumValues(stations, ({ runsBeyond }) => runsBeyond),
  disabledMean: sumKnownValues(stations, ({ disabledMean }) => disabledMean),
  starts: sumValues(stations, ({ starts }) => starts),
  ends: sumValues(stations, ({ ends }) => ends),
  capacity: sumKnownValues(stations, ({ capacity }) => capacity),
})

/** Returns the row of a station. @param end When the last window ended, ms. */
const toStationRow = (station: StationFigures, terms: ReportTerms, end: number): StationRow => ({
  operator: station.operator,
  feed_id: station.feedId,
  station_id: station.stationId,
  station: station.name,
  lon: finiteOrNull(station.lon),
  lat: finiteOrNull(station.lat),
  capacity: finiteOrNull(station.capacity),
  ...computeFigures(station, terms),
  last_report_age_minutes: finiteOrNull(toMinutes(Math.max(0, end - station.reported))),
})

/** Returns the totals of all stations. Their penalty is the sum of the rounded penalties of stations. */
function toTotalsRow(
  stations: readonly StationFigures[],
  terms: ReportTerms,
  penalty: string | null,
): StationReport['totals'] {
  const windowMs = terms.windowMs * stations.length
  return {
    stations: stations.length,
    capacity: finiteOrNull(sumKnownValues(stations, ({ capacity }) => capacity)),
    ...computeFigures(sumStations(stations), { ...terms, windowMs }),
    penalty,
    coverage: stations.length ? sumValues(stations, ({ knownMs }) => knownMs) / windowMs : 0,
  }
}

/** Returns the station report of a region. @throws Problem if the question is invalid. */
export async function readStationReport(
  facts: Facts,
  { scope, region, at, signal }: StationCaller,
  question: StationQuestion,
): Promise<StationReport> {
  const { regionId, timezone, currencyCode } = region
  const now = at.getTime()
  checkStationQuestion(question, timezone, now)
  const { start_date, end_date, window_from, window_until, tolerance, price_per_minute: price } = question
  const windows = makeReportWindows(question, { from: window_from, until: window_until }, timezone, now)
  const operators = (question.operators ?? '').split(',').flatMap((slug) => slug.trim() || [])
  const [figures, systems] = await Promise.all([
    readStationFigures(
      facts,
      scope,
      { regionId, operators, windows },
      { toleranceMs: tolerance * minuteMs, signal },
    ),
    listStationSystems(facts, scope, regionId),
  ])
  const { stations, days } = figures
  const digits = currencyDigits(currencyCode)
  const terms: ReportTerms = {
    windowMs: windows.reduce((total, { from, until }) => total + until - from, 0),
    days: windows.length,
    formatPenalty: (beyondMs) =>
      price === undefined ? null : formatMinor(computePenalty(beyondMs, price, digits), digits),
  }
  const totalPenalty =
    price === undefined
      ? null
      : stations.reduce((sum, { beyondMs }) => sum + computePenalty(beyondMs, price, digits), 0n)
  const end = windows.at(-1)?.until ?? now
  const shownSystems = systems.filter(({ operator }) => !operators.length || operators.includes(operator))
  const newestPoll = shownSystems.reduce((newest, { last }) => Math.max(newest, last), 0)
  const dayFigures = new Map(days.map((day) => [day.day, day]))
  return {
    start_date,
    end_date,
    parameters: {
      timezone,
      window_from,
      window_until,
      tolerance,
      price_per_minute: price ?? null,
      currency: currencyCode,
      known_minutes: knownMinutes,
    },
    systems: shownSystems.map(({ operator, feedId }) => ({
      operator,
      feed_id: feedId,
      flow_source: figures.operatorsWithTrips.includes(operator) ? 'trips' : 'counts',
    })),
    stations: stations.map((station) => toStationRow(station, terms, end)),
    totals: toTotalsRow(stations, terms, totalPenalty === null ? null : formatMinor(totalPenalty, digits)),
    days: windows.map(({ day }) => {
      const { knownMs = 0, emptyMs = 0, fullMs = 0 } = dayFigures.get(day) ?? {}
      return {
        date: addDays(start_date, day),
        known_minutes: toMinutes(knownMs),
        empty_minutes: toMinutes(emptyMs),
        full_minutes: toMinutes(fullMs),
        empty_share: finiteOrNull(emptyMs / knownMs),
        full_share: finiteOrNull(fullMs / knownMs),
      }
    }),
    newest_poll: newestPoll > 0 ? new Date(newestPoll).toISOString() : null,
  }
}
