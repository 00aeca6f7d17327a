import { useTranslation } from 'react-i18next'
import type { EvaluationRow, ShownUnit } from './evaluation.ts'
import { formatChange, formatValue, isCountUnit, unitAfter } from './format-value.ts'
import styles from './shape-card.module.css'

interface Props {
  name: string
  row: EvaluationRow | undefined
  unit: ShownUnit
  unitPlural: string
  unitSingular: string
  /** How the map shows changes; null if it shows values. */
  changeDisplay: 'change' | 'percent' | null
  /** Policy targets as text, one per operator. */
  targets?: readonly string[]
}

/** The hover card: name, value and unit. */
export function ShapeCard({ name, row, unit, unitPlural, unitSingular, changeDisplay, targets }: Props) {
  const { t } = useTranslation()
  const compared = row?.compared
  const digits = isCountUnit(unit) ? 0 : 1
  const renderValue = () => {
    if (!row) return <span className={styles['secondary']}>{t('evaluation:legend.none')}</span>
    if (changeDisplay === null || !compared)
      return (
        <span>
          <span className={styles['value']}>{formatValue(row.value, unit)}</span>{' '}
          {unitAfter(row.value, unit, unitPlural, unitSingular)}
        </span>
      )
    const isPercent = changeDisplay === 'percent'
    const values = { now: formatValue(compared.now, unit), before: formatValue(compared.before, unit) }
    return (
      <>
        <span>
          <span className={styles['value']}>
            {isPercent ? formatChange(compared.percent, 1) : formatChange(compared.change, digits)}
          </span>{' '}
          {isPercent ? '%' : unitPlural}
        </span>
        <span className={styles['secondary']}>{t('evaluation:compare.was', values)}</span>
      </>
    )
  }
  return (
    <div className={styles['card']}>
      <strong className={styles['name']}>{name}</strong>
      {renderValue()}
      {targets?.map((target) => (
        <span key={target} className={styles['secondary']}>
          {t('evaluation:target.inCard', { target })}
        </span>
      ))}
    </div>
  )
}
