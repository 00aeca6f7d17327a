import type { CSSProperties } from 'react'
import type { LegendRow } from './bin-legend.tsx'
import styles from './bin-ramp.module.css'

/**
 * The bins of a closed legend: their colors from few to many, and the numbers at both ends. `rows` are from
 * many to few, as in the open legend.
 */
export function BinRamp({ rows }: { rows: readonly LegendRow[] }) {
  const bins = rows
    .flatMap(({ key, label, swatch }) => (typeof swatch === 'string' ? [] : [{ key, label, ...swatch }]))
    .toReversed()
  const [first, last] = [bins[0], bins.at(-1)]
  if (!first || !last) return null
  return (
    <div>
      <span className={styles['ramp']} aria-hidden="true">
        {bins.map(({ key, color, opacity }) => (
          <span
            key={key}
            className={styles['bin']}
            style={{ '--bin': color, '--bin-opacity': opacity } as CSSProperties}
          />
        ))}
      </span>
      <p className={styles['ends']}>
        <span>{first.label}</span>
        {last === first ? null : <span>{last.label}</span>}
      </p>
    </div>
  )
}
