import { useTranslation } from 'react-i18next'
import type { FeedFacts } from '#contract/feed-verdict.ts'
import type { FeedStatus } from '#contract/health.ts'
import { getFeedKindName } from './feed-kinds.ts'
import styles from './feed-mark.module.css'
import { FeedReason, FeedVerdictMark } from './feed-verdict.tsx'

const toMs = (time: string | null): number | null => (time === null ? null : Date.parse(time))

/** Returns the inputs of a feed's verdict. */
export const toFeedFacts = (feed: FeedStatus): FeedFacts => ({
  enabled: feed.state !== 'paused',
  problem: feed.problem,
  problemSince: toMs(feed.problem_since),
  newest: toMs(feed.newest_record),
  limitMinutes: feed.promised_minutes,
  openIncidents: feed.open_incidents,
})

/** A feed with its verdict at an instant (ms), and the reason. */
export function FeedMark({ feed, at, timezone }: { feed: FeedStatus; at: number; timezone: string }) {
  const { t } = useTranslation()
  const facts = toFeedFacts(feed)
  return (
    <span className={styles['feed']}>
      <FeedVerdictMark facts={facts} at={at} timezone={timezone} />
      <span className={styles['name']}>
        {feed.name}{' '}
        <span className={styles['kind']}>
          {t('health:feed.kind', { kind: getFeedKindName(t, feed.kind), version: feed.version })}
        </span>
      </span>
      <span className={styles['why']}>
        <FeedReason facts={facts} at={at} />
      </span>
    </span>
  )
}
