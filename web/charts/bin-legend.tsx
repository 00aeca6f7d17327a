import type { CSSProperties } from 'react'
import styles from './bin-legend.module.css'

export interface LegendRow {
  key: string
  label: string
  /** Number of members of the bin as text, shown after the label. */
  members: string
  /** Color of the bin; zero has an empty box, "no data" a hatched one. */
  swatch: { color: string; opacity: number } | 'zero' | 'none'
}

/** The bins of a map with the numbers of their members, from many to few. */
export function BinLegend({ label, rows }: { label: string; rows: readonly LegendRow[] }) {
  return (
    <ul className={styles['rows']} aria-label={label}>
      {rows.map(({ key, label: text, members, swatch }) => (
        <li key={key} className={styles['row']} data-bin={key}>
          <span
            className={styles['swatch']}
            aria-hidden="true"
            data-kind={typeof swatch === 'string' ? swatch : 'bin'}
            style={
              typeof swatch === 'string'
                ? {}
                : ({ '--bin': swatch.color, '--bin-opacity': swatch.opacity } as CSSProperties)
            }
          />
          <span className={styles['label']}>{text}</span>
          <span className={styles['members']}>{members}</span>
        </li>
      ))}
    </ul>
  )
}
