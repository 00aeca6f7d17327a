import { useTranslation } from 'react-i18next'
import { formatWhole } from '#web/kit/format.ts'
import type { EvaluationRow, EvaluationUnit } from './evaluation.ts'
import { formatValue } from './format-value.ts'
import styles from './shape-card.module.css'

interface Props {
  name: string
  row: EvaluationRow | undefined
  unit: EvaluationUnit
  unitText: string
}

/** Name, value, unit, n: what the pointer's card says. */
export function ShapeCard({ name, row, unit, unitText }: Props) {
  const { t } = useTranslation()
  return (
    <div className={styles['card']}>
      <strong className={styles['name']}>{name}</strong>
      {row ? (
        <>
          <span><span className={styles['value']}>{formatValue(row.value, unit)}</span> {row.value === null ? '' : unitText}</span>
          <span className={styles['n']}>{t('evaluation:card.n', { shown: formatWhole(row.counts.n) })}</span>
        </>
      ) : <span className={styles['n']}>{t('evaluation:legend.none')}</span>}
    </div>
  )
}
