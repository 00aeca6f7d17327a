import { useTranslation } from 'react-i18next'
import type { LocalDay } from '#contract/period.ts'
import { formatShortDay } from '#web/kit/dates/calendar-text.ts'
import { JudgementMark } from '#web/policies/results/judgement-mark.tsx'
import type { OperatorTally } from '#web/policies/results/tally-records.ts'
import { formatDayTally } from '../detail/day-text.ts'
import styles from './report.module.css'

interface Props {
  tallies: readonly OperatorTally[]
  days: readonly LocalDay[]
  operatorName: (slug: string) => string
}

/** Each day of each operator with its reason. */
export function ReportDays({ tallies, days, operatorName }: Props) {
  const { t, i18n } = useTranslation()
  return (
    <section className={styles['part']}>
      <h2 className={styles['heading']}>{t('compliance:matrix.label')}</h2>
      <table className={`${styles['table']} ${styles['days']}`}>
        <thead>
          <tr>
            <th scope="col">{t('compliance:records.date')}</th>
            <th scope="col">{t('compliance:table.operator')}</th>
            <th scope="col">{t('compliance:table.status')}</th>
            <th scope="col">{t('compliance:records.reason')}</th>
          </tr>
        </thead>
        <tbody>
          {days.flatMap((date) =>
            tallies.map(({ operator, days: operatorDays }) => {
              const day = operatorDays.get(date)
              return day ? (
                <tr key={`${date} ${operator}`}>
                  <td>{formatShortDay(date, i18n.language)}</td>
                  <td>{operatorName(operator)}</td>
                  <td>
                    <JudgementMark status={day.status} />
                  </td>
                  <td>{formatDayTally(t, day)}</td>
                </tr>
              ) : null
            }),
          )}
        </tbody>
      </table>
    </section>
  )
}
