import type { TFunction } from 'i18next'
import { getBikeshareStations, type StationReport, type StationRow } from '#contract/bikeshare.ts'
import { type Layer, listLayers } from '#contract/geography.ts'
import { endpointQuery } from '#web/data/query.ts'
import { formatPeriod } from '#web/filters/period.ts'
import { formatDateTime, formatInteger, formatMoney, formatNumber, formatPercent } from '#web/kit/format.ts'
import type { Metric } from '#web/kit/metric-tile.tsx'
import { Table } from '#web/kit/table/table.tsx'
import { column, type TableColumn } from '#web/kit/table/table-column.ts'
import { useSearchState } from '#web/shell/use-search-state.ts'
import { parseClock, formatTimeOfDay } from '#web/kit/time/time-of-day.ts'
import type { Dashboard } from '../dashboard.tsx'
import { operatorName } from '../measure-format.ts'
import { combineQueries } from '../report-queries.ts'
import { type ReportContext, reportPeriod } from '../report-search.ts'
import { StationMap } from './station-map.tsx'
import { readStationSearch, stationKey, stationQuery, type StationSearch } from './station-search.ts'
import { getTermFilters } from './station-terms.tsx'

interface StationReportData {
  report: StationReport
  layers: { items: Layer[] }
}

/** Below this, coverage would be formatted as less than 100%. */
const fullCoverage = 0.995
/** Maximum number of bars in a chart. */
const maxBars = 20
/** Charts have percent, formatters shares. */
const percentUnit = {
  name: '%',
  format: (value: number | null) => formatPercent(value === null ? null : value / 100),
}
/** Returns the height in pixels of both charts: 21 per station. */
const getChartHeight = (stations: number): number => Math.max(220, 21 * Math.min(stations, maxBars))

/** Tiles of the totals, in display order. */
const tiles = ['stations', 'empty', 'full', 'runs', 'beyond', 'penalty', 'starts', 'coverage'] as const

/** Returns a total of the report as a tile. */
function toTile(key: (typeof tiles)[number], { report }: StationReportData, t: TFunction): Metric {
  const { totals, days, parameters } = report
  const formatPenalty = (value: number): string => formatMoney(value, parameters.currency)
  const toShare = (minutes: number | null): number | null =>
    minutes === null || totals.known_minutes === 0 ? null : minutes / totals.known_minutes
  const figures: Record<
    (typeof tiles)[number],
    { value: number | null; format: (value: number) => string; unit?: string; history?: (number | null)[] }
  > = {
    stations: { value: totals.stations, format: formatInteger },
    empty: {
      value: toShare(totals.empty_minutes),
      format: formatPercent,
      history: days.map(({ empty_share }) => empty_share),
    },
    full: {
      value: toShare(totals.full_minutes),
      format: formatPercent,
      history: days.map(({ full_share }) => full_share),
    },
    runs: { value: totals.runs_beyond_tolerance, format: formatInteger },
    beyond: {
      value: totals.minutes_beyond_tolerance,
      format: formatInteger,
      unit: t('bikeshare:unit.minutes'),
    },
    penalty: { value: totals.penalty === null ? null : Number(totals.penalty), format: formatPenalty },
    starts: { value: totals.starts, format: formatInteger },
    coverage: { value: totals.coverage, format: formatPercent },
  }
  const { value, format, unit = '', history } = figures[key]
  return {
    label: t(`bikeshare:tile.${key}.name`),
    value,
    format,
    unit,
    definition: t(`bikeshare:tile.${key}.definition`, {
      from: formatTimeOfDay(parseClock(parameters.window_from)),
      until: formatTimeOfDay(parseClock(parameters.window_until)),
      tolerance: parameters.tolerance,
      known: parameters.known_minutes,
    }),
    ...(history ? { history } : {}),
    missingReason: key === 'penalty' ? t('bikeshare:noPrice') : t('bikeshare:notTold'),
  }
}

/** Columns of minutes, counts and shares, in the order of the API's CSV. */
const numberColumns = [
  ['capacity', 'integer'],
  ['installed_minutes', 'integer'],
  ['renting_minutes', 'integer'],
  ['returning_minutes', 'integer'],
  ['empty_minutes', 'integer'],
  ['full_minutes', 'integer'],
  ['unknown_minutes', 'integer'],
  ['longest_empty_minutes', 'integer'],
  ['longest_full_minutes', 'integer'],
  ['empty_or_full_share', 'share'],
  ['runs_beyond_tolerance', 'integer'],
  ['minutes_beyond_tolerance', 'integer'],
  ['vehicles_disabled_mean', 'number'],
  ['starts', 'integer'],
  ['ends', 'integer'],
  ['net_flow', 'integer'],
  ['turnover_per_dock', 'number'],
  ['last_report_age_minutes', 'integer'],
  ['coverage', 'share'],
] as const satisfies readonly (readonly [keyof StationRow, string])[]

const formatByKind = {
  integer: formatInteger,
  share: formatPercent,
  number: (value: number | null) => formatNumber(value, 2),
}

