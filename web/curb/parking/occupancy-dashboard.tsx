import { Button, NumberInput, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { TFunction } from 'i18next'
import {
  exportOccupancy,
  getOccupancy,
  getOccupancyDataTypes,
  type OccupancyResponse,
  occupancyKinds,
  type ZoneOccupancy,
} from '#contract/curb-occupancy.ts'
import { type CurbZoneChoice, listCurbZoneChoices } from '#contract/curb-zones.ts'
import type { LocalDay } from '#contract/period.ts'
import type { Region } from '#contract/regions.ts'
import { endpointUrl } from '#web/data/endpoint-url.ts'
import { endpointQuery } from '#web/data/query.ts'
import type { Filter } from '#web/filters/filter.ts'
import { formatPeriod } from '#web/filters/period.ts'
import { formatMediumDay } from '#web/kit/dates/calendar-text.ts'
import { formatInteger, formatNumber, formatPercent, formatMissing } from '#web/kit/format.ts'
import { Table } from '#web/kit/table/table.tsx'
import { column } from '#web/kit/table/table-column.ts'
import { Warning } from '#web/kit/warning.tsx'
import type { Dashboard } from '#web/reporting/dashboard.tsx'
import { formatTimeRange, toTimeOfDay } from '#web/kit/time/time-of-day.ts'
import { OccupancyMap } from './occupancy-map.tsx'
import {
  getLastFourWeeks,
  toOccupancyQuery,
  type OccupancySearch,
  readOccupancySearch,
  getTargetRange,
} from './occupancy-search.ts'
import styles from './occupancy.module.css'

export interface OccupancyContext {
  region: Region
  today: LocalDay
  language: string
  /** When the page was opened, in ms. */
  at: number
  /** The current URL; the data may still be those of the previous one. */
  search: OccupancySearch
  query: ReturnType<typeof toOccupancyQuery>
  change: (changes: Partial<OccupancySearch>) => void
}

/** First and last day of the stored data of each kind; null if there are none. */
type DataTypes = {
  items: { kind: OccupancyResponse['kind']; first_day: string | null; last_day: string | null }[]
}
interface OccupancyData {
  search: OccupancySearch
  response: OccupancyResponse
  types: DataTypes
  choices: readonly CurbZoneChoice[]
}

const maxChoices = 5000
const getZoneName = (zone: ZoneOccupancy): string =>
  zone.name || [zone.street_name, zone.street_side].filter(Boolean).join(' ') || zone.curb_zone_id

const tiles: Dashboard<OccupancySearch, OccupancyData>['tiles'] = [
  ({ response: { kind, total } }, t) => ({
    label: t(`curb:occupancy.kind.${kind}`),
    value: total.occupancy,
    format: formatPercent,
    unit: '',
    definition: t(`curb:occupancy.definition.${kind}`),
    missingReason: t(`curb:occupancy.missing.${kind}`),
    ...(total.interval
      ? { more: <Text size="sm">{t('curb:occupancy.interval', formatInterval(total.interval))}</Text> }
      : {}),
  }),
  ({ response: { total } }, t) => ({
    label: t('curb:occupancy.coverage.name'),
    value: total.coverage,
    format: formatPercent,
    unit: '',
    definition: t('curb:occupancy.coverage.definition'),
  }),
  ({ response: { zones, unknown_zones: unknown } }, t) => ({
    label: t('curb:occupancy.zonesKnown.name'),
    value: zones.length - unknown,
    format: formatInteger,
    unit: t('curb:occupancy.zonesKnown.of', { zones: formatInteger(zones.length) }),
    definition: t('curb:occupancy.zonesKnown.definition'),
  }),
  ({ response: { kind, zones } }, t) => ({
    label: t('curb:occupancy.over.name'),
    value: zones.filter((zone) => zone.is_over).length,
    format: formatInteger,
    unit: t('curb:occupancy.zones'),
    definition: t(`curb:occupancy.over.${kind}`),
  }),
]

const charts: Dashboard<OccupancySearch, OccupancyData>['charts'] = [
  ({ response }, t) => ({
    title: t('curb:occupancy.byHour'),
    context: t(`curb:occupancy.kind.${response.kind}`),
    unit: { name: t(`curb:occupancy.unit.${response.kind}`), format: formatPercent },
    emptyText: t(`curb:occupancy.missing.${response.kind}`),
    fileName: `curb-occupancy-${response.kind}-by-hour-and-weekday`,
    isWide: true,
    chart: { kind: 'heat-calendar', values: toWeekValues(response, 'occupancy') },
  }),
  ({ response }, t) => ({
    title: t('curb:occupancy.coverageByHour'),
    context: t('curb:occupancy.coverage.definition'),
    unit: { name: t('curb:occupancy.unit.coverage'), format: formatPercent },
    emptyText: t(`curb:occupancy.missing.${response.kind}`),
    fileName: `curb-occupancy-${response.kind}-coverage`,
    chart: { kind: 'heat-calendar', values: toWeekValues(response, 'coverage') },
  }),
  ({ response, search }, t) => ({
    title: t('curb:occupancy.targets.title', getTargetRange(search)),
    context: t('curb:occupancy.targets.context'),
    unit: { name: t('curb:occupancy.unit.zones'), format: formatPercent },
    emptyText: t(`curb:occupancy.missing.${response.kind}`),
    fileName: `curb-occupancy-${response.kind}-targets`,
    chart: toTargetChart(response, t),
  }),
]

/** Occupancy of curb zones: one kind at a time, with how much of it is known. */
export const occupancyDashboard = (context: OccupancyContext): Dashboard<OccupancySearch, OccupancyData> => ({
  title: (t) => t('shell:pages.occupancy'),
  page: 'occupancy',
  context: ({ response, types }, t) => formatContext(context, response, types, t),
  readSearch: readOccupancySearch,
  filters: (t, data) => getFilters(context, t, data),
  query: (search) => {
    const params = { region_id: context.region.regionId }
    const queries = {
      response: endpointQuery(getOccupancy, { params, query: toOccupancyQuery(search, context.today) }),
      types: endpointQuery(getOccupancyDataTypes, { params }),
      choices: endpointQuery(listCurbZoneChoices, { params, query: { size: maxChoices } }),
    }
    return {
      queryKey: Object.values(queries).map(({ queryKey }) => queryKey),
      queryFn: async (call) => {
        const [response, types, choices] = await Promise.all([
          queries.response.queryFn(call),
          queries.types.queryFn(call),
          queries.choices.queryFn(call),
        ])
        return { search, response, types, choices: choices.items }
      },
    }
  },
  isEmpty: ({ response }) => response.zones.length === 0,
  empty: (t) => ({ title: t('curb:occupancy.empty.title'), text: t('curb:occupancy.empty.text') }),
  actions: (search, t) => (
    <>
      <Button
        component="a"
        variant="default"
        leftSection={<IconDownload size={18} />}
        href={endpointUrl(exportOccupancy, {
          params: { region_id: context.region.regionId },
          query: toOccupancyQuery(search, context.today),
        })}
        download
      >
        {t('curb:occupancy.csv')}
      </Button>
      <Button
        component={Link}
        variant="default"
        to={`/${context.region.regionId}/curb/parking-insights/occupancy/counts`}
      >
        {t('curb:occupancy.toCounts')}
      </Button>
    </>
  ),
  tiles,
  charts,
  belowCharts: ({ response, choices }, t) => (
    <>
      <Notes response={response} t={t} />
      <OccupancyMap
        region={context.region}
        response={response}
        choices={choices}
        query={context.query}
        hour={context.search.hour}
        selected={context.search.zone ?? null}
        at={context.at}
        onHourChange={(hour) => context.change({ hour })}
        onSelect={(zone) => context.change({ zone: zone ?? undefined })}
      />
    </>
  ),
  table: ({ response }, t) => (
    <Table
      label={t('curb:occupancy.table')}
      rows={response.zones}
      rowKey={(row) => row.curb_zone_id}
      fileName={`curb-occupancy-${response.kind}`}
      maxHeight={560}
      selected={context.search.zone ?? null}
      onSelect={(zone) => context.change({ zone: zone ?? undefined })}
      state={context.search}
      onStateChange={context.change}
      columns={getColumns(t)}
    />
  ),
})

const formatInterval = ([low, high]: readonly [number, number]) => ({
  low: formatPercent(low),
  high: formatPercent(high),
})

function getFilters(
  { today, search, change }: OccupancyContext,
  t: TFunction,
  data: OccupancyData | undefined,
): Filter[] {
  const { low, high } = getTargetRange(search)
  const toField = (key: 'low' | 'high', value: number) => (
    <NumberInput
      // A new key resets the typed text when the URL changes.
      key={`${key} ${value}`}
      label={t(`curb:occupancy.targets.${key}`)}
      suffix="%"
      min={1}
      max={200}
      defaultValue={value}
      onBlur={(event) => {
        const typed = Number.parseInt(event.currentTarget.value, 10)
        if (typed !== value && typed > 0) change({ [key]: typed })
      }}
    />
  )
  return [
    {
      kind: 'choice',
      key: 'kind',
      label: t('curb:occupancy.kindLabel'),
      defaultValue: 'measured',
      options: occupancyKinds.map((value) => ({ value, text: t(`curb:occupancy.kind.${value}`) })),
    },
    { kind: 'period', today, getDefault: getLastFourWeeks, subject: 'curb' },
    {
      kind: 'choices',
      key: 'zones',
      label: t('curb:occupancy.zonesLabel'),
      all: t('curb:occupancy.allZones'),
      options: (data?.choices ?? []).map(({ curb_zone_id: id, name, street_name: street }) => ({
        value: id,
        text: [street, name].filter(Boolean).join(' · ') || id,
      })),
    },
    { kind: 'weekdays' },
    { kind: 'hours' },
    {
      kind: 'custom',
      key: 'low',
      field: (
        <div className={styles['target']}>
          {toField('low', low)}
          {toField('high', high)}
        </div>
      ),
    },
  ]
}

/** Formats a line about the data: region, days, known share, newest day, pending days. */
function formatContext(
  { region, language }: OccupancyContext,
  { kind, start_date, end_date, total, pending_days: pending }: OccupancyResponse,
  types: DataTypes,
  t: TFunction,
): string {
  const type = types.items.find((candidate) => candidate.kind === kind)
  return [
    region.text,
    formatPeriod({ start_date, end_date }, language),
    t('curb:occupancy.context.coverage', { share: formatPercent(total.coverage) }),
    ...(type?.last_day
      ? [t('curb:occupancy.context.newest', { day: formatMediumDay(type.last_day, language) })]
      : []),
    ...(pending > 0 ? [t('reporting:freshness.pending', { count: pending })] : []),
  ].join(' · ')
}

/** Notes about the kind: its limits, and why values can exceed 100%. */
function Notes({ response: { kind, zones }, t }: { response: OccupancyResponse; t: TFunction }) {
  const isOver = zones.some((zone) => zone.is_over)
  if (kind === 'measured' && !isOver) return null
  return (
    <div className={styles['notes']}>
      {kind === 'measured' ? null : (
        <Warning title={t(`curb:occupancy.note.${kind}.title`)}>
          {t(`curb:occupancy.note.${kind}.text`)}
        </Warning>
      )}
      {isOver ? <Text size="sm">{t(`curb:occupancy.over.${kind}`)}</Text> : null}
    </div>
  )
}

/** Returns a value for each hour of each weekday, Monday first; null if it is unknown. */
function toWeekValues({ calendar }: OccupancyResponse, name: 'occupancy' | 'coverage'): (number | null)[][] {
  const byCell = new Map(calendar.map((cell) => [`${cell.weekday} ${cell.hour}`, cell[name]]))
  return Array.from({ length: 7 }, (_, day) =>
    Array.from({ length: 24 }, (__, hour) => byCell.get(`${day + 1} ${hour}`) ?? null),
  )
}

/** Returns the chart of shares of zones below, within and above the target, by time band. */
function toTargetChart({ targets }: OccupancyResponse, t: TFunction) {
  const targetStates = ['under', 'within', 'over', 'unknown'] as const
  return {
    kind: 'stacked-bar' as const,
    axis: {
      title: t('curb:occupancy.targets.band'),
      labels: targets.map(({ from, until }) => formatTimeRange(toTimeOfDay(from), toTimeOfDay(until))),
    },
    series: targetStates.map((key) => ({
      key,
      name: t(`curb:occupancy.targets.${key}`),
      values: targets.map((band) => {
        const total = targetStates.reduce((sum, state) => sum + band[state], 0)
        return total > 0 ? band[key] / total : null
      }),
    })),
  }
}

function getColumns(t: TFunction) {
  const percentColumn = (key: 'occupancy' | 'coverage') =>
    column(key, t(`curb:occupancy.column.${key}`), (zone: ZoneOccupancy) => zone[key], {
      isNumber: true,
      width: 120,
      renderCell: (zone: ZoneOccupancy) => formatPercent(zone[key]),
    })
  return [
    column('zone', t('curb:occupancy.column.zone'), getZoneName),
    column(
      'street',
      t('curb:occupancy.column.street'),
      ({ street_name: street, street_side: side }: ZoneOccupancy) => [street, side].filter(Boolean).join(' '),
    ),
    percentColumn('occupancy'),
    column(
      'interval',
      t('curb:occupancy.column.interval'),
      ({ interval }: ZoneOccupancy) =>
        interval ? `${formatPercent(interval[0])} – ${formatPercent(interval[1])}` : null,
      { isHidden: true, canSort: false },
    ),
    percentColumn('coverage'),
    column('capacity', t('curb:occupancy.column.capacity'), ({ capacity }: ZoneOccupancy) => capacity, {
      isNumber: true,
      width: 100,
      renderCell: ({ capacity }: ZoneOccupancy) =>
        capacity === null ? formatMissing() : formatNumber(capacity, 0),
    }),
    column(
      'basis',
      t('curb:occupancy.column.basis'),
      ({ capacity_basis: basis }: ZoneOccupancy) => (basis ? t(`curb:occupancy.basis.${basis}`) : null),
      { width: 150 },
    ),
    column(
      'source',
      t('curb:occupancy.column.source'),
      ({ source }: ZoneOccupancy) => (source ? t(`curb:metrics.source.${source}`) : null),
      { width: 120 },
    ),
    column('days', t('curb:occupancy.column.days'), ({ days }: ZoneOccupancy) => days, {
      isNumber: true,
      width: 90,
    }),
    column('hours', t('curb:occupancy.column.occupied'), (row: ZoneOccupancy) => row.occupied_hours, {
      isNumber: true,
      isHidden: true,
    }),
    column('known', t('curb:occupancy.column.known'), (row: ZoneOccupancy) => row.known_hours, {
      isNumber: true,
      isHidden: true,
    }),
  ]
}
