import {
  IconAlertTriangle,
  IconCircleCheck,
  IconCircleDashed,
  IconPlayerPause,
  IconPlugConnectedX,
} from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { FeedStatus } from '#contract/health.ts'
import { formatSpan } from '#web/kit/format-duration.ts'
import styles from './feed-mark.module.css'

const icons = {
  ok: IconCircleCheck,
  late: IconAlertTriangle,
  failing: IconPlugConnectedX,
  paused: IconPlayerPause,
  never: IconCircleDashed,
} as const

/** A feed with its state as a sign, a word and the reason. */
export function FeedMark({ feed }: { feed: FeedStatus }) {
  const { t } = useTranslation()
  const Icon = icons[feed.state]
  const age =
    feed.freshness_minutes === null
      ? t('health:feed.none')
      : t('health:feed.newest', {
          age: formatSpan(feed.freshness_minutes * 60),
          promised: formatSpan(feed.promised_minutes * 60),
        })
  return (
    <span className={styles['feed']}>
      <span className={styles['mark']} data-state={feed.state}>
        <Icon size={14} aria-hidden="true" />
        {t(`health:state.${feed.state}`)}
      </span>
      <span className={styles['name']}>
        {feed.name}{' '}
        <span className={styles['kind']}>
          {t('health:feed.kind', { kind: t(`health:kinds.${feed.kind}`), version: feed.version })}
        </span>
      </span>
      <span className={styles['why']}>{feed.state === 'failing' && feed.problem ? feed.problem : age}</span>
    </span>
  )
}
