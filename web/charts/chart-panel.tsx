import { ActionIcon, useComputedColorScheme } from '@mantine/core'
import { IconDownload, IconPhoto, IconTable } from '@tabler/icons-react'
import type { TFunction } from 'i18next'
import { type CSSProperties, useId, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ActionMenu } from '#web/kit/action-menu.tsx'
import { Table } from '#web/kit/table/table.tsx'
import { downloadFile } from '#web/kit/download-file.ts'
import type { TableColumn } from '#web/kit/table/table-column.ts'
import { toCsv } from '#web/kit/table-file.ts'
import { type Scheme, tokens } from '#web/kit/theme.ts'
import type { Chart, ChartRow, ChartUnit } from './chart.ts'
import styles from './chart-panel.module.css'
import { ChartDrawing, type ChartHandle } from './chart-drawing.tsx'
import { prepareChart } from './prepare-chart.ts'
import type { LegendEntry, PreparedChart } from './prepared-chart.ts'

interface Props {
  /** Title of the chart, such as the measure. */
  title: string
  /** Region and period, shown below the title and in the PNG. */
  context?: string
  unit: ChartUnit
  chart: Chart
  /** Name of downloaded files, without extension. */
  fileName: string
  height?: number
  /** Text shown if there are no values. */
  emptyText?: string
  /** Whether frame and paddingPx are omitted, in panels that have their own. */
  isBare?: boolean
}

/** A chart with its title, unit, legend, comparison, table and downloads. */
export function ChartPanel({
  title,
  context = '',
  unit,
  chart,
  fileName,
  height = 240,
  emptyText,
  isBare,
}: Props) {
  const { t, i18n } = useTranslation()
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false })
  const [isTable, setIsTable] = useState(false)
  const drawing = useRef<ChartHandle>(null)
  const titleId = useId()
  const prepared = useMemo(
    () => prepareChart(chart, { t, language: i18n.language, scheme, unit }),
    [chart, t, i18n.language, scheme, unit],
  )
  const columns = useMemo(() => getTableColumns(prepared, t), [prepared, t])
  const subtitle = [unit.name, context].filter((text) => text !== '').join(' · ')
  const downloadPng = async (): Promise<void> => {
    const canvas = drawing.current?.canvas()
    const image = canvas ? await createPng(canvas, { title, context: subtitle, scheme }) : null
    if (image) downloadFile(`${fileName}.png`, image, 'image/png')
  }
  const actions = [
    {
      key: 'csv',
      label: t('charts:csv'),
      icon: IconTable,
      onSelect: () => downloadFile(`${fileName}.csv`, toCsv(prepared.rows, columns), 'text/csv'),
    },
    ...(isTable || prepared.isEmpty
      ? []
      : [{ key: 'png', label: t('charts:png'), icon: IconPhoto, onSelect: () => void downloadPng() }]),
  ]
  return (
    <figure className={styles['panel']} aria-labelledby={titleId} data-bare={isBare || undefined}>
      <div className={styles['head']}>
        <figcaption>
          <h2 className={styles['title']} id={titleId}>
            {title}
          </h2>
          <p className={styles['note']}>{subtitle}</p>
        </figcaption>
        <div className={styles['tools']}>
          <ActionIcon
            variant={isTable ? 'light' : 'subtle'}
            color={isTable ? 'teal' : 'gray'}
            aria-pressed={isTable}
            aria-label={t('charts:showTable', { title })}
            title={t('charts:table')}
            onClick={() => setIsTable(!isTable)}
          >
            <IconTable size={18} />
          </ActionIcon>
          <ActionMenu
            actions={actions}
            width={200}
            target={
              <ActionIcon variant="subtle" color="gray" aria-label={t('charts:actions', { title })}>
                <IconDownload size={18} />
              </ActionIcon>
            }
          />
        </div>
      </div>
      {isTable ? (
        <Table
          label={title}
          rows={prepared.rows}
          columns={columns}
          rowKey={({ key }) => key}
          maxHeight={height}
        />
      ) : prepared.isEmpty ? (
        <p className={styles['empty']} style={{ minHeight: height }}>
          {emptyText ?? t('charts:empty')}
        </p>
      ) : (
        <>
          <Legend label={t('charts:legend', { title })} entries={prepared.legend} />
          <ChartDrawing title={title} chart={prepared} height={height} handle={drawing} />
        </>
      )}
    </figure>
  )
}

/** The names of the series and their colors; nothing without entries. */
function Legend({ label, entries }: { label: string; entries: readonly LegendEntry[] }) {
  if (entries.length === 0) return null
  return (
    <ul className={styles['legend']} aria-label={label}>
      {entries.map(({ name, color, isBefore, partialStyle }, index) => (
        // Rounded ends of bins may be equal, so the name is no key.
        <li key={index}>
          <span
            className={styles['swatch']}
            aria-hidden="true"
            data-before={isBefore || undefined}
            data-partial={partialStyle}
            style={{ '--series': color } as CSSProperties}
          />
          {name}
        </li>
      ))}
    </ul>
  )
}

/** Returns the columns of the table and the CSV; values are exact in the CSV and formatted on the screen. */
const getTableColumns = ({ columns }: PreparedChart, t: TFunction): TableColumn<ChartRow>[] =>
  columns.map(({ title, unit }, index) => ({
    key: String(index),
    title: unit?.name ? t('charts:withUnit', { title, unit: unit.name }) : title,
    value: ({ cells }) => cells[index] ?? null,
    ...(unit
      ? {
          isNumber: true,
          width: 120,
          renderCell: ({ cells }: ChartRow) => unit.format((cells[index] ?? null) as number | null),
        }
      : { width: 140 }),
  }))

// Of the PNG, which has two pixels per CSS pixel.
const paddingPx = 32
const headHeightPx = 88

/** Creates the drawing of a chart as a PNG, below its title and context. */
function createPng(
  drawing: HTMLCanvasElement,
  { title, context, scheme }: { title: string; context: string; scheme: Scheme },
): Promise<Blob | null> {
  const image = document.createElement('canvas')
  image.width = drawing.width + 2 * paddingPx
  image.height = drawing.height + headHeightPx + 2 * paddingPx
  const context2d = image.getContext('2d')
  if (!context2d) return Promise.resolve(null)
  const { panel, ink, quiet } = tokens[scheme]
  context2d.fillStyle = panel
  context2d.fillRect(0, 0, image.width, image.height)
  context2d.fillStyle = ink
  context2d.font = "600 30px 'Inter Variable', system-ui, sans-serif"
  context2d.fillText(title, paddingPx, paddingPx + 30, drawing.width)
  context2d.fillStyle = quiet
  context2d.font = "24px 'Inter Variable', system-ui, sans-serif"
  context2d.fillText(context, paddingPx, paddingPx + 66, drawing.width)
  context2d.drawImage(drawing, paddingPx, paddingPx + headHeightPx)
  return new Promise((resolve) => image.toBlob(resolve, 'image/png'))
}
