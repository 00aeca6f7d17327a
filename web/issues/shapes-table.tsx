import { useTranslation } from 'react-i18next'
import { notInShape } from '#contract/evaluation.ts'
import type { IssuesByShape } from '#contract/issues.ts'
import { drawerGap } from '#web/map-page/covered-map.ts'
import type { DownloadFormat } from '#web/kit/download-button.tsx'
import { Table } from '#web/kit/table/table.tsx'
import { formatNumber } from '#web/kit/format.ts'
import { column, type TableColumn } from '#web/kit/table/table-column.ts'
import type { Measure } from './issues-search.ts'
import { type ShapeRow, measureValue } from './shape-rows.ts'

interface Props {
  measure: Measure
  response: IssuesByShape
  /** Name of the layer in a sentence. */
  layer: string
  rows: readonly ShapeRow[]
  fileName: string
  /** Formats of the download menu in addition to the table. */
  moreFormats: readonly DownloadFormat[]
  height: number
  selected: string | undefined
  onSelect: (id: string) => void
}

const isShape = ({ id }: ShapeRow): boolean => id !== notInShape

/** The values of the map as a table, with issues outside of all shapes, so that columns add up. */
export function ShapesTable({
  measure,
  response,
  layer,
  rows,
  fileName,
  moreFormats,
  height,
  selected,
  onSelect,
}: Props) {
  const { t } = useTranslation()
  const outside = response.shape_data[notInShape]
  const allRows = outside
    ? [
        ...rows,
        {
          id: notInShape,
          name: t('evaluation:legend.notInShape', { layer }),
          value: measureValue(measure, outside),
          n: null,
          counts: {},
          figures: outside,
        },
      ]
    : rows
  const number = (
    key: string,
    title: string,
    value: (row: ShapeRow) => number | null,
    digits: number,
  ): TableColumn<ShapeRow> =>
    column(key, title, value, {
      isNumber: true,
      width: 125,
      renderCell: (row) => formatNumber(value(row), digits),
    })
  const { total, overlaps } = response
  const columns: TableColumn<ShapeRow>[] = [
    column('name', t('evaluation:results.shape'), (row) => row.name, {
      width: 220,
      renderCell: (row) => (!isShape(row) ? <em>{row.name}</em> : row.name),
    }),
    number('count', t('issues:measure.count.name'), ({ figures }) => figures.count, 0),
    number('open', t('issues:status.open'), ({ figures }) => figures.open, 0),
    number('closed', t('issues:status.closed'), ({ figures }) => figures.closed, 0),
    number('median', t('issues:table.median'), ({ figures }) => figures.median_hours, 1),
    number('mean', t('issues:table.mean'), ({ figures }) => figures.mean_hours, 1),
    { ...number('resolved', t('issues:table.timed'), ({ figures }) => figures.resolved, 0), width: 180 },
  ]
  return (
    <Table
      label={t(`issues:measure.${measure}.name`)}
      rows={allRows}
      columns={columns}
      rowKey={(row) => row.id}
      fileName={fileName}
      moreFormats={moreFormats}
      selected={selected}
      onSelect={onSelect}
      canSelect={isShape}
      height={height - drawerGap}
      defaultSort={`-${measure}`}
      totals={
        overlaps
          ? undefined
          : {
              count: total.count,
              open: total.open,
              closed: total.closed,
              median: formatNumber(total.median_hours, 1),
              mean: formatNumber(total.mean_hours, 1),
              resolved: total.resolved,
            }
      }
    />
  )
}
