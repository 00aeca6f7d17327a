import { Switch, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { HealthDay } from '#contract/health.ts'
import { formatInteger } from '#web/kit/format.ts'
import { CellGrid, type GridCell, HourHead } from '#web/kit/table/cell-grid.tsx'
import { formatShortDay } from '#web/kit/dates/calendar-text.ts'
import { formatTimeOfDay } from '#web/kit/time/time-of-day.ts'
import styles from './hours-calendar.module.css'

const levelCount = 4

/** Returns how dark each hour is drawn: 1 to 4 by its share of the busiest hour, 0 without records. */
export function computeCalendarLevels(days: readonly HealthDay[]): number[][] {
  const maxCount = Math.max(0, ...days.flatMap(({ hours }) => hours))
  const toLevel = (count: number): number => (count === 0 ? 0 : Math.ceil((levelCount * count) / maxCount))
  return days.map(({ hours }) => hours.map(toLevel))
}

/** Sign of each state of an hour, in addition to its color. */
const hourSigns = { data: '', quiet: '·', gap: '!', ahead: '', none: '–' } as const

/** The meaning of the colors and signs. */
function CalendarLegend() {
  const { t } = useTranslation()
  return (
    <ul className={styles['legend']} aria-label={t('health:calendar.legend')}>
      <li>
        {t('health:calendar.fewer')}{' '}
        {[1, 2, 3, 4].map((level) => (
          <span
            key={level}
            className={styles['swatch']}
            data-state="data"
            data-level={level}
            aria-hidden="true"
          />
        ))}{' '}
        {t('health:calendar.more')}
      </li>
      {(['gap', 'quiet', 'ahead', 'none'] as const).map((state) => (
        <li key={state}>
          <span className={styles['swatch']} data-state={state} aria-hidden="true">
            {hourSigns[state]}
          </span>{' '}
          {t(`health:calendar.${state}`)}
        </li>
      ))}
    </ul>
  )
}

/** A calendar of days by hours: the number of records, and gaps where records are usual. */
export function HoursCalendar({ days }: { days: readonly HealthDay[] }) {
  const { t, i18n } = useTranslation()
  const [isNumeric, setIsNumeric] = useState(false)
  const levels = computeCalendarLevels(days)
  const cellAt = (row: number, hour: number): GridCell | null => {
    const day = days[row]
    const state = day?.states[hour]
    if (!day || !state) return null
    const text =
      state === 'data'
        ? t('health:calendar.data', { count: day.hours[hour] ?? 0, shown: formatInteger(day.hours[hour]) })
        : t(`health:calendar.${state}`)
    return {
      text: t('health:calendar.cell', {
        day: formatShortDay(day.day, i18n.language),
        hour: formatTimeOfDay({ hour, minute: 0 }),
        state: text,
      }),
      content: isNumeric && state === 'data' ? formatInteger(day.hours[hour]) : hourSigns[state],
      data: { 'data-state': state, 'data-level': levels[row]?.[hour] },
    }
  }
  return (
    <div>
      <div className={styles['head']}>
        <Text size="xs" c="dimmed">
          {t('health:calendar.hint')}
        </Text>
        <Switch
          size="xs"
          label={t('health:calendar.numbers')}
          checked={isNumeric}
          onChange={(event) => setIsNumeric(event.currentTarget.checked)}
        />
      </div>
      <CellGrid
        label={t('health:calendar.title')}
        corner={t('health:calendar.day')}
        columns={Array.from({ length: 24 }, (_, hour) => ({
          key: String(hour),
          content: <HourHead hour={hour} step={3} />,
        }))}
        rows={days.map(({ day }) => ({ key: day, content: formatShortDay(day, i18n.language) }))}
        cellAt={cellAt}
        noCell={t('health:calendar.none')}
        cellClassName={styles['cell'] ?? ''}
        start={{ row: days.length - 1, column: 0 }}
        isWide
      />
      <CalendarLegend />
    </div>
  )
}
