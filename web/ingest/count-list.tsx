import { formatWhole } from '#web/kit/format.ts'
import styles from './ingest.module.css'

interface Props {
  title: string
  counts: Readonly<Record<string, number>>
  textOf: (name: string) => string
}

/** Why rows were flagged or set aside, most frequent first. */
export function CountList({ title, counts, textOf }: Props) {
  const sorted = Object.entries(counts).sort(([, a], [, b]) => b - a)
  if (sorted.length === 0) return null
  return (
    <details className={styles['counts']}>
      <summary>{title}</summary>
      <ul className="figures">
        {sorted.map(([name, rows]) => (
          <li key={name}>
            {textOf(name)}: {formatWhole(rows)}
          </li>
        ))}
      </ul>
    </details>
  )
}
