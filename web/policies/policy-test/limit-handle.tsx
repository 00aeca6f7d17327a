import { useRef, type KeyboardEvent, type PointerEvent } from 'react'
import { formatMeasuredNumber } from '../results/measured-text.ts'
import { placeOn, type StripScale, valueAt } from './strip-scale.ts'
import styles from './strip.module.css'

interface Props {
  label: string
  value: number
  scale: StripScale
  unit: string
  side: 'minimum' | 'maximum'
  /** Null if the limit cannot be moved. */
  onMove: ((value: number) => void) | null
  /** Called when dragging starts and ends; the axis must not change in between. */
  onHold: (isHeld: boolean) => void
}

const changeByKey: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowDown: -1,
  ArrowRight: 1,
  ArrowUp: 1,
  PageDown: -10,
  PageUp: 10,
}

/** A limit as a line through all rows, with a handle to move it. */
export function LimitHandle({ label, value, scale, unit, side, onMove, onHold }: Props) {
  // The position of the axis on screen, and the offset of the pointer from the line, in pixels.
  const drag = useRef<{ left: number; width: number; offset: number }>(null)
  const style = { left: `${placeOn(scale, value) * 100}%` }
  const text = `${label} ${formatMeasuredNumber(value)}`
  if (!onMove)
    return (
      <div className={styles['limit']} data-side={side} data-still style={style}>
        <span className={styles['tag']}>{text}</span>
      </div>
    )
  const followPointer = (event: PointerEvent): void => {
    if (drag.current)
      onMove(valueAt(scale, (event.clientX - drag.current.offset - drag.current.left) / drag.current.width))
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const ends: Readonly<Record<string, number>> = { Home: scale.from, End: scale.to }
    const change = changeByKey[event.key]
    const target = change === undefined ? ends[event.key] : value + change
    if (target === undefined) return
    event.preventDefault()
    onMove(Math.max(0, Math.round(target)))
  }
  return (
    <div className={styles['limit']} data-side={side} style={style}>
      <button
        type="button"
        className={styles['handle']}
        role="slider"
        aria-label={label}
        aria-valuemin={Math.floor(scale.from)}
        aria-valuemax={Math.ceil(Math.max(scale.to, value))}
        aria-valuenow={value}
        aria-valuetext={`${formatMeasuredNumber(value)} ${unit}`}
        onKeyDown={onKeyDown}
        onPointerDown={(event) => {
          const axis = event.currentTarget.parentElement?.parentElement?.getBoundingClientRect()
          drag.current = axis
            ? {
                left: axis.left,
                width: axis.width,
                offset: event.clientX - axis.left - placeOn(scale, value) * axis.width,
              }
            : null
          event.currentTarget.setPointerCapture(event.pointerId)
          onHold(true)
        }}
        onPointerMove={followPointer}
        onPointerUp={() => {
          drag.current = null
          onHold(false)
        }}
        onPointerCancel={() => {
          drag.current = null
          onHold(false)
        }}
      >
        {text}
      </button>
    </div>
  )
}
