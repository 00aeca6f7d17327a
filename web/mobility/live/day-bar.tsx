import { useComputedColorScheme } from '@mantine/core'
import type { CSSProperties } from 'react'
import { useTranslation } from 'react-i18next'
import type { VehicleDay } from '#contract/vehicles.ts'
import { stateColors } from './color-by.ts'
import styles from './day-bar.module.css'
import { dayPieces } from './day-pieces.ts'
import { clockText } from './zone-clock.ts'

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
