import { Text } from '@mantine/core'
import { keepPreviousData } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { listMetricRecords, type MeasureKey, type MetricRecord } from '#contract/metrics.ts'
import { vehicleTypeName } from '#web/filters/vehicle-type-name.ts'
import { distanceUnit, toDistanceUnit } from '#contract/units.ts'
import { call } from '#web/data/client.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import { Dialog } from '#web/kit/dialog.tsx'
import { formatDateTime, formatNumber } from '#web/kit/format.ts'
import { Loaded } from '#web/kit/loaded.tsx'
import { Table } from '#web/kit/table/table.tsx'
import type { TableState } from '#web/kit/table/table-state.ts'
import { operatorName } from './report.ts'
import { type ReportContext, type ReportSearch, toSelection } from './report-search.ts'
import type { TFunction } from 'i18next'
import type { TableColumn } from '#web/kit/table/table-column.ts'
import type { EndpointOutput } from '#contract/endpoint.ts'

interface Props {
  context: ReportContext
  search: ReportSearch
  measure: MeasureKey
  onClose: () => void
}

/** Rows per request of a download, and the maximum number of requests. */
const fileRows = 1000
const maxFilePages = 100

/** The records counted by a measure for the selection of the URL. */
export function MetricRecords({ context, search, measure, onClose }: Props) {
  const { t } = useTranslation()
  const { region } = context
  const [state, setState] = useState<TableState>({})
  const { page = 1, size = 50 } = state
  const input = (paging: { page: number; size: number }) => ({
    params: { region_id: region.regionId },
    body: {
      measure,
      ...toSelection(context, search),
      ...(search.parking_limit === undefined ? {} : { parking_limit: search.parking_limit }),
      ...paging,
    },
  })
  const records = useEndpointQuery(listMetricRecords, input({ page, size }), {
    staleTime: 0,
    placeholderData: keepPreviousData,
  })
  const loadAll = async (onProgress: (share: number) => void): Promise<MetricRecord[]> => {
    const allRecords: MetricRecord[] = []
    for (
      let filePage = 1, total = 1;
      allRecords.length < Math.min(total, maxFilePages * fileRows);
      filePage++
    ) {
      const response = await call(listMetricRecords, input({ page: filePage, size: fileRows }), {})
      allRecords.push(...response.items)
      total = response.items.length ? response.total : 0
      onProgress(total ? allRecords.length / total : 1)
    }
    return allRecords
  }
  const title = t('reporting:records.title', { measure: t(`reporting:measure.${measure}.name`) })
  return (
    <Dialog title={title} size={1120} onClose={onClose}>
      <Loaded query={records}>
        {({ kind, items, total }) => (
          <>
            <Text size="sm" c="dimmed" mb="sm">
              {t(`reporting:measure.${measure}.definition`)}
              {kind === 'states' || kind === 'parked_time' ? ` ${t(`reporting:records.note.${kind}`)}` : null}
            </Text>
            <Table
              label={title}
              rows={items}
              rowKey={({ vehicle_id, from_time, state: name }) => `${vehicle_id} ${from_time} ${name}`}
              state={state}
              onState={(part) => setState((before) => ({ ...before, ...part }))}
              server={{ total, sortKeys: [], loadAll }}
              fileName={`${measure}-records`}
              maxHeight={420}
              columns={recordColumns(context, kind, t)}
            />
          </>
        )}
      </Loaded>
    </Dialog>
  )
}

/** The columns that records of a kind have. */
function recordColumns(
  { region, operators }: ReportContext,
  kind: EndpointOutput<typeof listMetricRecords>['kind'],
  t: TFunction,
): TableColumn<MetricRecord>[] {
  const isTrips = kind === 'trips'
  return [
    {
      key: 'from',
      title: t('reporting:records.from'),
      value: ({ from_time }) => from_time,
      renderCell: ({ from_time }) => formatDateTime(from_time, region.timezone),
      width: 175,
    },
    {
      key: 'until',
      title: t('reporting:records.until'),
      value: ({ until_time }) => until_time,
      renderCell: ({ until_time }) =>
        until_time === null
          ? kind === 'events' || isTrips
            ? ''
            : t('reporting:records.ongoing')
          : formatDateTime(until_time, region.timezone),
      width: 175,
    },
    {
      key: 'operator',
      title: t('reporting:group.operator'),
      value: ({ operator }) => operatorName(operators, operator),
    },
    {
      key: 'vehicle',
      title: t('reporting:records.vehicle'),
      value: ({ vehicle_id }) => vehicle_id,
    },
    {
      key: 'vehicle_type',
      title: t('reporting:group.vehicle_type'),
      value: ({ vehicle_type }) => vehicleTypeName(vehicle_type),
    },
    ...(kind === 'states' || kind === 'events'
      ? [
          {
            key: 'state',
            title: t('reporting:records.state'),
            value: ({ state: name }: MetricRecord) => name,
          },
        ]
      : []),
    ...(isTrips
      ? [
          {
            key: 'distance',
            title: t('reporting:records.distance', { unit: distanceUnit(region.isMetric) }),
            isNumber: true,
            value: ({ distance_m }: MetricRecord) =>
              distance_m === null ? null : toDistanceUnit(distance_m, region.isMetric),
            renderCell: ({ distance_m }: MetricRecord) =>
              formatNumber(distance_m === null ? null : toDistanceUnit(distance_m, region.isMetric), 2),
          },
        ]
      : []),
    ...(kind === 'events'
      ? []
      : [
          {
            key: 'duration',
            title: t('reporting:records.duration'),
            isNumber: true,
            value: ({ duration_s }: MetricRecord) => (duration_s === null ? null : duration_s / 60),
            renderCell: ({ duration_s }: MetricRecord) =>
              formatNumber(duration_s === null ? null : duration_s / 60),
          },
        ]),
    ...(isTrips
      ? [
          {
            key: 'excluded',
            title: t('reporting:records.excluded'),
            value: ({ is_excluded }: MetricRecord) => (is_excluded ? t('reporting:records.yes') : ''),
          },
        ]
      : []),
  ]
}
