import { useComputedColorScheme } from '@mantine/core'
import type { CSSProperties } from 'react'
import { useTranslation } from 'react-i18next'
import type { VehicleDay } from '#contract/vehicles.ts'
import { stateColors } from './color-by.ts'
import styles from './day-bar.module.css'
import { clockText } from './zone-clock.ts'
import type { VehicleState } from '#contract/vehicle-states.ts'

const dayMs = 86_400_000

/** A stretch of the day in one state. `left` and `width` are parts of 24 hours. */
interface DayPiece {
  state: VehicleState
  from: number
  /** Null: until now. */
  to: number | null
  left: number
  width: number
}

/** The intervals of a day cut to it, neighbours of one state made one. A day of a clock change is drawn over 24 hours all the same. */
export function dayPieces(
  { intervals, day_start: start }: Pick<VehicleDay, 'intervals' | 'day_start'>,
  at: number,
): DayPiece[] {
  const pieces: { state: VehicleState; from: number; to: number | null }[] = []
  for (const { state, from, to } of intervals) {
    const last = pieces.at(-1)
    const begin = Math.max(from, start)
    if (last && last.state === state && last.to === begin) last.to = to
    else pieces.push({ state, from: begin, to })
  }
  return pieces.map((piece) => {
    const left = Math.min(1, (piece.from - start) / dayMs)
    return { ...piece, left, width: Math.max(0, Math.min(1, ((piece.to ?? at) - start) / dayMs) - left) }
  })
}

interface Props {
  day: VehicleDay
  zone: string
  /** Now, ms since 1970. */
  at: number
}

const shownLines = 6

/** The states of a vehicle's day on a bar from midnight to midnight, and the last of them in words. */
export function DayBar({ day, zone, at }: Props) {
  const { t } = useTranslation()
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false })
  const colors = stateColors(scheme)
  const pieces = dayPieces(day, at)
  if (pieces.length === 0) return <p className={styles['none']}>{t('mobility:live.card.noStates')}</p>
  const until = (to: number | null): string =>
    to === null ? t('mobility:live.card.now') : clockText(to, zone)
  return (
    <>
      <div className={styles['bar']} aria-hidden="true">
        {pieces.map(({ state, from, left, width }) => (
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
      <ol className={styles['lines']} aria-label={t('mobility:live.card.day', { zone })}>
        {pieces
          .toReversed()
          .slice(0, shownLines)
          .map(({ state, from, to }) => (
            <li key={from}>
              <span
                className={styles['dot']}
                aria-hidden="true"
                style={{ '--swatch': colors[state] } as CSSProperties}
              />
              <span className={styles['state']}>{t(`mobility:live.stateShort.${state}`)}</span>
              <span className={styles['time']}>
                {clockText(from, zone)} – {until(to)}
              </span>
            </li>
          ))}
      </ol>
    </>
  )
}
