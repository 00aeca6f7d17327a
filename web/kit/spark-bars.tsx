import { memo } from 'react'
import styles from './sparkline.module.css'

/** Color of a bar. */
export type SparkTone = 'value' | 'rain' | 'count' | 'good' | 'bad'

interface SparkBar {
  /** Null if unknown: no bar is drawn. */
  value: number | null
  /** Part of the value that is drawn darker. */
  part?: number
  /** Value of a line across the bar, such as a usual value. */
  usual?: number | null
  tone?: SparkTone
  /** Whether a dot replaces the bar. */
  isDot?: boolean
}

interface Props {
  /** A number is the value of a plain bar. */
  bars: readonly (SparkBar | number | null)[]
  height: number
  /** Width per bar with its gap in pixels; without it, the bars share the available width. */
  step?: number
  tone?: SparkTone
  /** Accessible description. Without it the bars are decorative; their values must be shown as text. */
  label?: string
}

/** Space for dots below the bars. */
const dotSpacePx = 5

/** Small bars without axes, without the chart library. A zero is a hairline, unlike an unknown value. */
export const SparkBars = memo(function SparkBars({ bars, height, step, tone = 'value', label }: Props) {
  const sparkBars = bars.map((bar): SparkBar =>
    typeof bar === 'object' && bar !== null ? bar : { value: bar },
  )
  const max = Math.max(0, ...sparkBars.flatMap(({ value, usual }) => [value ?? 0, usual ?? 0]))
  const barStep = step ?? 10
  const width = Math.max(1, barStep - Math.max(1.5, 0.16 * barStep))
  const hairline = step === undefined ? 1 : 2
  const toHeight = (value: number): number => (max === 0 ? 0 : (Math.max(0, value) / max) * height)
  const dotSpace = sparkBars.some(({ isDot }) => isDot) ? dotSpacePx : 0
  const totalWidth = Math.max(1, sparkBars.length) * barStep
  const getRect = (index: number, value: number) => {
    const barHeight = Math.max(value > 0 ? 2 * hairline : hairline, toHeight(value))
    return { x: index * barStep + (barStep - width) / 2, width, y: height - barHeight, height: barHeight }
  }
  return (
    <svg
      className={styles['bars']}
      viewBox={`0 0 ${totalWidth} ${height + dotSpace}`}
      preserveAspectRatio="none"
      height={height + dotSpace}
      width={step === undefined ? '100%' : totalWidth}
      {...(label === undefined ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label })}
    >
      {sparkBars.map(({ value, part, usual, tone: barTone = tone, isDot }, index) =>
        isDot ? (
          <circle key={index} cx={index * barStep + barStep / 2} cy={height + 3} r={1.2} />
        ) : value === null ? null : (
          <g key={index} data-tone={barTone} data-faint={part !== undefined || undefined}>
            <rect {...getRect(index, value)} />
            {part ? <rect className={styles['part']} {...getRect(index, part)} /> : null}
            {typeof usual === 'number' ? (
              <line
                x1={index * barStep}
                x2={(index + 1) * barStep}
                y1={height - toHeight(usual)}
                y2={height - toHeight(usual)}
              />
            ) : null}
          </g>
        ),
      )}
    </svg>
  )
})
