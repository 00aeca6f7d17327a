import {
  IconAlertCircle,
  IconAlertTriangle,
  IconCircleCheck,
  IconCircleDashed,
  IconPlayerPause,
  IconPlugConnectedX,
} from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { type FeedFacts, getFeedVerdict } from '#contract/feed-verdict.ts'
import { formatMoment } from '#web/kit/format.ts'
import { formatSpan } from '#web/kit/format-duration.ts'
import { translateServerText } from '#web/i18n/server-text.ts'
import styles from './feed-mark.module.css'

const icons = {
  ok: IconCircleCheck,
  incident: IconAlertCircle,
  late: IconAlertTriangle,
  failing: IconPlugConnectedX,
  paused: IconPlayerPause,
  never: IconCircleDashed,
} as const

/** The verdict on a feed as an icon and words: "Late since 10:02 AM". */
export function FeedVerdictMark({ facts, at, timezone }: { facts: FeedFacts; at: number; timezone: string }) {
  const { t } = useTranslation()
  const { state, since } = getFeedVerdict(facts, at)
  const Icon = icons[state]
  const stateText =
    since === null
      ? t(`health:state.${state}`)
      : t(`health:state.since.${state}`, { time: formatMoment(since, timezone, at) })
  return (
    <span className={styles['mark']} data-state={state}>
      <Icon size={14} aria-hidden="true" />
      {state === 'incident' ? t('health:incidents.open', { count: facts.openIncidents }) : stateText}
    </span>
  )
}

/** The reason of a verdict: the age of the newest record and its limit, or the failure. */
export function FeedReason({ facts, at }: { facts: FeedFacts; at: number }) {
  const { t } = useTranslation()
  const { state } = getFeedVerdict(facts, at)
  if (state === 'failing') return <>{translateServerText(facts.problem ?? '')}</>
  if (facts.newest === null) return <>{t('health:feed.none')}</>
  return (
    <>
      {t('health:feed.newest', {
        age: formatSpan((at - facts.newest) / 1000),
        promised: formatSpan(facts.limitMinutes * 60),
      })}
    </>
  )
}
