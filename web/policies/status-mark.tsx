import { useTranslation } from 'react-i18next'
import type { ListedPolicy } from '#contract/policies.ts'
import { hasDraftBeside } from './offered-acts.ts'
import styles from './policies.module.css'

/** The status in one word; beside a draft, that an earlier revision is in the feed meanwhile. */
export function StatusMark({
  policy,
}: {
  policy: Pick<ListedPolicy, 'status' | 'published' | 'published_policy_uuid'>
}) {
  const { t } = useTranslation()
  return (
    <span className={styles['marks']}>
      <span className={styles['mark']} data-status={policy.status}>
        {t(`policies:status.${policy.status}`)}
      </span>
      {hasDraftBeside(policy) ? (
        <span className={styles['earlier']}>{t('policies:earlierPublished')}</span>
      ) : null}
    </span>
  )
}
