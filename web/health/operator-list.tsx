import { UnstyledButton } from '@mantine/core'
import { IconAlertCircle } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { FeedStatus, HealthDay, OperatorHealth } from '#contract/health.ts'
import { FeedMark } from './feed-mark.tsx'
import { ColorDot } from '#web/kit/color-dot.tsx'
import styles from './operator-list.module.css'
import { formatInteger } from '#web/kit/format.ts'
import { SparkBars } from '#web/kit/spark-bars.tsx'
import { formatShortDay } from '#web/kit/dates/calendar-text.ts'

interface Props {
  operators: readonly OperatorHealth[]
  feeds: readonly FeedStatus[]
  /** When the feeds were loaded, in ms. */
  at: number
  timezone: string
  selected: string | undefined
  onChoose: (operator: string) => void
}

/** Each operator with its feeds and their newest records, its last days and open incidents. */
export function OperatorList({ operators, feeds, at, timezone, selected, onChoose }: Props) {
  const { t } = useTranslation()
  return (
    <ul className={styles['list']} aria-label={t('health:operators')}>
      {operators.map(({ operator, name, color_hex, days, open_incidents }) => {
        const operatorFeeds = feeds.filter((feed) => feed.operator === operator)
        return (
          <li key={operator} className={styles['row']} data-chosen={operator === selected || undefined}>
            <UnstyledButton
              className={styles['name'] ?? ''}
              aria-current={operator === selected ? 'true' : undefined}
              aria-label={t('health:open', { name })}
              onClick={() => onChoose(operator)}
            >
              <ColorDot color={color_hex} />
              {name}
            </UnstyledButton>
            <ul className={styles['feeds']}>
              {operatorFeeds.map((feed) => (
                <li key={feed.feed_id}>
                  <FeedMark feed={feed} at={at} timezone={timezone} />
                </li>
              ))}
            </ul>
            <div className={styles['fact']}>
              <span className={styles['label']}>{t('health:spark.label')}</span>
              <VolumeSpark days={days} />
            </div>
            <span className={styles['incidents']} data-open={open_incidents > 0 || undefined}>
              {open_incidents > 0 ? <IconAlertCircle size={16} aria-hidden="true" /> : null}
              {open_incidents > 0
                ? t('health:incidents.open', { count: open_incidents })
                : t('health:incidents.none')}
            </span>
          </li>
        )
      })}
    </ul>
  )
}

/** Records by day as small bars; a line across each bar marks the usual number. */
function VolumeSpark({ days }: { days: readonly HealthDay[] }) {
  const { t, i18n } = useTranslation()
  const texts = days.map(({ day, count, usual }) =>
    t(usual === null ? 'health:spark.day' : 'health:spark.usual', {
      day: formatShortDay(day, i18n.language),
      count: formatInteger(count),
      usual: formatInteger(usual),
    }),
  )
  const isEmpty = days.every(({ count }) => count === 0)
  return (
    <>
      {isEmpty ? <span className={styles['none']}>{t('health:spark.empty')}</span> : null}
      {isEmpty && !days.some(({ usual }) => usual) ? null : (
        <SparkBars
          bars={days.map(({ count, usual }) => ({ value: count, usual }))}
          height={32}
          step={days.length > 14 ? 8 : 20}
          label={t('health:spark.text', { days: texts.join('; ') })}
        />
      )}
    </>
  )
}
