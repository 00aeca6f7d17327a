import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { civilClock } from '#contract/civil-clock.ts'
import { dayFromNumber } from '#contract/period.ts'
import type { PullWindow } from '#contract/feeds.ts'
import { CellGrid, type GridCell, HourHead } from '#web/kit/table/cell-grid.tsx'
import { formatTimeOfDay } from '#web/kit/time/time-of-day.ts'
import styles from './feeds.module.css'

/** The pull windows of a local day by hour. */
interface DayOfHours {
  day: string
  /** 24 entries; undefined for hours without a known pull window. */
  hours: (PullWindow | undefined)[]
}

/** Statuses in descending order of urgency. */
const urgency: readonly PullWindow['status'][] = ['failed', 'wanted', 'waiting', 'done', 'nothing']

/**
 * Returns pull windows by local day and hour, newest day first; empty if the windows are not hours.
 * When the clock is set back, two windows begin in the same local hour; the more urgent one is shown.
 */
export function groupHoursByDay(pullWindows: readonly PullWindow[], timezone: string): DayOfHours[] {
  const clock = civilClock(timezone)
  const days = new Map<string, (PullWindow | undefined)[]>()
  for (const pullWindow of pullWindows) {
    const local = clock.local(Date.parse(pullWindow.windowStart))
    const day = dayFromNumber(local.day)
    const hours = days.get(day) ?? Array.from({ length: 24 }, () => undefined)
    const shownWindow = hours[local.hour]
    if (!shownWindow || urgency.indexOf(pullWindow.status) < urgency.indexOf(shownWindow.status))
      hours[local.hour] = pullWindow
    days.set(day, hours)
  }
  // Windows of days or months begin in one hour of each day.
  const isHourly = [...days.values()].some((hours) => hours.filter(Boolean).length > 1)
  return isHourly
    ? [...days].map(([day, hours]) => ({ day, hours })).toSorted((a, b) => b.day.localeCompare(a.day))
    : []
}

/** Sign of each status, in addition to its color. */
const statusSigns = { done: '✓', nothing: '–', wanted: '·', waiting: '…', failed: '!' } as const

interface HourGridProps {
  stream: string
  timezone: string
  pullWindows: readonly PullWindow[]
}

/** An overview of the hours that are done, waiting or failed. The table below lists the same as text. */
export function HourGrid({ stream, timezone, pullWindows }: HourGridProps) {
  const { t } = useTranslation()
  const days = groupHoursByDay(pullWindows, timezone)
  if (days.length === 0) return null
  const label = t('feeds:pullWindows.grid', { stream })
  const cellAt = (row: number, hour: number): GridCell => {
    const pullWindow = days[row]?.hours[hour]
    return {
      text: t('feeds:pullWindows.cell', {
        hour: formatTimeOfDay({ hour, minute: 0 }),
        status: pullWindow ? t(`feeds:status.${pullWindow.status}`) : t('feeds:pullWindows.unknown'),
      }),
      content: pullWindow ? statusSigns[pullWindow.status] : '',
      data: { 'data-state': pullWindow?.status },
    }
  }
  return (
    <div>
      <Text size="sm" fw={600} mb={4} aria-hidden="true">
        {label}
      </Text>
      <CellGrid
        label={label}
        corner={t('feeds:pullWindows.day')}
        columns={Array.from({ length: 24 }, (_, hour) => ({
          key: String(hour),
          content: <HourHead hour={hour} step={6} />,
        }))}
        rows={days.map(({ day }) => ({ key: day, content: day }))}
        cellAt={cellAt}
        noCell={t('feeds:pullWindows.unknown')}
        cellClassName={styles['hour'] ?? ''}
        start={{ row: 0, column: 0 }}
      />
    </div>
  )
}
