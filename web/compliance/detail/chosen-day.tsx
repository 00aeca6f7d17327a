import { CloseButton } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { formatShortDay } from '#web/kit/dates/calendar-text.ts'
import { formatInteger } from '#web/kit/format.ts'
import { JudgementMark } from '#web/policies/results/judgement-mark.tsx'
import type { DayTally } from '#web/policies/results/tally-records.ts'
import { formatReason } from '../reason-text.ts'
import { formatDayTally } from './day-text.ts'
import styles from './detail.module.css'

interface Props {
  operatorName: string
  day: DayTally
  onClose: () => void
}

/** Maximum number of shapes in the list; the table of all records has the others. */
const maxShapes = 50
const rankByStatus = { non_compliant: 0, not_applicable: 1, compliant: 2 } as const

/** The selected day of an operator: the reason for its status, shape by shape. */
export function SelectedDayDetails({ operatorName, day, onClose }: Props) {
  const { t, i18n } = useTranslation()
  const records = day.records.toSorted(
    (a, b) =>
      rankByStatus[a.status] - rankByStatus[b.status] ||
      b.violations - a.violations ||
      a.shape_name.localeCompare(b.shape_name),
  )
  const heading = `${operatorName}, ${formatShortDay(day.date, i18n.language)}`
  return (
    <section className={styles['chosen']} aria-label={heading}>
      <header className={styles['chosenHead']}>
        <h3 className={styles['chosenTitle']}>{heading}</h3>
        <JudgementMark status={day.status} />
        <CloseButton size="sm" ml="auto" aria-label={t('compliance:matrix.close')} onClick={onClose} />
      </header>
      <p role="status" className={styles['sentence']}>
        {formatDayTally(t, day)}
      </p>
      {records.length > 1 ? (
        <ul className={styles['reasons']} tabIndex={0} aria-label={t('compliance:matrix.shapes')}>
          {records.slice(0, maxShapes).map((record) => (
            <li key={`${record.shape_uuid} ${record.policy_uuid}`}>
              <strong>{record.shape_name}</strong>
              <JudgementMark status={record.status} />
              <span>{formatReason(t, record)}</span>
            </li>
          ))}
          {records.length > maxShapes ? (
            <li>
              {t('compliance:matrix.more', {
                count: records.length - maxShapes,
                shown: formatInteger(records.length - maxShapes),
              })}
            </li>
          ) : null}
        </ul>
      ) : null}
    </section>
  )
}
