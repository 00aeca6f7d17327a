import { Text } from '@mantine/core'
import { keepPreviousData } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { TFunction } from 'i18next'
import { listMetricRecords, type MeasureKey, type MetricRecord } from '#contract/metrics.ts'
import { distanceUnit, toDistanceUnit } from '#contract/units.ts'
import type { EndpointOutput } from '#contract/endpoint.ts'
import { vehicleTypeName } from '#web/filters/vehicle-type-name.ts'
import { call } from '#web/data/client.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import { Dialog } from '#web/kit/dialog.tsx'
import { formatDateTime, formatNumber } from '#web/kit/format.ts'
import { Loaded } from '#web/kit/loaded.tsx'
import { Table } from '#web/kit/table/table.tsx'
import type { TableState } from '#web/kit/table/table-state.ts'
import { column, type TableColumn } from '#web/kit/table/table-column.ts'
import { operatorName } from './measure-format.ts'
import { type ReportContext, type ReportSearch, toSelection } from './report-search.ts'

interface Props {
  context: ReportContext
  search: ReportSearch
  measure: MeasureKey
  onClose: () => void
}

const fileRows = 1000
const maxFilePages = 100

/** The records counted by a measure for the selection of the URL. */
export function MetricRecordsDialog({ context, search, measure, onClose }: Props) {
  const { t } = useTranslation()
  const { region } = context
  const [state, setState] = useState<TableState>({})
  const { page = 1, size = 50 } = state
  const toInput = (paging: { page: number; size: number }) => ({
    params: { region_id: region.regionId },
    body: {
      measure,
      ...toSelection(context, search),
      ...(search.parking_limit === undefined ? {} : { parking_limit: search.parking_limit }),
      ...paging,
    },
  })
  const records = useEndpointQuery(listMetricRecords, toInput({ page, size }), {
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
      const response = await call(listMetricRecords, toInput({ page: filePage, size: fileRows }), {})
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
              onStateChange={(changes) => setState((previous) => ({ ...previous, ...changes }))}
              server={{ total, sortKeys: [], loadAll }}
              fileName={`${measure}-records`}
              maxHeight={420}
              columns={getRecordColumns(context, kind, t)}
            />
          </>
        )}
      </Loaded>
    </Dialog>
  )
}

/** Returns the columns that records of a kind have. */
function getRecordColumns(
  { region, operators }: ReportContext,
  kind: EndpointOutput<typeof listMetricRecords>['kind'],
  t: TFunction,
): TableColumn<MetricRecord>[] {
  const isTrips = kind === 'trips'
  return [
    column('from', t('reporting:records.from'), ({ from_time }) => from_time, {
      renderCell: ({ from_time }) => formatDateTime(from_time, region.timezone),
      width: 175,
    }),
    column('until', t('reporting:records.until'), ({ until_time }) => until_time, {
      renderCell: ({ until_time }) =>
        until_time === null
          ? kind === 'events' || isTrips
            ? ''
            : t('reporting:records.ongoing')
          : formatDateTime(until_time, region.timezone),
      width: 175,
    }),
    column('operator', t('reporting:group.operator'), ({ operator }) => operatorName(operators, operator)),
    column('vehicle', t('reporting:records.vehicle'), ({ vehicle_id }) => vehicle_id),
    column('vehicle_type', t('reporting:group.vehicle_type'), ({ vehicle_type }) =>
      vehicleTypeName(vehicle_type),
    ),
    ...(kind === 'states' || kind === 'events'
      ? [column('state', t('reporting:records.state'), (row: MetricRecord) => row.state)]
      : []),
    ...(isTrips
      ? [
          column(
            'distance',
            t('reporting:records.distance', { unit: distanceUnit(region.isMetric) }),
            ({ distance_m }: MetricRecord) =>
              distance_m === null ? null : toDistanceUnit(distance_m, region.isMetric),
            {
              isNumber: true,
              renderCell: ({ distance_m }: MetricRecord) =>
                formatNumber(distance_m === null ? null : toDistanceUnit(distance_m, region.isMetric), 2),
            },
          ),
        ]
      : []),
    ...(kind === 'events'
      ? []
      : [
          column(
            'duration',
            t('reporting:records.duration'),
            ({ duration_s }: MetricRecord) => (duration_s === null ? null : duration_s / 60),
            {
              isNumber: true,
              renderCell: ({ duration_s }: MetricRecord) =>
                formatNumber(duration_s === null ? null : duration_s / 60),
            },
          ),
        ]),
    ...(isTrips
      ? [
          column('excluded', t('reporting:records.excluded'), ({ is_excluded }: MetricRecord) =>
            is_excluded ? t('reporting:records.yes') : '',
          ),
        ]
      : []),
  ]
}
