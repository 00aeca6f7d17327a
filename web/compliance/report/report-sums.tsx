import { useTranslation } from 'react-i18next'
import { formatWhole } from '#web/kit/format.ts'
import { JudgementMark } from '../parts/judgement-mark.tsx'
import { tallyAll, type OperatorTally } from '../tally-records.ts'
import styles from './report.module.css'

const figures = ['days', 'compliantDays', 'otherDays', 'violations', 'uncertain'] as const
type Line = Omit<OperatorTally, 'operator' | 'days'>

/** What the days come to, by operator and together. */
export function ReportSums({
  tallies,
  operatorName,
}: {
  tallies: readonly OperatorTally[]
  operatorName: (slug: string) => string
}) {
  const { t } = useTranslation()
  const line = (
    key: string,
    name: string,
    { status, brokenDays, compliantDays, otherDays, violations, uncertain }: Line,
  ) => (
    <tr key={key} data-total={key === '' || undefined}>
      <th scope="row">{name}</th>
      <td>
        <JudgementMark status={status} />
      </td>
      {[brokenDays, compliantDays, otherDays, violations, uncertain].map((number, at) => (
        <td key={at} data-number data-name={t(`compliance:table.${figures[at] ?? 'days'}`)}>
          {formatWhole(number)}
        </td>
      ))}
    </tr>
  )
  return (
    <section className={styles['part']}>
      <h2 className={styles['heading']}>{t('compliance:report.sums')}</h2>
      <table className={`${styles['table']} ${styles['sums']}`}>
        <thead>
          <tr>
            <th scope="col">{t('compliance:table.operator')}</th>
            <th scope="col">{t('compliance:table.status')}</th>
            {figures.map((key) => (
              <th key={key} scope="col" data-number>
                {t(`compliance:table.${key}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {tallies.map((tally) => line(tally.operator, operatorName(tally.operator), tally))}
          {tallies.length > 1 ? line('', t('compliance:report.all'), tallyAll(tallies)) : null}
        </tbody>
      </table>
    </section>
  )
}
