import { useTranslation } from 'react-i18next'
import { Table } from '#web/kit/table/table.tsx'
import type { TableColumn } from '#web/kit/table/table-column.ts'
import type { TableState, TableStateHandler } from '#web/kit/table/table-state.ts'
import type { Box } from '#contract/place.ts'
import type { PublicRouteVolumes } from '#contract/routes.ts'

/** One street segment of the public map. */
export interface PublicRow {
  id: string
  street: string
  trips: number
  box: Box
}

/** The segments of a public answer. */
export const publicRows = ({ segment_ids, trips, street, boxes, streets }: PublicRouteVolumes): PublicRow[] =>
  segment_ids.map((id, at) => ({ id, street: streets[street[at]!]!, trips: trips[at]!, box: boxes[at]! }))

interface Props {
  rows: readonly PublicRow[]
  fileName: string
  height: number
  selected: string | undefined
  onSelect: (id: string) => void
  state: TableState
  onState: TableStateHandler
}

/** The segments of the public map, the busiest first. */
export function PublicRoutesTable({ rows, fileName, height, selected, onSelect, state, onState }: Props) {
  const { t } = useTranslation()
  const columns: TableColumn<PublicRow>[] = [
    {
      key: 'street',
      title: t('routes:table.street'),
      value: (row) => row.street || t('routes:unnamed'),
    },
    { key: 'trips', title: t('routes:table.trips'), isNumber: true, width: 140, value: (row) => row.trips },
    { key: 'id', title: t('routes:table.id'), width: 190, isHidden: true, value: (row) => row.id },
  ]
  return (
    <Table
      label={t('routes:table.label')}
      rows={rows}
      columns={columns}
      rowKey={(row) => row.id}
      fileName={fileName}
      state={state}
      onState={onState}
      selected={selected}
      onSelect={onSelect}
      height={height - 12}
      defaultSort="-trips"
    />
  )
}
