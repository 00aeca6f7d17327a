import { keepPreviousData } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Layer } from '#contract/geography.ts'
import { listShapeRows, shapeOrders, type ShapeRow } from '#contract/geography-use.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import { FailedState } from '#web/kit/failed-state.tsx'
import { formatDateTime } from '#web/kit/format.ts'
import { SearchField } from '#web/kit/search-field.tsx'
import { column, type TableColumn } from '#web/kit/table/table-column.ts'
import type { TableState, TableStateHandler } from '#web/kit/table/table-state.ts'
import { Table } from '#web/kit/table/table.tsx'
import { useRegion } from '#web/shell/region.tsx'
import styles from './shape-table.module.css'

interface Props {
  layer: Layer
  height: number
  selected: string | undefined
  onSelect: (shapeUuid: string) => void
  state: TableState
  onStateChange: TableStateHandler
}

const sortKeys = ['shape_name', 'shape_id', 'modified_time']
/** Height of the search field above the table, including margins. */
const searchHeightPx = 80

/** The shapes of a layer, searched, sorted and paged by the server. */
export function ShapeTable({ layer, height, selected, onSelect, state, onStateChange }: Props) {
  const { t } = useTranslation()
  const { timezone } = useRegion()
  const [text, setText] = useState('')
  const { page = 1, size = 50 } = state
  const response = useEndpointQuery(
    listShapeRows,
    {
      params: { region_id: layer.region_id, shape_layer_uuid: layer.shape_layer_uuid },
      query: {
        order_by: shapeOrders.find((order) => order === state.sort) ?? 'shape_name',
        page,
        size,
        ...(text ? { text } : {}),
      },
    },
    { placeholderData: keepPreviousData },
  )
  const columns: TableColumn<ShapeRow>[] = [
    column('shape_name', t('geography:table.shape_name'), (row) => row.shape_name),
    column('shape_id', t('geography:table.shape_id'), (row) => row.shape_id),
    column('modified_time', t('geography:table.modified_time'), (row) => row.modified_time, {
      renderCell: (row) => formatDateTime(row.modified_time, timezone),
    }),
    column(
      'modified_by',
      t('geography:table.modified_by'),
      (row) => row.modified_by ?? t('geography:byServer'),
    ),
  ]
  return (
    <>
      <div className={styles['search']}>
        <SearchField
          label={t('geography:shape.search')}
          value={text}
          onSearch={(next) => {
            setText(next)
            onStateChange({ page: undefined })
          }}
        />
      </div>
      {response.error ? <FailedState error={response.error} onRetry={() => void response.refetch()} /> : null}
      <Table
        label={t('geography:table.label', { name: layer.layer_name })}
        rows={response.data?.items}
        columns={columns}
        rowKey={(row) => row.shape_uuid}
        state={state}
        onStateChange={onStateChange}
        defaultSort="shape_name"
        server={{ total: response.data?.total ?? 0, sortKeys }}
        height={height - searchHeightPx}
        selected={selected}
        onSelect={onSelect}
        empty={t(text ? 'geography:shape.noneFound' : 'geography:shape.none')}
      />
    </>
  )
}
