import { useTranslation } from 'react-i18next'
import styles from './terms.module.css'

const parts = ['provider', 'account', 'data', 'kept', 'browser', 'warranty', 'changes'] as const

/** The terms of service, part by part. */
export function TermsText({ order }: { order: 2 | 3 }) {
  const { t } = useTranslation()
  const Heading = `h${order}` as const
  return (
    <div className={styles['terms']}>
      <p>{t('terms:intro')}</p>
      {parts.map((part) => (
        <section key={part}>
          <Heading className={styles['title']}>{t(`terms:${part}.title`)}</Heading>
          <p>{t(`terms:${part}.text`)}</p>
        </section>
      ))}
    </div>
  )
}