function getColumns(context: ReportContext, report: StationReport, t: TFunction): TableColumn<StationRow>[] {
  const { currency } = report.parameters
  const columns = numberColumns.map(([key, kind]): TableColumn<StationRow> =>
    column(key, t(`bikeshare:column.${key}`), (station) => station[key], {
      isNumber: true,
      width: 118,
      renderCell: (station) => formatByKind[kind](station[key]),
    }),
  )
  const penalty: TableColumn<StationRow> = column(
    'penalty',
    t('bikeshare:column.penalty', { currency }),
    (station) => (station.penalty === null ? null : Number(station.penalty)),
    {
      isNumber: true,
      width: 118,
      renderCell: (station) =>
        formatMoney(station.penalty === null ? null : Number(station.penalty), currency),
    },
  )
  // The penalty is beside the minutes that it is charged for.
  const penaltyIndex = numberColumns.findIndex(([key]) => key === 'minutes_beyond_tolerance') + 1
  return [
    column('station', t('bikeshare:column.station'), ({ station }) => station, { width: 180 }),
    column(
      'operator',
      t('bikeshare:column.operator'),
      ({ operator }) => operatorName(context.operators, operator),
      { width: 130, isHidden: report.systems.length < 2 },
    ),
    ...columns.slice(0, penaltyIndex),
    ...(report.parameters.price_per_minute === null ? [] : [penalty]),
    ...columns.slice(penaltyIndex),
  ]
}

interface StationTableProps {
  context: ReportContext
  report: StationReport
  t: TFunction
}

/** The stations, of which one can be selected. */
function StationTable({ context, report, t }: StationTableProps) {
  const { search, replace } = useSearchState(readStationSearch)
  const { totals, parameters } = report
  return (
    <Table
      label={t('bikeshare:table')}
      rows={report.stations}
      rowKey={stationKey}
      fileName={`bikeshare-stations_${report.start_date}_${report.end_date}`}
      defaultSort="-empty_or_full_share"
      selected={search.station}
      onSelect={(station) => replace({ station: station === search.station ? undefined : station })}
      columns={getColumns(context, report, t)}
      totals={{
        ...Object.fromEntries(
          numberColumns.flatMap(([key, kind]) =>
            // An age has no total.
            key === 'last_report_age_minutes' ? [] : [[key, formatByKind[kind](totals[key])]],
          ),
        ),
        penalty: formatMoney(totals.penalty === null ? null : Number(totals.penalty), parameters.currency),
      }}
    />
  )
}

/** Bikeshare Stations: how long stations were empty, full and unknown, by the city's contract terms. */
export const dashboard = (context: ReportContext): Dashboard<StationSearch, StationReportData> => {
  const { region, operators, operatorsError, today, language } = context
  const params = { region_id: region.regionId }
  return {
    page: 'bikeshareStations',
    context: ({ report }, t) =>
      [
        region.text,
        formatPeriod(report, language),
        t('bikeshare:window', {
          from: formatTimeOfDay(parseClock(report.parameters.window_from)),
          until: formatTimeOfDay(parseClock(report.parameters.window_until)),
        }),
        report.newest_poll === null
          ? t('reporting:freshness.none')
          : t('reporting:freshness.newest', { time: formatDateTime(report.newest_poll, region.timezone) }),
        ...(report.totals.stations && report.totals.coverage < fullCoverage
          ? [t('bikeshare:unknown', { share: formatPercent(1 - report.totals.coverage) })]
          : []),
      ].join(' · '),
    readSearch: readStationSearch,
    filters: () => [
      { kind: 'period', today, getDefault: reportPeriod },
      { kind: 'operators', operators, error: operatorsError },
      ...getTermFilters(region.currencyCode),
    ],
    query: (search) =>
      combineQueries<StationReportData>({
        report: endpointQuery(getBikeshareStations, { params, query: stationQuery(search, today) }),
        layers: endpointQuery(listLayers, { params }),
      }),
    isEmpty: ({ report }) => !report.stations.length,
    empty: (t) => ({ title: t('bikeshare:empty.title'), text: t('bikeshare:empty.text') }),
    tiles: tiles.map((key) => (data, t) => toTile(key, data, t)),
    charts: [
      ({ report: { days, stations } }, t) => ({
        title: t('bikeshare:chart.days'),
        context: t('bikeshare:chart.daysDefinition'),
        unit: percentUnit,
        fileName: 'bikeshare-empty-and-full-by-day',
        height: getChartHeight(stations.length),
        chart: {
          kind: 'line',
          axis: {
            title: t('reporting:grain.day'),
            labels: days.map(({ date }) =>
              new Intl.DateTimeFormat(language, { month: 'short', day: 'numeric', timeZone: 'UTC' }).format(
                Date.parse(date),
              ),
            ),
            inProgressIndex: days.at(-1)?.date === today ? days.length - 1 : undefined,
          },
          series: (['empty', 'full'] as const).map((key) => ({
            key,
            name: t(`bikeshare:tile.${key}.name`),
            values: days.map((day) => {
              const value = day[`${key}_share`]
              return value === null ? null : 100 * value
            }),
          })),
        },
      }),
      ({ report: { stations } }, t) => {
        const ranked = stations
          .filter(({ empty_or_full_share: share }) => share !== null)
          .toSorted((a, b) => b.empty_or_full_share! - a.empty_or_full_share!)
        const topStations = ranked.slice(0, maxBars)
        return {
          title: t('bikeshare:chart.ranked'),
          context:
            ranked.length > maxBars
              ? t('bikeshare:chart.first', { count: maxBars, all: ranked.length })
              : t('bikeshare:chart.rankedDefinition'),
          unit: percentUnit,
          fileName: 'bikeshare-stations-ranked',
          height: getChartHeight(stations.length),
          chart: {
            kind: 'ranked-bar',
            axis: { title: t('bikeshare:column.station'), labels: topStations.map(({ station }) => station) },
            series: [
              {
                key: 'share',
                name: t('bikeshare:column.empty_or_full_share'),
                values: topStations.map(({ empty_or_full_share: share }) => 100 * share!),
              },
            ],
          },
        }
      },
    ],
    belowCharts: ({ report, layers }) =>
      report.stations.some(({ lon }) => lon !== null) ? (
        <StationMap region={region} layers={layers.items} stations={report.stations} at={context.at} />
      ) : null,
    table: ({ report }, t) => <StationTable context={context} report={report} t={t} />,
  }
}
