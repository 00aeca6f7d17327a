import { useTranslation } from 'react-i18next'
import type { Box } from '#contract/place.ts'
import type { PublicRouteVolumes } from '#contract/routes.ts'
import { drawerGap } from '#web/map-page/covered-map.ts'
import { Table } from '#web/kit/table/table.tsx'
import { column, type TableColumn } from '#web/kit/table/table-column.ts'
import type { TableState, TableStateHandler } from '#web/kit/table/table-state.ts'

/** One street segment of the public map. */
export interface PublicRow {
  id: string
  street: string
  trips: number
  box: Box
}

/** Combines the columns of a public response into segments. */
export const toPublicRows = ({
  segment_ids,
  trips,
  street,
  boxes,
  streets,
}: PublicRouteVolumes): PublicRow[] =>
  segment_ids.map((id, index) => ({
    id,
    street: streets[street[index]!]!,
    trips: trips[index]!,
    box: boxes[index]!,
  }))

interface Props {
  rows: readonly PublicRow[]
  fileName: string
  height: number
  selected: string | undefined
  onSelect: (id: string) => void
  state: TableState
  onStateChange: TableStateHandler
}

/** The segments of the public map, busiest first. */
export function PublicRoutesTable({
  rows,
  fileName,
  height,
  selected,
  onSelect,
  state,
  onStateChange,
}: Props) {
  const { t } = useTranslation()
  const columns: TableColumn<PublicRow>[] = [
    column('street', t('routes:table.street'), (row) => row.street || t('routes:unnamed')),
    column('trips', t('routes:table.trips'), (row) => row.trips, { isNumber: true, width: 140 }),
    column('id', t('routes:table.id'), (row) => row.id, { width: 190, isHidden: true }),
  ]
  return (
    <Table
      label={t('routes:table.label')}
      rows={rows}
      columns={columns}
      rowKey={(row) => row.id}
      fileName={fileName}
      state={state}
      onStateChange={onStateChange}
      selected={selected}
      onSelect={onSelect}
      height={height - drawerGap}
      defaultSort="-trips"
    />
  )
}
