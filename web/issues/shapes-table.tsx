import { useTranslation } from 'react-i18next'
import { notInShape } from '#contract/evaluation.ts'
import type { IssuesByShape } from '#contract/issues.ts'
import { drawerGap } from '#web/map-page/covered-map.ts'
import type { DownloadFormat } from '#web/kit/download-button.tsx'
import { Table } from '#web/kit/table/table.tsx'
import { formatNumber } from '#web/kit/format.ts'
import { column, type TableColumn } from '#web/kit/table/table-column.ts'
import type { Measure } from './issues-search.ts'
import { type ShapeRow, getMeasureValue } from './shape-rows.ts'

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
  const outsideFigures = response.shape_data[notInShape]
  const allRows = outsideFigures
    ? [
        ...rows,
        {
          id: notInShape,
          name: t('evaluation:legend.notInShape', { layer }),
          value: getMeasureValue(measure, outsideFigures),
          n: null,
          counts: {},
          figures: outsideFigures,
        },
      ]
    : rows
  const createNumberColumn = (
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
    createNumberColumn('count', t('issues:measure.count.name'), ({ figures }) => figures.count, 0),
    createNumberColumn('open', t('issues:status.open'), ({ figures }) => figures.open, 0),
    createNumberColumn('closed', t('issues:status.closed'), ({ figures }) => figures.closed, 0),
    createNumberColumn('median', t('issues:table.median'), ({ figures }) => figures.median_hours, 1),
    createNumberColumn('mean', t('issues:table.mean'), ({ figures }) => figures.mean_hours, 1),
    {
      ...createNumberColumn('resolved', t('issues:table.timed'), ({ figures }) => figures.resolved, 0),
      width: 180,
    },
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
