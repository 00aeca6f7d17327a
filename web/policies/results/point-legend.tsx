import { useTranslation } from 'react-i18next'
import type { ComplianceFact } from '#contract/compliance.ts'
import { formatInteger } from '#web/kit/format.ts'
import styles from './parts.module.css'

/** The meaning of the map's points, and how many of all facts are drawn. */
export function PointLegend({ facts, total }: { facts: readonly ComplianceFact[]; total: number }) {
  const { t } = useTranslation()
  const kinds = {
    violation: facts.some(({ is_violation: isViolation }) => isViolation),
    uncertain: facts.some(
      ({ is_violation: isViolation, is_uncertain: isUncertain }) => isUncertain && !isViolation,
    ),
    other: facts.some(
      ({ is_violation: isViolation, is_uncertain: isUncertain }) => !isUncertain && !isViolation,
    ),
  }
  return (
    <ul className={styles['points']}>
      {(['violation', 'uncertain', 'other'] as const).map((kind) =>
        kinds[kind] ? (
          <li key={kind}>
            <span className={styles['dot']} data-kind={kind} aria-hidden="true" />
            {t(`compliance:points.${kind}`)}
          </li>
        ) : null,
      )}
      <li className={styles['legendUnit']}>
        {facts.length < total
          ? t('compliance:points.some', { shown: formatInteger(facts.length), total: formatInteger(total) })
          : t('compliance:points.all', { count: total, shown: formatInteger(total) })}
      </li>
    </ul>
  )
}
