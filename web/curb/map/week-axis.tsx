import { Button, Slider } from '@mantine/core'
import { IconClock } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { CurbMapWeek } from '#contract/curb-map.ts'
import { civilClock } from '#contract/civil-clock.ts'
import { formatWeekday } from '#web/kit/weekdays.ts'
import styles from './curb-map.module.css'
import { toLocalTime } from './curb-map-search.ts'

interface Props {
  week: CurbMapWeek
  at: number /** Whether the map follows the clock. */
  isNow: boolean
  /** Called while the handle is dragged, with the local time for the URL; undefined for now. */
  onMove: (local: string | undefined) => void
}

const minuteMs = 60_000
const stepMinutes = 15

/** A slider for the instant within the local week; the map is recolored while it moves. */
export function WeekAxis({ week, at, isNow, onMove }: Props) {
  const { t, i18n } = useTranslation()
  /** Length of the week; a clock change makes it an hour longer or shorter. */
  const minutes = Math.round((week.to - week.from) / minuteMs)
  const clock = civilClock(week.zone)
  const monday = clock.local(week.from).day
  const marks = Array.from({ length: 7 }, (_, day) => ({
    value: Math.round((clock.instant(monday + day, 0).ms - week.from) / minuteMs),
    label: formatWeekday(day + 1, i18n.language, 'short'),
  }))
  const formatMinute = (minute: number): string =>
    new Intl.DateTimeFormat(i18n.language, {
      timeZone: week.zone,
      weekday: 'short',
      hour: 'numeric',
      minute: '2-digit',
    }).format(week.from + minute * minuteMs)
  const value = Math.min(minutes, Math.max(0, Math.floor((at - week.from) / minuteMs)))
  return (
    <section className={styles['axis']} aria-label={t('curb:map.axis.label')}>
      <output className={styles['moment']}>{formatMinute(value)}</output>
      <Slider
        className={styles['slider']!}
        thumbLabel={t('curb:map.axis.thumb')}
        size="sm"
        min={0}
        max={minutes - stepMinutes}
        step={stepMinutes}
        marks={marks}
        value={value}
        label={formatMinute}
        onChange={(minute) => onMove(toLocalTime(week.from + minute * minuteMs, week.zone))}
      />
      <Button
        size="compact-sm"
        variant={isNow ? 'light' : 'default'}
        aria-pressed={isNow}
        leftSection={<IconClock size={16} />}
        onClick={() => onMove(undefined)}
      >
        {t('curb:map.axis.now')}
      </Button>
    </section>
  )
}
