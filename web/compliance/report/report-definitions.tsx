import { useTranslation } from 'react-i18next'
import type { ComplianceMeasure } from '#contract/compliance.ts'
import styles from './report.module.css'

/** What the figures mean and how they are made. */
export function ReportDefinitions({ measure }: { measure: ComplianceMeasure }) {
  const { t } = useTranslation()
  return (
    <section className={styles['part']}>
      <h2 className={styles['heading']}>{t('compliance:report.definitions')}</h2>
      <dl className={styles['definitions']}>
        <dt>{t(`compliance:measures.${measure}.name`)}</dt>
        <dd>{t(`compliance:measures.${measure}.definition`)}</dd>
        {(['status', 'broken', 'violations', 'uncertain', 'other'] as const).map((figure) => (
          <div key={figure}>
            <dt>{t(`compliance:figures.${figure}.name`)}</dt>
            <dd>{t(`compliance:figures.${figure}.definition`)}</dd>
          </div>
        ))}
      </dl>
      <p>{t('compliance:method', { measure: t(`compliance:measures.${measure}.name`) })}</p>
    </section>
  )
}
