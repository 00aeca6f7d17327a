import { useTranslation } from 'react-i18next'
import type { Dependent } from '#contract/geography-use.ts'
import { formatInteger } from '#web/kit/format.ts'
import { Warning } from '#web/kit/warning.tsx'
import styles from './geography.module.css'

/** The dependents of a layer or shape that is to be deleted. */
export function DependentList({ dependents }: { dependents: readonly Dependent[] }) {
  const { t } = useTranslation()
  if (dependents.length === 0) return null
  return (
    <Warning title={t('geography:depends.title')}>
      <ul className={styles['notes']}>
        {dependents.map(({ kind, id, name, count }) => (
          <li key={`${kind}:${id ?? name}`}>
            {t(`geography:depends.${kind}`, { name, count: count ?? 0, shown: formatInteger(count ?? 0) })}
          </li>
        ))}
      </ul>
    </Warning>
  )
}
