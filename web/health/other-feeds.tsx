import { Title } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { FeedStanding } from '#contract/health.ts'
import { FeedMark } from './feed-mark.tsx'
import styles from './operator-list.module.css'

/** Feeds of no operator: issues, weather. */
export function OtherFeeds({ feeds }: { feeds: readonly FeedStanding[] }) {
  const { t } = useTranslation()
  if (feeds.length === 0) return null
  return (
    <section aria-label={t('health:otherFeeds')}>
      <Title order={2} mb="sm">
        {t('health:otherFeeds')}
      </Title>
      <ul className={styles['feeds']}>
        {feeds.map((feed) => (
          <li key={feed.feed_id}>
            <FeedMark feed={feed} />
          </li>
        ))}
      </ul>
    </section>
  )
}
