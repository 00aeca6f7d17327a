import { ActionIcon } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type CurbSession, listCurbZoneSessions } from '#contract/curb-sessions.ts'
import { startOfDay } from '#contract/civil-clock.ts'
import { getCurbZone } from '#contract/curb-map.ts'
import { closedCurbStates, type CurbWeekLine } from '#contract/curb-rules.ts'
import { dayFromNumber, dayNumber, type LocalDay, getWeekday } from '#contract/period.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import { formatMediumDay } from '#web/kit/dates/calendar-text.ts'
import { DetailCard } from '#web/kit/detail-card.tsx'
import { formatInteger, formatMissing } from '#web/kit/format.ts'
import { Loaded } from '#web/kit/loaded.tsx'
import { formatTerm } from './curb-report.ts'
import type { ActivityZone } from './use-curb-activity.ts'
import styles from './zone-card.module.css'

interface Props {
  regionId: string
  timezone: string
  today: LocalDay
  /** When the page was opened, in ms; open sessions are drawn up to this time. */
  at: number
  zone: ActivityZone
  onClear: () => void
}

/** The current state of a zone, and one day of it as a strip of sessions. */
export function ZoneCard({ regionId, timezone, today, at, zone, onClear }: Props) {
  const { t, i18n } = useTranslation()
  const [date, setDate] = useState(today)
  const sessions = useEndpointQuery(listCurbZoneSessions, {
    params: { region_id: regionId, curb_zone_id: zone.curb_zone_id },
    query: { date },
  })
  const week = useEndpointQuery(getCurbZone, {
    params: { region_id: regionId, curb_zone_id: zone.curb_zone_id },
    query: { at: startOfDay(date, timezone) },
  }).data?.week.lines
  const openText = week
    ? getOpenTimes(week, getWeekday(date))
        .map(({ from, until }) => `${from}–${until}`)
        .join(', ') || t('curb:activity.closed')
    : null
  const formatCount = (value: number | null): string =>
    value === null ? formatMissing() : formatInteger(value)
  const moveDay = (days: number): void => setDate(dayFromNumber(dayNumber(date) + days))
  return (
    <DetailCard
      name={zone.name}
      figures={[
        { key: 'open', label: t('curb:activity.openHours'), value: openText },
        { key: 'capacity', label: t('curb:activity.capacity'), value: formatCount(zone.capacity) },
        { key: 'occupied', label: t('curb:activity.occupied'), value: formatCount(zone.occupied) },
        { key: 'free', label: t('curb:activity.free'), value: formatCount(zone.free) },
        { key: 'unknown', label: t('curb:activity.unknown'), value: formatCount(zone.unknown) },
        {
          key: 'online',
          label: t('curb:activity.online'),
          value: t('curb:activity.onlineOf', {
            online: formatInteger(zone.online),
            sources: formatInteger(zone.sources),
          }),
        },
      ]}
      onClear={onClear}
      actions={
        <section className={styles['day']}>
          <header className={styles['head']}>
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={t('curb:activity.before')}
              onClick={() => moveDay(-1)}
            >
              <IconChevronLeft size={18} />
            </ActionIcon>
            <h3 className={styles['title']}>
              {t('curb:activity.day', { day: formatMediumDay(date, i18n.language) })}
            </h3>
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={t('curb:activity.after')}
              disabled={date >= today}
              onClick={() => moveDay(1)}
            >
              <IconChevronRight size={18} />
            </ActionIcon>
          </header>
          <Loaded
            query={sessions}
            skeleton={<div className={styles['strip']} />}
            isEmpty={({ items }) => items.length === 0}
            empty={<p className={styles['none']}>{t('curb:activity.noSessions')}</p>}
          >
            {({ items, from, until }) => (
              <SessionStrip
                items={items}
                from={Date.parse(from)}
                until={Date.parse(until)}
                at={at}
                timezone={timezone}
              />
            )}
          </Loaded>
        </section>
      }
    />
  )
}

/** Returns the local times at which vehicles may stop on a weekday (Monday is 1). */
export function getOpenTimes(
  lines: readonly Pick<CurbWeekLine, 'days' | 'from' | 'until' | 'state'>[],
  weekday: number,
): { from: string; until: string }[] {
  const times: { from: string; until: string }[] = []
  for (const { days, from, until, state } of lines) {
    if (!days.includes(weekday) || closedCurbStates.includes(state)) continue
    const last = times.at(-1)
    if (last?.until === from) last.until = until
    else times.push({ from, until })
  }
  return times
}

/** A session in the strip; times in ms. */
interface Bar {
  session: CurbSession
  from: number
  until: number
  row: number
}

/** Maximum number of rows in a strip; further sessions share the last one. */
const maxRows = 12

/** Arranges sessions in rows without overlaps. A bar has at least `minMs`; open sessions last until `at`. */
export function arrangeSessionBars(items: readonly CurbSession[], at: number, minMs: number): Bar[] {
  const ends: number[] = []
  return items.map((session) => {
    const start = session.start === null ? null : Date.parse(session.start)
    const end = session.end === null ? null : Date.parse(session.end)
    const from = start ?? (end ?? 0) - minMs
    const until = Math.max(from + minMs, end ?? (session.is_open ? at : from))
    const freeRow = ends.findIndex((rowEnd) => rowEnd <= from)
    const row = freeRow >= 0 ? freeRow : Math.min(ends.length, maxRows - 1)
    ends[row] = until
    return { session, from, until, row }
  })
}

/** Width of the shortest bar, as a share of the day. */
const minBarShare = 0.005
const rowHeightPx = 12

interface SessionStripProps {
  items: readonly CurbSession[]
  from: number
  until: number
  at: number
  timezone: string
}

/** The sessions of a zone over a day, as bars on a time axis. */
function SessionStrip({ items, from, until, at, timezone }: SessionStripProps) {
  const { t, i18n } = useTranslation()
  const durationMs = until - from
  const bars = arrangeSessionBars(items, at, durationMs * minBarShare)
  const rows = Math.max(1, ...bars.map(({ row }) => row + 1))
  const timeFormat = new Intl.DateTimeFormat(i18n.language, { timeStyle: 'short', timeZone: timezone })
  const formatSessionTime = (iso: string | null, isOpen: boolean): string =>
    iso === null
      ? t(isOpen ? 'curb:activity.open' : 'curb:activity.unknownEnd')
      : timeFormat.format(Date.parse(iso))
  const toPercent = (ms: number): number => Math.max(0, Math.min(1, (ms - from) / durationMs)) * 100
  return (
    <>
      <ol className={styles['strip']} style={{ height: rows * rowHeightPx + 2 }}>
        {bars.map(({ session, from: begin, until: end, row }) => {
          const text = t('curb:activity.sessionText', {
            from: formatSessionTime(session.start, false),
            until: formatSessionTime(session.end, session.is_open),
            vehicle: formatTerm(session.vehicle_type, t),
          })
          return (
            <li
              key={session.session_id}
              className={styles['bar']}
              title={text}
              data-open={session.is_open || undefined}
              data-problem={session.problems.length > 0 || session.double_parked || undefined}
              style={{
                left: `${toPercent(begin)}%`,
                width: `${Math.max(minBarShare * 100, toPercent(end) - toPercent(begin))}%`,
                top: row * rowHeightPx + 1,
              }}
            >
              <span className="visually-hidden">{text}</span>
            </li>
          )
        })}
      </ol>
      <div className={styles['clock']} aria-hidden="true">
        {[0, 6, 12, 18, 24].map((hour) => (
          <span key={hour}>{hour}</span>
        ))}
      </div>
    </>
  )
}
