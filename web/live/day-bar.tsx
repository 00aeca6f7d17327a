import { useComputedColorScheme } from '@mantine/core'
import type { CSSProperties } from 'react'
import { useTranslation } from 'react-i18next'
import type { VehicleDay } from '#contract/vehicles.ts'
import type { VehicleState } from '#contract/vehicle-states.ts'
import { stateColors } from './color-by.ts'
import styles from './day-bar.module.css'
import { formatClock } from './zone-clock.ts'

const dayMs = 86_400_000

/** A part of the day in one state. `from` and `to` are in ms since 1970, `left` and `width` are shares of 24 hours. */
interface DaySegment {
  state: VehicleState
  from: number
  /** Null if the state lasts until now. */
  to: number | null
  left: number
  width: number
}

/** Returns the intervals of a day, clipped to its 24 hours, with adjacent ones of the same state merged. */
export function daySegments(
  { intervals, day_start: start }: Pick<VehicleDay, 'intervals' | 'day_start'>,
  at: number,
): DaySegment[] {
  const segments: { state: VehicleState; from: number; to: number | null }[] = []
  for (const { state, from, to } of intervals) {
    const last = segments.at(-1)
    const clippedFrom = Math.max(from, start)
    if (last && last.state === state && last.to === clippedFrom) last.to = to
    else segments.push({ state, from: clippedFrom, to })
  }
  return segments.map((segment) => {
    const left = Math.min(1, (segment.from - start) / dayMs)
    return { ...segment, left, width: Math.max(0, Math.min(1, ((segment.to ?? at) - start) / dayMs) - left) }
  })
}

interface Props {
  day: VehicleDay
  timezone: string
  /** The current time, in ms since 1970. */
  at: number
}

const maxShownSegments = 6

/** The states of a vehicle's day as a bar from midnight to midnight, and the latest ones as text. */
export function DayBar({ day, timezone, at }: Props) {
  const { t } = useTranslation()
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false })
  const colors = stateColors(scheme)
  const segments = daySegments(day, at)
  if (segments.length === 0) return <p className={styles['none']}>{t('live:card.noStates')}</p>
  const formatEnd = (to: number | null): string =>
    to === null ? t('live:card.now') : formatClock(to, timezone)
  return (
    <>
      <div className={styles['bar']} aria-hidden="true">
        {segments.map(({ state, from, left, width }) => (
          <span
            key={from}
            className={styles['piece']}
            style={
              {
                '--left': `${left * 100}%`,
                '--width': `${width * 100}%`,
                '--swatch': colors[state],
              } as CSSProperties
            }
          />
        ))}
      </div>
      <div className={styles['hours']} aria-hidden="true">
        <span>0</span>
        <span>6</span>
        <span>12</span>
        <span>18</span>
        <span>24</span>
      </div>
      <ol className={styles['lines']} aria-label={t('live:card.day', { zone: timezone })}>
        {segments
          .toReversed()
          .slice(0, maxShownSegments)
          .map(({ state, from, to }) => (
            <li key={from}>
              <span
                className={styles['dot']}
                aria-hidden="true"
                style={{ '--swatch': colors[state] } as CSSProperties}
              />
              <span className={styles['state']}>{t(`live:stateShort.${state}`)}</span>
              <span className={styles['time']}>
                {formatClock(from, timezone)} – {formatEnd(to)}
              </span>
            </li>
          ))}
      </ol>
    </>
  )
}
