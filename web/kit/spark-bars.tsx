import { memo } from 'react'
import styles from './sparkline.module.css'

export type SparkTone = 'value' | 'rain' | 'count' | 'good' | 'bad'

interface SparkBar {
  /** Null: unknown, no bar. */
  value: number | null
  /** The part of the value that is drawn darker. */
  part?: number
  /** A line across the bar, such as what is usual. */
  usual?: number | null
  tone?: SparkTone
  /** A dot in place of a bar. */
  isDot?: boolean
}

interface Props {
  /** A number is the value of a plain bar. */
  bars: readonly (SparkBar | number | null)[]
  height: number
  /** Pixels per bar; without it, the bars share the whole width. */
  step?: number
  tone?: SparkTone
  /** What the bars show, in words. Without it they are decorative: whoever shows them states their numbers. */
  label?: string
}

/** Room below the bars for dots, in pixels. */
const dotRoom = 5

/** Small bars without axes, drawn without the chart library: a zero is a hair, so that it differs from an unknown value. */
export const SparkBars = memo(function SparkBars({ bars, height, step, tone = 'value', label }: Props) {
  const all = bars.map((bar): SparkBar => (typeof bar === 'object' && bar !== null ? bar : { value: bar }))
  const max = Math.max(0, ...all.flatMap(({ value, usual }) => [value ?? 0, usual ?? 0]))
  const unit = step ?? 10
  const width = Math.max(1, unit - Math.max(1.5, 0.16 * unit))
  const least = step === undefined ? 1 : 2
  const share = (value: number): number => (max === 0 ? 0 : (Math.max(0, value) / max) * height)
  const room = all.some(({ isDot }) => isDot) ? dotRoom : 0
  const total = Math.max(1, all.length) * unit
  const rect = (at: number, value: number) => {
    const tall = Math.max(value > 0 ? 2 * least : least, share(value))
    return { x: at * unit + (unit - width) / 2, width, y: height - tall, height: tall }
  }
  return (
    <svg
      className={styles['bars']}
      viewBox={`0 0 ${total} ${height + room}`}
      preserveAspectRatio="none"
      height={height + room}
      width={step === undefined ? '100%' : total}
      {...(label === undefined ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label })}
    >
      {all.map(({ value, part, usual, tone: own = tone, isDot }, at) =>
        isDot ? (
          <circle key={at} cx={at * unit + unit / 2} cy={height + 3} r={1.2} />
        ) : value === null ? null : (
          <g key={at} data-tone={own} data-faint={part !== undefined || undefined}>
            <rect {...rect(at, value)} />
            {part ? <rect className={styles['part']} {...rect(at, part)} /> : null}
            {typeof usual === 'number' ? (
              <line
                x1={at * unit}
                x2={(at + 1) * unit}
                y1={height - share(usual)}
                y2={height - share(usual)}
              />
            ) : null}
          </g>
        ),
      )}
    </svg>
  )
})
