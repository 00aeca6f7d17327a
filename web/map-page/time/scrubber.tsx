import type { KeyboardEvent, PointerEvent, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { TimeBucket } from '#contract/spatial.ts'
import { SparkBars } from '#web/kit/spark-bars.tsx'
import { getTicks } from './bucket-name.ts'
import type { AxisSteps } from './axis-playing.ts'
import styles from './scrubber.module.css'

interface Props {
  steps: AxisSteps
  /** Index of the current bucket. */
  index: number
  /** The accessible text of the position: name and value. */
  text: string
  onStep: (index: number) => void
  /** Called by the space key. */
  onPlay: () => void
  footer: ReactNode
  /** Ref that moves the focus to the axis when it has been opened. */
  focusRef?: ((element: HTMLElement | null) => void) | undefined
}

/** Percentage of the axis after which a phone has no room for a label. */
const latePercent = 88

/** Buckets that the page keys move: a quarter of a day, or a week. */
const pageSteps = { hour_of_day: 6, day: 7 } as const

/** The axis: a bar with the total of each bucket, and a handle moved by arrow keys, clicks and dragging. */
export function Scrubber({ steps, index, text, onStep, onPlay, footer, focusRef }: Props) {
  const { t } = useTranslation()
  const { buckets, by, totals } = steps
  const lastIndex = buckets.length - 1
  const handleKeyDown = (event: KeyboardEvent): void => {
    const indexByKey: Record<string, number> = {
      ArrowLeft: index - 1,
      ArrowDown: index - 1,
      ArrowRight: index + 1,
      ArrowUp: index + 1,
      Home: 0,
      End: lastIndex,
      PageDown: index - pageSteps[by],
      PageUp: index + pageSteps[by],
    }
    const targetIndex = indexByKey[event.key]
    if (targetIndex === undefined && event.key !== ' ') return
    event.preventDefault()
    if (targetIndex === undefined) onPlay()
    else onStep(targetIndex)
  }
  const moveToPointer = (event: PointerEvent<HTMLElement>): void => {
    const { left, width } = event.currentTarget.getBoundingClientRect()
    onStep(
      Math.min(
        lastIndex,
        Math.max(0, Math.floor(((event.clientX - left) / Math.max(1, width)) * buckets.length)),
      ),
    )
  }
  const bucketPercent = 100 / buckets.length
  return (
    <div className={styles['scrubber']}>
      <div
        ref={focusRef}
        className={styles['track']}
        role="slider"
        tabIndex={0}
        aria-label={t('evaluation:time.label')}
        aria-valuemin={0}
        aria-valuemax={lastIndex}
        aria-valuenow={index}
        aria-valuetext={text}
        onKeyDown={handleKeyDown}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture?.(event.pointerId)
          moveToPointer(event)
        }}
        onPointerMove={(event) => {
          if (event.buttons === 1) moveToPointer(event)
        }}
      >
        <div className={styles['bars']}>
          <SparkBars bars={totals} height={32} />
        </div>
        <div className={styles['under']}>{footer}</div>
        <span
          className={styles['mark']}
          style={{ left: `${index * bucketPercent}%`, width: `max(${bucketPercent}%, 2px)` }}
        />
      </div>
      <Ticks by={by} buckets={buckets} />
    </div>
  )
}

/** Labels of some buckets, below them. */
export function Ticks({ by, buckets }: { by: TimeBucket; buckets: readonly string[] }) {
  const { i18n } = useTranslation()
  const bucketPercent = 100 / buckets.length
  return (
    <div className={styles['ticks']} aria-hidden="true">
      {getTicks(by, buckets, i18n.language).map((tick) => (
        <span
          key={tick.index}
          data-late={tick.index * bucketPercent > latePercent || undefined}
          style={{ left: `${tick.index * bucketPercent}%` }}
        >
          {tick.text}
        </span>
      ))}
    </div>
  )
}
