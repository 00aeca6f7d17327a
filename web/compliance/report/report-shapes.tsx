import { useTranslation } from 'react-i18next'
import type { ComplianceRecord } from '#contract/compliance.ts'
import { formatWhole } from '#web/kit/format.ts'
import { shapeViolations } from '../parts/shape-violations.ts'
import styles from './report.module.css'

/** Shapes with anything to tell; nothing where the policy is measured as a whole. */
export function ReportShapes({ records }: { records: readonly ComplianceRecord[] }) {
  const { t } = useTranslation()
  const rows = shapeViolations(records)
  if (rows.length === 0) return null
  const broken = rows.filter(({ counts }) => counts.broken > 0)
  return (
    <section className={styles['part']}>
      <h2 className={styles['heading']}>{t('compliance:shapes.label')}</h2>
      {broken.length ? (
        <table className={styles['table']}>
          <thead>
            <tr>
              <th scope="col">{t('compliance:records.shape')}</th>
              <th scope="col" data-number>
                {t('compliance:table.violations')}
              </th>
              <th scope="col" data-number>
                {t('compliance:shapes.broken')}
              </th>
              <th scope="col" data-number>
                {t('compliance:shapes.kept')}
              </th>
            </tr>
          </thead>
          <tbody>
            {broken.map(({ id, name, value, counts }) => (
              <tr key={id}>
                <th scope="row">{name}</th>
                <td data-number>{formatWhole(value)}</td>
                <td data-number>{formatWhole(counts.broken)}</td>
                <td data-number>{formatWhole(counts.kept)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      ) : null}
      <p>
        {t('compliance:report.keptShapes', {
          count: rows.length - broken.length,
          shown: formatWhole(rows.length - broken.length),
        })}
      </p>
    </section>
  )
}
