import { useThrottledValue } from '@mantine/hooks'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { vehicleTypeName } from '#web/filters/vehicle-type-name.ts'
import type { Operator } from '#contract/operators.ts'
import { Table } from '#web/kit/table/table.tsx'
import type { TableColumn } from '#web/kit/table/table-column.ts'
import type { TableState, TableStateHandler } from '#web/kit/table/table-state.ts'
import { type FleetColumns, unknownBattery } from './fleet-columns.ts'
import { operatorName } from '#contract/operators.ts'
import { formatMoment } from '#web/kit/format.ts'

interface Props {
  columns: FleetColumns
  /** The vehicles on the map. */
  handles: Uint32Array
  operators: readonly Operator[]
  zone: string
  /** Now, ms: times of today are without their day. */
  at: number
  fileName: string
  height: number
  selected: string | undefined
  onSelect: (id: string) => void
  state?: TableState | undefined
  onState?: TableStateHandler | undefined
}

/** Minimum time between two sorts, ms. */
const minSortIntervalMs = 2000
const digits = (degrees: number): number | null => (Number.isNaN(degrees) ? null : Number(degrees.toFixed(6)))

/** The vehicles of the map as a table. A row is a handle: the columns are read only for visible rows. */
export function LiveTable({
  columns: fleet,
  handles,
  operators,
  zone,
  at,
  fileName,
  height,
  selected,
  onSelect,
  state,
  onState,
}: Props) {
  const { t } = useTranslation()
  const steady = useThrottledValue(handles, minSortIntervalMs)
  const rows = useMemo(() => [...steady], [steady])
  const moment = (ms: number): string => formatMoment(ms, zone, at)
  const columns: TableColumn<number>[] = [
    {
      key: 'vehicle',
      width: 95,
      title: t('live:table.vehicle'),
      value: (row) => fleet.vehicleIds[row]!,
    },
    {
      key: 'operator',
      width: 98,
      title: t('live:table.operator'),
      value: (row) => operatorName(fleet.groupOf(row).operator, operators),
    },
    {
      key: 'type',
      title: t('live:table.type'),
      value: (row) => vehicleTypeName(fleet.groupOf(row).vehicle_type),
    },
    {
      key: 'state',
      width: 142,
      title: t('live:table.state'),
      value: (row) => t(`live:stateShort.${fleet.stateOf(row)}`),
    },
    {
      key: 'battery',
      title: t('live:table.battery'),
      isNumber: true,
      width: 90,
      value: (row) => (fleet.battery[row] === unknownBattery ? null : fleet.battery[row]!),
    },
    {
      key: 'seen',
      title: t('live:table.seen'),
      width: 152,
      value: (row) => new Date(fleet.seen[row]!).toISOString(),
      renderCell: (row) => moment(fleet.seen[row]!),
    },
    {
      key: 'since',
      title: t('live:table.since'),
      width: 152,
      value: (row) => new Date(fleet.since[row]!).toISOString(),
      renderCell: (row) => moment(fleet.since[row]!),
    },
    {
      key: 'lon',
      title: t('live:table.lon'),
      isNumber: true,
      isHidden: true,
      value: (row) => digits(fleet.lon[row]!),
    },
    {
      key: 'lat',
      title: t('live:table.lat'),
      isNumber: true,
      isHidden: true,
      value: (row) => digits(fleet.lat[row]!),
    },
    {
      key: 'source',
      title: t('live:table.source'),
      isHidden: true,
      value: (row) => t(`live:source.${fleet.groupOf(row).source}`),
    },
  ]
  return (
    <Table
      label={t('live:table.label')}
      rows={rows}
      columns={columns}
      rowKey={(row) => fleet.idOf(row)}
      fileName={fileName}
      state={state}
      onState={onState}
      selected={selected}
      onSelect={onSelect}
      height={height - 12}
    />
  )
}
