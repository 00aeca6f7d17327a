import { useTranslation } from 'react-i18next'
import type { TFunction } from 'i18next'
import { distanceUnit, toDistanceUnit } from '#contract/units.ts'
import { getCompassDirection } from '#contract/routes.ts'
import { drawerGap } from '#web/map-page/covered-map.ts'
import type { DownloadFormat } from '#web/kit/download-button.tsx'
import { Table } from '#web/kit/table/table.tsx'
import { column, type TableColumn } from '#web/kit/table/table-column.ts'
import type { TableState, TableStateHandler } from '#web/kit/table/table-state.ts'
import type { RouteRow } from './route-row.ts'

/** Formats the name of a direction along a segment: the compass direction that it leads to. */
export const formatHeading = (t: TFunction, heading: number, isForward: boolean): string =>
  t(`routes:towards.${getCompassDirection(isForward ? heading : heading + 180)}`)

interface Props {
  rows: readonly RouteRow[]
  isMetric: boolean
  fileName: string
  moreFormats?: readonly DownloadFormat[] | undefined
  height: number
  selected: string | undefined
  onSelect: (id: string) => void
  state?: TableState | undefined
  onStateChange?: TableStateHandler | undefined
}

/** The segments of the map with the same numbers, busiest first. */
export function RoutesTable({
  rows,
  isMetric,
  fileName,
  moreFormats,
  height,
  selected,
  onSelect,
  state,
  onStateChange,
}: Props) {
  const { t } = useTranslation()
  const columns: TableColumn<RouteRow>[] = [
    column('street', t('routes:table.street'), (row) => row.street || t('routes:unnamed')),
    column('trips', t('routes:table.trips'), (row) => row.trips, { isNumber: true, width: 120 }),
    column('heading', t('routes:table.towards'), (row) => formatHeading(t, row.heading, true), {
      width: 130,
    }),
    column('forward', t('routes:table.forward'), (row) => row.forward, { isNumber: true, width: 140 }),
    column('backward', t('routes:table.backward'), (row) => row.backward, { isNumber: true, width: 140 }),
    column(
      'length',
      t('routes:table.length', { unit: distanceUnit(isMetric) }),
      (row) => Number(toDistanceUnit(row.lengthM, isMetric).toFixed(3)),
      { isNumber: true, width: 130 },
    ),
    column('class', t('routes:table.class'), (row) => row.class, { width: 130, isHidden: true }),
    column('id', t('routes:table.id'), (row) => row.id, { width: 190, isHidden: true }),
  ]
  return (
    <Table
      label={t('routes:table.label')}
      rows={rows}
      columns={columns}
      rowKey={(row) => row.id}
      fileName={fileName}
      moreFormats={moreFormats}
      state={state}
      onStateChange={onStateChange}
      selected={selected}
      onSelect={onSelect}
      height={height - drawerGap}
      defaultSort="-trips"
    />
  )
}
