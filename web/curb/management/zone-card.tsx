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
    ? openTimes(week, getWeekday(date))
        .map(({ from, until }) => `${from}–${until}`)
        .join(', ') || t('curb:activity.closed')
    : null
  const count = (value: number | null): string => (value === null ? formatMissing() : formatInteger(value))
  const move = (days: number): void => setDate(dayFromNumber(dayNumber(date) + days))
  return (
    <DetailCard
      name={zone.name}
      figures={[
        { key: 'open', label: t('curb:activity.openHours'), value: openText },
        { key: 'capacity', label: t('curb:activity.capacity'), value: count(zone.capacity) },
        { key: 'occupied', label: t('curb:activity.occupied'), value: count(zone.occupied) },
        { key: 'free', label: t('curb:activity.free'), value: count(zone.free) },
        { key: 'unknown', label: t('curb:activity.unknown'), value: count(zone.unknown) },
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
              onClick={() => move(-1)}
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
              onClick={() => move(1)}
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

/** When vehicles may stop on a weekday (Monday is 1), from the weekly rules of a zone. */
export function openTimes(
  lines: readonly Pick<CurbWeekLine, 'days' | 'from' | 'until' | 'state'>[],
  weekday: number,
): { from: string; until: string }[] {
  const open: { from: string; until: string }[] = []
  for (const { days, from, until, state } of lines) {
    if (!days.includes(weekday) || closedCurbStates.includes(state)) continue
    const last = open.at(-1)
    if (last?.until === from) last.until = until
    else open.push({ from, until })
  }
  return open
}

interface Bar {
  session: CurbSession
  from: number
  until: number
  row: number
}

/** Maximum number of rows in a strip; further sessions share the last one. */
const maxRows = 12

/** Arranges sessions in rows without overlaps. Sessions of unknown duration are short bars. */
export function sessionBars(items: readonly CurbSession[], at: number, minMs: number): Bar[] {
  const ends: number[] = []
  return items.map((session) => {
    const [start, end] = [session.start, session.end].map((time) => (time === null ? null : Date.parse(time)))
    const from = start ?? (end ?? 0) - minMs
    const until = Math.max(from + minMs, end ?? (session.is_open ? at : from))
    const freeRow = ends.findIndex((rowEnd) => rowEnd <= from)
    const row = freeRow >= 0 ? freeRow : Math.min(ends.length, maxRows - 1)
    ends[row] = until
    return { session, from, until, row }
  })
}

/** The sessions of a zone over a day, as bars on a time axis. */
function SessionStrip({
  items,
  from,
  until,
  at,
  timezone,
}: {
  items: readonly CurbSession[]
  from: number
  until: number
  at: number
  timezone: string
}) {
  const { t, i18n } = useTranslation()
  const length = until - from
  // The shortest bar is as wide as 0.5% of the day, the minimum width below.
  const bars = sessionBars(items, at, length / 200)
  const rows = Math.max(1, ...bars.map(({ row }) => row + 1))
  const clock = new Intl.DateTimeFormat(i18n.language, { timeStyle: 'short', timeZone: timezone })
  const time = (iso: string | null, isOpen: boolean): string =>
    iso === null
      ? t(isOpen ? 'curb:activity.open' : 'curb:activity.unknownEnd')
      : clock.format(Date.parse(iso))
  const share = (ms: number): number => Math.max(0, Math.min(1, (ms - from) / length)) * 100
  return (
    <>
      <ol className={styles['strip']} style={{ height: rows * 12 + 2 }}>
        {bars.map(({ session, from: begin, until: end, row }) => {
          const text = t('curb:activity.sessionText', {
            from: time(session.start, false),
            until: time(session.end, session.is_open),
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
                left: `${share(begin)}%`,
                width: `${Math.max(0.5, share(end) - share(begin))}%`,
                top: row * 12 + 1,
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
