import { Button, Text } from '@mantine/core'
import {
  IconCalendarDown,
  IconFlask,
  IconKey,
  IconListDetails,
  IconPencil,
  IconPlayerPause,
  IconPlayerPlay,
  IconRefresh,
  IconTrash,
} from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { type Feed, pushedKinds } from '#contract/feeds.ts'
import type { FeedFacts } from '#contract/feed-verdict.ts'
import { getFeedKindChoice } from '#web/health/feed-kinds.ts'
import { now } from '#web/data/clock.ts'
import { FeedReason, FeedVerdictMark } from '#web/health/feed-verdict.tsx'
import { formatDateTime, formatInteger } from '#web/kit/format.ts'
import { type MenuAction, RowMenu } from '#web/kit/action-menu.tsx'
import styles from './feeds.module.css'

const toMs = (time: string | null): number | null => (time === null ? null : Date.parse(time))

/** Returns the inputs of a feed's verdict. */
export const getFeedFacts = (feed: Feed, openIncidents: number): FeedFacts => ({
  enabled: feed.enabled,
  problem: feed.problem,
  problemSince: toMs(feed.problemSince),
  newest: toMs(feed.lastRecordTime),
  limitMinutes: feed.promisedMinutes,
  openIncidents,
})

/** What users can do with a feed: `change` edits it, `switch` turns it on or off. */
export type FeedAction =
  | 'test'
  | 'change'
  | 'pull'
  | 'backFill'
  | 'pullWindows'
  | 'tokens'
  | 'switch'
  | 'remove'

interface Props {
  feed: Feed
  timezone: string
  openIncidents: number
  onAction: (action: FeedAction, feed: Feed) => void
}

/** A feed: its description, status and actions. */
export function FeedLine({ feed, timezone, openIncidents, onAction }: Props) {
  const { t } = useTranslation()
  const isPushed = pushedKinds.includes(feed.kind)
  const createMenuItem = (key: FeedAction, icon: MenuAction['icon'], name: string = key): MenuAction => ({
    key,
    icon,
    label: t(`feeds:act.${name}`),
    isDanger: key === 'remove',
    onSelect: () => onAction(key, feed),
  })
  const pullActions = [
    ...(feed.enabled ? [createMenuItem('pull', IconRefresh)] : []),
    createMenuItem('backFill', IconCalendarDown),
    createMenuItem('pullWindows', IconListDetails),
  ]
  const actions = [
    createMenuItem('change', IconPencil),
    ...(isPushed ? [createMenuItem('tokens', IconKey)] : pullActions),
    createMenuItem('switch', feed.enabled ? IconPlayerPause : IconPlayerPlay, feed.enabled ? 'off' : 'on'),
    createMenuItem('remove', IconTrash),
  ]
  const formatTime = (time: string | null): string =>
    time ? formatDateTime(time, timezone) : t('feeds:never')
  const { wanted, waiting, failed, done } = feed.pullWindows
  const openPullWindows = wanted + waiting + failed
  const at = now()
  const facts = getFeedFacts(feed, openIncidents)
  return (
    <li className={styles['feed']}>
      <div className={styles['what']}>
        <Text fw={600} component="h3" className={styles['feedName'] ?? ''}>
          {feed.name}
        </Text>
        <Text size="sm" c="dimmed">
          {getFeedKindChoice(t, feed.kind)} ·{' '}
          {t(`feeds:version.${feed.version}`, { defaultValue: feed.version })}
        </Text>
        {feed.url ? (
          <Text size="sm" c="dimmed" className={styles['url'] ?? ''} title={feed.url}>
            {feed.url}
          </Text>
        ) : null}
      </div>
      <div className={styles['how']}>
        <FeedVerdictMark facts={facts} at={at} timezone={timezone} />
        <Text size="sm" className={(feed.problem ? styles['problem'] : undefined) ?? ''}>
          <FeedReason facts={facts} at={at} />
        </Text>
        <Text size="sm" c="dimmed">
          {isPushed
            ? t('feeds:lastRecord', { moment: formatTime(feed.lastRecordTime) })
            : t('feeds:lastSuccess', { moment: formatTime(feed.lastSuccessTime) })}
          {feed.nextTime ? ` · ${t('feeds:next', { moment: formatTime(feed.nextTime) })}` : ''}
        </Text>
        {!isPushed && openPullWindows + done > 0 ? (
          <Text size="sm" c="dimmed" className="figures">
            {t('feeds:pullWindowsLine', { done: formatInteger(done), open: formatInteger(openPullWindows) })}
          </Text>
        ) : null}
      </div>
      <div className={styles['acts']}>
        {isPushed ? (
          <Button
            size="xs"
            variant="default"
            leftSection={<IconKey size={16} />}
            aria-label={t('feeds:tokensOf', { name: feed.name })}
            onClick={() => onAction('tokens', feed)}
          >
            {t('feeds:act.tokens')}
          </Button>
        ) : (
          <Button
            size="xs"
            variant="default"
            leftSection={<IconFlask size={16} />}
            aria-label={t('feeds:testOf', { name: feed.name })}
            onClick={() => onAction('test', feed)}
          >
            {t('feeds:act.test')}
          </Button>
        )}
        <RowMenu label={t('feeds:actsOf', { name: feed.name })} actions={actions} />
      </div>
    </li>
  )
}
