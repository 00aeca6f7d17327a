import { useTranslation } from 'react-i18next'
import { formatInteger } from '#web/kit/format.ts'
import { formatMeasuredNumber } from '../results/measured-text.ts'
import { type StripBin, stripBins } from './strip-bins.ts'
import type { MarkKind, StripRow } from './strip-marks.ts'
import type { StripScale } from './strip-scale.ts'
import styles from './strip.module.css'

interface Props {
  row: StripRow
  name: string
  scale: StripScale
  /** Number of marks in the fullest bin of all rows, so that the rows share one scale. */
  maxCount: number
}

/** Number of bins of the axis. */
export const stripBinCount = 72
/** Height of a row in drawing units, of which a bin is one wide. */
const height = 30
const kinds: readonly MarkKind[] = ['inside', 'other', 'outside']

function Column({ bin: { index, counts }, unit }: { bin: StripBin; unit: number }) {
  // A gap of 0.4 units separates the parts of a column, and a small part remains visible.
  let usedHeight = 0
  return kinds.map((kind) => {
    const columnHeight = counts[kind] * unit
    usedHeight += columnHeight
    return counts[kind] === 0 ? null : (
      <rect
        key={kind}
        data-kind={kind}
        x={index + 0.12}
        width={0.76}
        y={height - usedHeight + 0.4}
        height={Math.max(0.8, columnHeight - 0.4)}
      />
    )
  })
}

/** The measured values of one operator as a histogram along the axis. */
export function StripRowDrawing({ row: { marks }, name, scale, maxCount }: Props) {
  const { t } = useTranslation()
  const outside = marks.filter(({ kind }) => kind === 'outside').length
  const values = marks.map(({ value }) => value)
  const label = values.length
    ? t('compliance:try.strip.marks', {
        operator: name,
        count: values.length,
        min: formatMeasuredNumber(values[0]!),
        max: formatMeasuredNumber(values.at(-1)!),
        median: formatMeasuredNumber(values[Math.floor((values.length - 1) / 2)]!),
        outside: formatInteger(outside),
      })
    : `${name}: ${t('compliance:try.strip.none')}`
  const unit = Math.min(6, height / Math.max(1, maxCount))
  return (
    <div className={styles['row']}>
      <span className={styles['rowName']}>
        <strong>{name}</strong>
        <span data-outside={outside > 0 || undefined}>
          {t('compliance:try.strip.share', { outside: formatInteger(outside), count: marks.length })}
        </span>
      </span>
      <svg
        className={styles['drawing']}
        role="img"
        aria-label={label}
        viewBox={`0 0 ${stripBinCount} ${height}`}
        preserveAspectRatio="none"
      >
        {stripBins(marks, scale, stripBinCount).map((bin) => (
          <Column key={bin.index} bin={bin} unit={unit} />
        ))}
        <line x1={0} x2={stripBinCount} y1={height} y2={height} />
      </svg>
    </div>
  )
}
