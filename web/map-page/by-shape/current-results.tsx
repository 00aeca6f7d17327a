import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { DownloadFormat } from '#web/kit/download-button.tsx'
import { formatPeriod, type Period } from '#web/filters/period.ts'
import { useOperators } from '#web/filters/use-operators.ts'
import { column } from '#web/kit/table/table-column.ts'
import { Table } from '#web/kit/table/table.tsx'
import type { TableState, TableStateHandler } from '#web/kit/table/table-state.ts'
import type { EvaluationRow } from './evaluation.ts'
import { drawerGap } from '../covered-map.ts'
import { layerInSentence } from '../layer-options.ts'
import { getComparedColumns, getCountColumns, targetColumn, valueColumn } from './result-columns.ts'
import { ResultsTable } from './results-table.tsx'
import type { ShownMap } from './shown-map.ts'
import { useTargets } from './use-targets.ts'
import type { AxisPlaying } from '../time/axis-playing.ts'
import { useCurrentEvaluation } from './use-current-evaluation.ts'

interface Props {
  map: ShownMap
  regionId: string
  heading: string
  /** Unit of the values, also while changes are shown. */
  unitText: string
  period: Period
  /** Name of downloaded files without extension. */
  fileName: string
  moreFormats?: readonly DownloadFormat[] | undefined
  height: number
  selected: string | undefined
  onSelect: (id: string) => void
  /** Whether the numbers are loading. */
  isWaiting?: boolean
  /** Sort order and columns in the URL; without it they are local state of the table. */
  state?: TableState | undefined
  onStateChange?: TableStateHandler | undefined
}

/** The column by which a comparison is sorted. */
const comparedSort = { percent: 'percent', side: 'now', change: 'change' } as const

/** The current bucket in names of files: `2026-03-01`, `hour-7`. */
function bucketFileName({ playback, head }: AxisPlaying): string {
  const bucket = playback.buckets[head.read()] ?? ''
  return playback.by === 'day' ? bucket : `hour-${bucket}`
}

/** The values of the map, or of the current step of a playback, as a table. */
export function CurrentResults({
  map,
  regionId,
  heading,
  unitText,
  period,
  fileName,
  moreFormats,
  height,
  selected,
  onSelect,
  isWaiting = false,
  state,
  onStateChange,
}: Props) {
  const { t, i18n } = useTranslation()
  const { mode, comparison, playing } = map
  const evaluation = useCurrentEvaluation(map.evaluation, playing)
  const operators = useOperators(regionId, mode !== null).data?.items
  const targets = useTargets(map)
  const columns = useMemo(() => {
    if (!evaluation) return []
    if (comparison)
      return getComparedColumns(t, evaluation.unit, unitText, {
        now: formatPeriod(period, i18n.language),
        before: formatPeriod(comparison.period, i18n.language),
      })
    return [
      valueColumn(t, evaluation.unit, unitText),
      ...(targets.size ? [targetColumn(t, targets)] : []),
      ...(mode ? getCountColumns(t, mode, evaluation, operators ?? []) : []),
    ]
  }, [t, i18n.language, mode, evaluation, comparison, unitText, period, operators, targets])
  if (!evaluation) {
    if (!isWaiting) return null
    return (
      <Table<EvaluationRow>
        label={heading}
        rows={undefined}
        columns={[
          column('name', t('evaluation:results.shape'), ({ name }) => name),
          column('value', unitText, ({ value }) => value, { isNumber: true }),
        ]}
        rowKey={({ id }) => id}
        height={height - drawerGap}
      />
    )
  }
  const valuesKey = playing ? 'playing' : 'values'
  return (
    <ResultsTable
      // Table preferences apply to one set of columns, so each set has its own table.
      key={comparison ? 'compared' : valuesKey}
      label={heading}
      evaluation={evaluation}
      layer={layerInSentence(map.layer)}
      columns={columns}
      withoutTotal={mode?.countsWithoutTotal ?? []}
      defaultSort={`-${comparison ? comparedSort[comparison.kind] : 'value'}`}
      state={state}
      onStateChange={onStateChange}
      fileName={playing ? `${fileName}-${bucketFileName(playing)}` : fileName}
      moreFormats={moreFormats}
      height={height}
      selected={selected}
      onSelect={onSelect}
    />
  )
}
