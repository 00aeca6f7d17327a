import { useTranslation } from 'react-i18next'
import type { EvaluationRow, ShownUnit } from './evaluation.ts'
import { formatChange, formatValue, isWhole, unitAfter } from './format-value.ts'
import styles from './shape-card.module.css'

interface Props {
  name: string
  row: EvaluationRow | undefined
  unit: ShownUnit
  /** The unit of the value, and its singular. */
  unitText: string
  unitOne: string
  /** How the map shows changes; null if it shows values. */
  shownChange: 'change' | 'percent' | null
  /** The targets of policies for each operator. */
  targets?: readonly string[]
}

/** The hover card: name, value and unit. */
export function ShapeCard({ name, row, unit, unitText, unitOne, shownChange, targets }: Props) {
  const { t } = useTranslation()
  const compared = row?.compared
  const digits = isWhole(unit) ? 0 : 1
  return (
    <div className={styles['card']}>
      <strong className={styles['name']}>{name}</strong>
      {!row ? (
        <span className={styles['n']}>{t('evaluation:legend.none')}</span>
      ) : shownChange !== null && compared ? (
        <>
          <span>
            <span className={styles['value']}>
              {shownChange === 'percent'
                ? formatChange(compared.percent, 1)
                : formatChange(compared.change, digits)}
            </span>{' '}
            {shownChange === 'percent' ? '%' : unitText}
          </span>
          <span className={styles['n']}>
            {t('evaluation:compare.was', {
              now: formatValue(compared.now, unit),
              before: formatValue(compared.before, unit),
            })}
          </span>
        </>
      ) : (
        <span>
          <span className={styles['value']}>{formatValue(row.value, unit)}</span>{' '}
          {unitAfter(row.value, unit, unitText, unitOne)}
        </span>
      )}
      {targets?.map((target) => (
        <span key={target} className={styles['n']}>
          {t('evaluation:target.inCard', { target })}
        </span>
      ))}
    </div>
  )
}
