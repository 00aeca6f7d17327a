import { useTranslation } from 'react-i18next'
import { distanceUnit, toDistanceUnit } from '#contract/units.ts'
import type { DownloadFormat } from '#web/kit/download-button.tsx'
import { Table } from '#web/kit/table/table.tsx'
import type { TableColumn } from '#web/kit/table/table-column.ts'
import type { TableState, TableStateHandler } from '#web/kit/table/table-state.ts'
import type { RouteRow } from './route-row.ts'
import type { TFunction } from 'i18next'
import { compassOf } from '#contract/routes.ts'

/** What riding along a segment, or against it, is called: where it leads to. */
export const headingText = (t: TFunction, heading: number, isForward: boolean): string =>
  t(`routes:towards.${compassOf(isForward ? heading : heading + 180)}`)

interface Props {
  rows: readonly RouteRow[]
  isMetric: boolean
  fileName: string
  moreFormats?: readonly DownloadFormat[] | undefined
  height: number
  selected: string | undefined
  onSelect: (id: string) => void
  state?: TableState | undefined
  onState?: TableStateHandler | undefined
}

/** The segments of the map, the busiest first: the same numbers. */
export function RoutesTable({
  rows,
  isMetric,
  fileName,
  moreFormats,
  height,
  selected,
  onSelect,
  state,
  onState,
}: Props) {
  const { t } = useTranslation()
  const columns: TableColumn<RouteRow>[] = [
    {
      key: 'street',
      title: t('routes:table.street'),
      value: (row) => row.street || t('routes:unnamed'),
    },
    { key: 'trips', title: t('routes:table.trips'), isNumber: true, width: 120, value: (row) => row.trips },
    {
      key: 'heading',
      title: t('routes:table.towards'),
      width: 130,
      value: (row) => headingText(t, row.heading, true),
    },
    {
      key: 'forward',
      title: t('routes:table.forward'),
      isNumber: true,
      width: 140,
      value: (row) => row.forward,
    },
    {
      key: 'backward',
      title: t('routes:table.backward'),
      isNumber: true,
      width: 140,
      value: (row) => row.backward,
    },
    {
      key: 'length',
      title: t('routes:table.length', { unit: distanceUnit(isMetric) }),
      isNumber: true,
      width: 130,
      value: (row) => Number(toDistanceUnit(row.lengthM, isMetric).toFixed(3)),
    },
    { key: 'class', title: t('routes:table.class'), width: 130, isHidden: true, value: (row) => row.class },
    { key: 'id', title: t('routes:table.id'), width: 190, isHidden: true, value: (row) => row.id },
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
      onState={onState}
      selected={selected}
      onSelect={onSelect}
      height={height - 12}
      defaultSort="-trips"
    />
  )
}
