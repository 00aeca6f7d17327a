import { useTranslation } from 'react-i18next'
import type { Import } from '#contract/imports.ts'
import { formatInteger } from '#web/kit/format.ts'
import styles from './imports.module.css'

interface Props {
  title: string
  counts: Readonly<Record<string, number>>
  toText: (name: string) => string
}

/** Reasons for flagged or rejected rows, most frequent first. */
function CountList({ title, counts, toText }: Props) {
  const sortedCounts = Object.entries(counts).sort(([, a], [, b]) => b - a)
  if (sortedCounts.length === 0) return null
  return (
    <details className={styles['counts']}>
      <summary>{title}</summary>
      <ul className="figures">
        {sortedCounts.map(([name, rows]) => (
          <li key={name}>
            {toText(name)}: {formatInteger(rows)}
          </li>
        ))}
      </ul>
    </details>
  )
}

/** The result of an import's rows: read = accepted + rejected; flagged rows are among the accepted. */
export function ImportOutcome({ imported }: { imported: Import }) {
  const { t } = useTranslation()
  const rowCounts = [
    ['read', imported.rows_read],
    ['accepted', imported.rows_accepted],
    ['rejected', imported.rows_rejected],
    // Only trips are accepted with a flag.
    ...(imported.kind === 'trips' ? [['flagged', imported.rows_flagged] as const] : []),
  ] as const
  return (
    <>
      <dl className={styles['rowCounts']}>
        {rowCounts.map(([key, rows]) => (
          <div key={key}>
            <dt>{t(`imports:figures.${key}`)}</dt>
            <dd>{formatInteger(rows)}</dd>
          </div>
        ))}
      </dl>
      <CountList
        title={t('imports:reasons')}
        counts={imported.reasons}
        toText={(reason) => t(`imports:reason.${reason}`, { defaultValue: reason })}
      />
      <CountList
        title={t('imports:flags')}
        counts={imported.flags}
        toText={(flag) => t(`imports:flag.${flag}`, { defaultValue: flag })}
      />
    </>
  )
}
