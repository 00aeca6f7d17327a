import type { CSSProperties } from 'react'
import type { LegendRow } from './bin-legend.tsx'
import styles from './bin-ramp.module.css'

/** The colors of a collapsed legend from the lowest bin to the highest; `rows` start with the highest. */
export function BinRamp({ rows }: { rows: readonly LegendRow[] }) {
  // Rows with a named swatch (zero, no data) have no place on the ramp.
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
