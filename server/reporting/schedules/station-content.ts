import type { StationReport, StationRow } from '#contract/bikeshare.ts'
import type { Language } from '#contract/identity.ts'
import type { Region } from '#contract/regions.ts'
import { requireFeature } from '#server/identity/feature-flags.ts'
import type { ReportFilters } from '#contract/report-schedules.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'
import { readStationReport } from '../bikeshare/station-report.ts'
import type { ReportPeriod } from './due-dates.ts'
import { formatChange, formatDayLabel, formatShare, unknownText } from './measure-text.ts'
import type { ReportContent } from './report-data.ts'
import { reportTexts } from './report-texts.ts'
import { type Figure, stationTexts } from './station-texts.ts'

/** Maximum number of stations in a report; those with the most minutes beyond the tolerance are included. */
const maxStations = 200
/** Increased when figures of the report are computed differently. */
const stationMethodVersion = 1

/** What a report of bikeshare stations is made from. */
interface StationReportOptions {
  scope: Scope
  region: Region
  period: ReportPeriod
  createdTime: Date
  language: Language
  getOperatorName: (slug: string) => string
  filters: ReportFilters
  /** Names of the operators to which the figures are limited; null for all. */
  operators: readonly string[] | null
  at: Date
}

/** Format numbers in the language of a report. */
interface NumberFormats {
  number: (value: number | null) => string
  percent: (value: number | null) => string
}

const createNumberFormats = (locale: string): NumberFormats => ({
  number: (value) =>
    value === null
      ? unknownText
      : new Intl.NumberFormat(locale, { minimumFractionDigits: 0, maximumFractionDigits: 0 }).format(value),
  percent: (value) => formatShare(value, locale),
})

const toShare = (part: number | null, whole: number): number | null =>
  part === null || whole <= 0 ? null : part / whole
const toPercent = (share: number | null): number | null => (share === null ? null : share * 100)

type Totals = StationReport['totals']

/** The figures of the report in their order, with their number formats. */
const figures: readonly {
  key: Figure
  getValue: (totals: Totals) => number | null
  format: keyof NumberFormats
}[] = [
  { key: 'stations', getValue: ({ stations }) => stations, format: 'number' },
  {
    key: 'empty',
    getValue: (totals) => toShare(totals.empty_minutes, totals.known_minutes),
    format: 'percent',
  },
  {
    key: 'full',
    getValue: (totals) => toShare(totals.full_minutes, totals.known_minutes),
    format: 'percent',
  },
  { key: 'runs', getValue: (totals) => totals.runs_beyond_tolerance, format: 'number' },
  { key: 'beyond', getValue: (totals) => totals.minutes_beyond_tolerance, format: 'number' },
  { key: 'starts', getValue: ({ starts }) => starts, format: 'number' },
  { key: 'coverage', getValue: ({ stations, coverage }) => (stations ? coverage : null), format: 'percent' },
]

/** Returns the stations with the most minutes beyond the tolerance. */
const findWorstStations = ({ stations }: StationReport): StationRow[] =>
  stations
    .toSorted(
      (a, b) => b.minutes_beyond_tolerance - a.minutes_beyond_tolerance || a.station.localeCompare(b.station),
    )
    .slice(0, maxStations)

/** Returns the known part of the time of an operator's stations. */
function computeKnownShare({ stations }: StationReport, operator: string): number | null {
  const operatorStations = stations.filter((station) => station.operator === operator)
  const windowMinutes = operatorStations.reduce((sum, { window_minutes: minutes }) => sum + minutes, 0)
  const knownMinutes = operatorStations.reduce((sum, { known_minutes: minutes }) => sum + minutes, 0)
  return toShare(knownMinutes, windowMinutes)
}

/** Makes the station report. @throws Problem `not_found` if the organization does not have it. */
export async function makeStationContent(
  { state, facts }: { state: State; facts: Facts },
  {
    scope,
    region,
    period,
    createdTime,
    language,
    getOperatorName,
    filters,
    operators,
    at,
  }: StationReportOptions,
): Promise<ReportContent> {
  await requireFeature(state, scope, region.organizationId, 'bikeshareStationReport')
  const texts = reportTexts[language]
  const ownTexts = stationTexts[language]
  const { locale } = texts
  const formats = createNumberFormats(locale)
  const { window_from, window_until, tolerance } = filters
  const readPeriod = (start_date: string, end_date: string) =>
    readStationReport(
      facts,
      { scope, region, at, signal: new AbortController().signal },
      { window_from, window_until, tolerance, start_date, end_date, operators: filters.operators.join(',') },
    )
  const current = await readPeriod(period.start_date, period.end_date)
  const previous = await readPeriod(period.compare_start_date, period.compare_end_date)
  const { parameters } = current
  return {
    language,
    title: texts.titles.bikeshare_stations,
    region: region.text,
    timezone: region.timezone,
    isMetric: region.isMetric,
    period,
    operators,
    filters: '',
    newestFact: current.newest_poll,
    figures: figures.map(({ key, getValue, format }) => {
      const value = getValue(current.totals)
      const before = getValue(previous.totals)
      return {
        ...ownTexts.figures[key],
        value: formats[format](value),
        before: formats[format](before),
        change: formatChange(value, before, locale),
        version: stationMethodVersion,
      }
    }),
    table: {
      groups: 2,
      header: ownTexts.columns,
      rows: findWorstStations(current).map((station) => [
        station.station,
        getOperatorName(station.operator),
        formats.number(station.empty_minutes),
        formats.number(station.full_minutes),
        formats.number(station.minutes_beyond_tolerance),
      ]),
    },
    charts: [
      {
        title: ownTexts.chart,
        labels: current.days.map(({ date }) => formatDayLabel(date, locale)),
        series: [
          { name: ownTexts.empty, values: current.days.map((day) => toPercent(day.empty_share)) },
          { name: ownTexts.full, values: current.days.map((day) => toPercent(day.full_share)) },
        ],
      },
    ],
    coverage: current.systems.map(({ operator }) => ({
      operator: getOperatorName(operator),
      share: formats.percent(computeKnownShare(current, operator)),
    })),
    notes: [
      ownTexts.method({
        from: parameters.window_from,
        until: parameters.window_until,
        timezone: region.timezone,
        tolerance: parameters.tolerance,
        known: parameters.known_minutes,
      }),
    ],
    createdTime: createdTime.toISOString(),
  }
}
