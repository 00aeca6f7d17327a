import { Button, Text } from '@mantine/core'
import { IconPencil, IconPlus, IconTrash } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Feed } from '#contract/feeds.ts'
import type { ManagedOperator } from '#contract/managed-operators.ts'
import { type MenuAction, RowMenu } from '#web/kit/action-menu.tsx'
import { ColorDot } from '#web/kit/color-dot.tsx'
import { FeedLine, type FeedAction } from './feed-line.tsx'
import styles from './feeds.module.css'

interface Props {
  /** Null for feeds without an operator. */
  operator: ManagedOperator | null
  feeds: readonly Feed[]
  timezone: string
  /** Number of open incidents by feed. */
  incidents: ReadonlyMap<string, number>
  onFeed: (action: FeedAction, feed: Feed) => void
  onAddFeed: () => void
  onChange?: () => void
  onRemove?: () => void
}

/** An operator with its feeds of the region. */
export function OperatorCard({
  operator,
  feeds,
  timezone,
  incidents,
  onFeed,
  onAddFeed,
  onChange,
  onRemove,
}: Props) {
  const { t } = useTranslation()
  const name = operator?.name ?? t('feeds:city.title')
  const actions: MenuAction[] = [
    ...(onChange
      ? [{ key: 'change', label: t('feeds:act.changeOperator'), icon: IconPencil, onSelect: onChange }]
      : []),
    ...(onRemove && operator?.isNamed && !operator.hasTrips && operator.feeds === 0
      ? [{ key: 'remove', label: t('feeds:act.remove'), icon: IconTrash, isDanger: true, onSelect: onRemove }]
      : []),
  ]
  const note: ReactNode = operator
    ? [operator.slug, ...(operator.providerId ? [operator.providerId] : [])].join(' · ')
    : t('feeds:city.text')
  return (
    <section className={styles['card']} aria-label={name}>
      <div className={styles['head']}>
        {operator ? <ColorDot color={operator.colorHex} /> : null}
        <div className={styles['title']}>
          <Text fw={650} component="h2">
            {name}
          </Text>
          <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {note}
          </Text>
        </div>
        <div className={styles['acts']}>
          {operator && !operator.isNamed ? null : (
            <Button
              size="xs"
              variant="default"
              leftSection={<IconPlus size={16} />}
              aria-label={operator ? t('feeds:feed.addTo', { name }) : t('feeds:feed.addCity')}
              onClick={onAddFeed}
            >
              {t('feeds:feed.add')}
            </Button>
          )}
          {actions.length ? <RowMenu label={t('feeds:actsOf', { name })} actions={actions} /> : null}
        </div>
      </div>
      {feeds.length ? (
        <ul className={styles['feeds']}>
          {feeds.map((feed) => (
            <FeedLine
              key={feed.feedId}
              feed={feed}
              timezone={timezone}
              openIncidents={incidents.get(feed.feedId) ?? 0}
              onAction={onFeed}
            />
          ))}
        </ul>
      ) : (
        <p className={styles['none']}>
          {t(operator && !operator.isNamed ? 'feeds:nameFirst' : 'feeds:noFeeds')}
        </p>
      )}
    </section>
  )
}
