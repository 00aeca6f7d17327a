import { useThrottledValue } from '@mantine/hooks'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { Operator } from '#contract/operators.ts'
import { operatorName } from '#contract/operators.ts'
import { drawerGap } from '#web/map-page/covered-map.ts'
import { vehicleTypeName } from '#web/filters/vehicle-type-name.ts'
import { Table } from '#web/kit/table/table.tsx'
import { column, type TableColumn } from '#web/kit/table/table-column.ts'
import type { TableState, TableStateHandler } from '#web/kit/table/table-state.ts'
import { formatMoment } from '#web/kit/format.ts'
import { type FleetColumns, unknownBattery } from './fleet-columns.ts'

interface Props {
  columns: FleetColumns
  /** The visible vehicles. */
  handles: Uint32Array
  operators: readonly Operator[]
  timezone: string
  /** The current time, in ms; times of today are shown without the date. */
  at: number
  fileName: string
  height: number
  selected: string | undefined
  onSelect: (id: string) => void
  state?: TableState | undefined
  onStateChange?: TableStateHandler | undefined
}

/** Minimum interval between two sorts, in ms. */
const minSortIntervalMs = 2000
/** Rounds to about 10 centimeters; null for NaN. */
const roundDegrees = (degrees: number): number | null =>
  Number.isNaN(degrees) ? null : Number(degrees.toFixed(6))

/** The visible vehicles as a table. A row is a handle: columns are read only for visible rows. */
export function LiveTable({
  columns: fleet,
  handles,
  operators,
  timezone,
  at,
  fileName,
  height,
  selected,
  onSelect,
  state,
  onStateChange,
}: Props) {
  const { t } = useTranslation()
  const steadyHandles = useThrottledValue(handles, minSortIntervalMs)
  const rows = useMemo(() => [...steadyHandles], [steadyHandles])
  const formatTime = (ms: number): string => formatMoment(ms, timezone, at)
  const columns: TableColumn<number>[] = [
    column('vehicle', t('live:table.vehicle'), (row) => fleet.vehicleIds[row]!, { width: 95 }),
    column(
      'operator',
      t('live:table.operator'),
      (row) => operatorName(fleet.getGroup(row).operator, operators),
      { width: 98 },
    ),
    column('type', t('live:table.type'), (row) => vehicleTypeName(fleet.getGroup(row).vehicle_type)),
    column('state', t('live:table.state'), (row) => t(`live:stateShort.${fleet.getState(row)}`), {
      width: 142,
    }),
    column(
      'battery',
      t('live:table.battery'),
      (row) => (fleet.battery[row] === unknownBattery ? null : fleet.battery[row]!),
      { isNumber: true, width: 90 },
    ),
    column('seen', t('live:table.seen'), (row) => new Date(fleet.seen[row]!).toISOString(), {
      width: 152,
      renderCell: (row) => formatTime(fleet.seen[row]!),
    }),
    column('since', t('live:table.since'), (row) => new Date(fleet.since[row]!).toISOString(), {
      width: 152,
      renderCell: (row) => formatTime(fleet.since[row]!),
    }),
    column('lon', t('live:table.lon'), (row) => roundDegrees(fleet.lon[row]!), {
      isNumber: true,
      isHidden: true,
    }),
    column('lat', t('live:table.lat'), (row) => roundDegrees(fleet.lat[row]!), {
      isNumber: true,
      isHidden: true,
    }),
    column('source', t('live:table.source'), (row) => t(`live:source.${fleet.getGroup(row).source}`), {
      isHidden: true,
    }),
  ]
  return (
    <Table
      label={t('live:table.label')}
      rows={rows}
      columns={columns}
      rowKey={(row) => fleet.getId(row)}
      fileName={fileName}
      state={state}
      onStateChange={onStateChange}
      selected={selected}
      onSelect={onSelect}
      height={height - drawerGap}
    />
  )
}
