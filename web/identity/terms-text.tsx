import { useTranslation } from 'react-i18next'
import styles from './terms.module.css'

const sections = ['provider', 'account', 'data', 'kept', 'browser', 'warranty', 'changes'] as const

/** The terms of service. `order` is the level of the headings. */
export function TermsText({ order }: { order: 2 | 3 }) {
  const { t } = useTranslation()
  const Heading = `h${order}` as const
  return (
    <div className={styles['terms']}>
      <p>{t('terms:intro')}</p>
      {sections.map((section) => (
        <section key={section}>
          <Heading className={styles['title']}>{t(`terms:${section}.title`)}</Heading>
          <p>{t(`terms:${section}.text`)}</p>
        </section>
      ))}
    </div>
  )
}
