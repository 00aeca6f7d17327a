import { stationDefaults } from '#contract/bikeshare.ts'
import type { Language } from '#contract/identity.ts'
import type { Region } from '#contract/regions.ts'
import { requireFeature } from '#server/identity/feature-flags.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'
import { stationReport } from '../bikeshare/station-report.ts'
import type { ReportPeriod } from './due-dates.ts'
import { changeText, dayLabel, shareText, unknownText } from './measure-text.ts'
import type { ReportContent } from './report-data.ts'
import { reportTexts } from './report-texts.ts'
import { stationTexts } from './station-texts.ts'

/** Maximum number of stations in a report; those with the most minutes beyond the tolerance are included. */
const maxStations = 200
/** Increased when figures of the report are computed differently. */
const stationMethodVersion = 1

interface StationQuestion {
  scope: Scope
  region: Region
  period: ReportPeriod
  createdTime: Date
  language: Language
  nameOf: (slug: string) => string
  at: Date
}

/**
 * Makes the bikeshare station report, with default window and tolerance. Throws `not_found` if the
 * organization does not have it.
 */
export async function makeStationContent(
  { state, facts }: { state: State; facts: Facts },
  { scope, region, period, createdTime, language, nameOf, at }: StationQuestion,
): Promise<ReportContent> {
  await requireFeature(state, scope, region.organizationId, 'bikeshareStationReport')
  const texts = reportTexts[language]
  const ownTexts = stationTexts[language]
  const { locale } = texts
  const query = (start_date: string, end_date: string) =>
    stationReport(
      facts,
      { scope, region, at, signal: new AbortController().signal },
      { ...stationDefaults, start_date, end_date },
    )
  const current = await query(period.start_date, period.end_date)
  const previous = await query(period.compare_start_date, period.compare_end_date)
  const number = (value: number | null, digits = 0): string =>
    value === null
      ? unknownText
      : new Intl.NumberFormat(locale, {
          minimumFractionDigits: digits,
          maximumFractionDigits: digits,
        }).format(value)
  const percent = (value: number | null): string => shareText(value, locale)
  const shareOf = (part: number | null, whole: number): number | null =>
    part === null || whole <= 0 ? null : part / whole
  type Totals = typeof current.totals
  const figures: readonly [
    key: keyof typeof ownTexts.figures,
    value: (totals: Totals) => number | null,
    text: (value: number | null) => string,
  ][] = [
    ['stations', ({ stations }) => stations, number],
    ['empty', (totals) => shareOf(totals.empty_minutes, totals.known_minutes), percent],
    ['full', (totals) => shareOf(totals.full_minutes, totals.known_minutes), percent],
    ['runs', (totals) => totals.runs_beyond_tolerance, number],
    ['beyond', (totals) => totals.minutes_beyond_tolerance, number],
    ['starts', ({ starts }) => starts, number],
    ['coverage', ({ stations, coverage }) => (stations ? coverage : null), percent],
  ]
  return {
    language,
    title: texts.titles.bikeshare_stations,
    region: region.text,
    timezone: region.timezone,
    isMetric: region.isMetric,
    period,
    operators: scope.operators?.map(nameOf).toSorted() ?? null,
    newestFact: current.newest_poll,
    figures: figures.map(([key, valueOf, text]) => {
      const [value, before] = [valueOf(current.totals), valueOf(previous.totals)]
      return {
        ...ownTexts.figures[key],
        value: text(value),
        before: text(before),
        change: changeText(value, before, locale),
        version: stationMethodVersion,
      }
    }),
    table: {
      groups: 2,
      header: ownTexts.columns,
      rows: current.stations
        .toSorted(
          (a, b) =>
            b.minutes_beyond_tolerance - a.minutes_beyond_tolerance || a.station.localeCompare(b.station),
        )
        .slice(0, maxStations)
        .map((each) => [
          each.station,
          nameOf(each.operator),
          number(each.empty_minutes),
          number(each.full_minutes),
          number(each.minutes_beyond_tolerance),
        ]),
    },
    charts: [
      {
        title: ownTexts.chart,
        labels: current.days.map(({ date }) => dayLabel(date, locale)),
        series: [
          { name: ownTexts.empty, values: current.days.map((day) => toPercent(day.empty_share)) },
          { name: ownTexts.full, values: current.days.map((day) => toPercent(day.full_share)) },
        ],
      },
    ],
    coverage: current.systems.map(({ operator }) => {
      const stations = current.stations.filter((each) => each.operator === operator)
      const windowMinutes = stations.reduce((sum, each) => sum + each.window_minutes, 0)
      const knownMinutes = stations.reduce((sum, each) => sum + each.known_minutes, 0)
      return { operator: nameOf(operator), share: percent(shareOf(knownMinutes, windowMinutes)) }
    }),
    notes: [
      ownTexts.method(
        current.parameters.window_from,
        current.parameters.window_until,
        current.parameters.tolerance,
        current.parameters.known_minutes,
        region.timezone,
      ),
    ],
    createdTime: createdTime.toISOString(),
  }
}

const toPercent = (share: number | null): number | null => (share === null ? null : share * 100)
