import { memo } from 'react'
import styles from './axis-bars.module.css'

interface Props {
  /** One bar each; none is no bar, zero a line of a hair's breadth. */
  values: readonly (number | null)[]
  /** Which of the theme's marks it is drawn as. */
  tone?: 'value' | 'rain' | 'count'
  height: number
}

/** Bars over the whole width, one a piece of an axis: what is where, at a glance. Its numbers are told by whoever owns the axis. */
export const AxisBars = memo(function AxisBars({ values, tone = 'value', height }: Props) {
  const maxValue = Math.max(0, ...values.map((value) => value ?? 0))
  return (
    <svg
      className={styles['bars']}
      data-tone={tone}
      viewBox={`0 0 ${Math.max(1, values.length)} 1`}
      preserveAspectRatio="none"
      height={height}
      width="100%"
      aria-hidden="true"
    >
      {values.map((value, at) => {
        const share = value === null || maxValue === 0 ? 0 : Math.max(0, value) / maxValue
        return value === null ? null : (
          <rect
            key={at}
            x={at + 0.08}
            width={0.84}
            y={1 - Math.max(share, 1 / height)}
            height={Math.max(share, 1 / height)}
          />
        )
      })}
    </svg>
  )
})
