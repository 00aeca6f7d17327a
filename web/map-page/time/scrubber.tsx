import type { KeyboardEvent, PointerEvent, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { SparkBars } from '#web/kit/spark-bars.tsx'
import { ticks } from './bucket-name.ts'
import type { AxisSteps } from './axis-playing.ts'
import styles from './scrubber.module.css'

interface Props {
  playback: AxisSteps
  at: number
  /** The accessible text of the position: name and value. */
  text: string
  onStep: (to: number) => void
  /** Called by the space key. */
  onPlay: () => void
  under: ReactNode
  /** Takes the focus when it is handed over. */
  focusRef?: ((shown: HTMLElement | null) => void) | undefined
}

/** Percent of the axis after which a phone has no room for a label. */
const lateFrom = 88

/** The steps of the page keys: a quarter of a day, a week. */
const far = { hour_of_day: 6, day: 7 } as const

/** The axis itself: a bar of the total per bucket, and a handle that arrows, clicks and drags move. */
export function Scrubber({ playback, at, text, onStep, onPlay, under, focusRef }: Props) {
  const { t, i18n } = useTranslation()
  const { buckets, by, totals } = playback
  const last = buckets.length - 1
  const press = (event: KeyboardEvent): void => {
    const to: Record<string, number> = {
      ArrowLeft: at - 1,
      ArrowDown: at - 1,
      ArrowRight: at + 1,
      ArrowUp: at + 1,
      Home: 0,
      End: last,
      PageDown: at - far[by],
      PageUp: at + far[by],
    }
    const place = to[event.key]
    if (place === undefined && event.key !== ' ') return
    event.preventDefault()
    if (place === undefined) onPlay()
    else onStep(place)
  }
  const point = (event: PointerEvent<HTMLElement>): void => {
    const { left, width } = event.currentTarget.getBoundingClientRect()
    onStep(
      Math.min(last, Math.max(0, Math.floor(((event.clientX - left) / Math.max(1, width)) * buckets.length))),
    )
  }
  const share = 100 / buckets.length
  return (
    <div className={styles['scrubber']}>
      <div
        ref={focusRef}
        className={styles['track']}
        role="slider"
        tabIndex={0}
        aria-label={t('evaluation:time.label')}
        aria-valuemin={0}
        aria-valuemax={last}
        aria-valuenow={at}
        aria-valuetext={text}
        onKeyDown={press}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture?.(event.pointerId)
          point(event)
        }}
        onPointerMove={(event) => {
          if (event.buttons === 1) point(event)
        }}
      >
        <div className={styles['bars']}>
          <SparkBars bars={totals} height={32} />
        </div>
        <div className={styles['under']}>{under}</div>
        <span className={styles['mark']} style={{ left: `${at * share}%`, width: `max(${share}%, 2px)` }} />
      </div>
      <div className={styles['ticks']} aria-hidden="true">
        {ticks(by, buckets, i18n.language).map((tick) => (
          <span
            key={tick.at}
            data-late={tick.at * share > lateFrom || undefined}
            style={{ left: `${tick.at * share}%` }}
          >
            {tick.text}
          </span>
        ))}
      </div>
    </div>
  )
}
