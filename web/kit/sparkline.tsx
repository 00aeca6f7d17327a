import { memo } from 'react'
import styles from './sparkline.module.css'

/** Returns an SVG path of values, `values.length` wide and 1 high, with gaps at unknown values. */
export function createSparkPath(values: readonly (number | null)[]): string {
  const knownValues = values.filter((value): value is number => value !== null)
  const min = Math.min(...knownValues)
  const max = Math.max(...knownValues)
  // A margin of a tenth above and below; equal values are in the middle.
  const toY = (value: number): number => (max === min ? 0.5 : 0.9 - (0.8 * (value - min)) / (max - min))
  const isKnown = (index: number): boolean => (values[index] ?? null) !== null
  return values
    .flatMap((value, index) => {
      if (value === null) return []
      const point = `${index + 0.5} ${toY(value).toFixed(3)}`
      // A value between gaps is a dot: a line of no length with round caps.
      const dot = isKnown(index - 1) || isKnown(index + 1) ? '' : `L${point}`
      return [`${isKnown(index - 1) ? 'L' : 'M'}${point}${dot}`]
    })
    .join('')
}

interface Props {
  values: readonly (number | null)[]
  height: number
  className?: string | undefined
}

/** A line without axes over the available width. Decorative: its values must be shown as text elsewhere. */
export const Sparkline = memo(function Sparkline({ values, height, className = '' }: Props) {
  return (
    <svg
      className={`${styles['spark']} ${className}`}
      viewBox={`0 0 ${Math.max(1, values.length)} 1`}
      preserveAspectRatio="none"
      height={height}
      width="100%"
      aria-hidden="true"
    >
      <path d={createSparkPath(values)} />
    </svg>
  )
})
