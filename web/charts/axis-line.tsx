import { memo } from 'react'
import styles from './axis-line.module.css'

interface Props {
  values: readonly (number | null)[]
  height: number
}

/** A line over the whole width, a point a piece of an axis; it breaks where nothing is known. */
export const AxisLine = memo(function AxisLine({ values, height }: Props) {
  const known = values.filter((value): value is number => value !== null)
  const [minValue, maxValue] = [Math.min(...known), Math.max(...known)]
  const y = (value: number): number =>
    maxValue === minValue ? 0.5 : 0.9 - (0.8 * (value - minValue)) / (maxValue - minValue)
  const steps = values.map((value, at) =>
    value === null
      ? ''
      : `${at > 0 && values[at - 1] !== null ? 'L' : 'M'}${at + 0.5} ${y(value).toFixed(3)}`,
  )
  return (
    <svg
      className={styles['line']}
      viewBox={`0 0 ${Math.max(1, values.length)} 1`}
      preserveAspectRatio="none"
      height={height}
      width="100%"
      aria-hidden="true"
    >
      <path d={steps.join(' ')} />
    </svg>
  )
})
