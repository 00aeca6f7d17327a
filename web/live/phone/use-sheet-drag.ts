import { type PointerEvent, useRef, useState } from 'react'
import { restingHeight, type SheetHeight } from './sheet-heights.ts'

interface Drag {
  pointer: number
  fromY: number
  fromPixels: number
  room: number
  hasMoved: boolean
  lastY: number
  lastTimeStamp: number
  /** Pixels per millisecond, upward. */
  speed: number
}

/** Maximum movement of a press, in pixels. */
const maxPressMovement = 6

/** Makes a sheet draggable by its header. `pixels`: its height while it is being dragged, else null. */
export function useSheetDrag(peek: number, onSettle: (height: SheetHeight) => void, onPress: () => void) {
  const drag = useRef<Drag>(null)
  const [pixels, setPixels] = useState<number | null>(null)
  const endDrag = (): void => {
    const current = drag.current
    drag.current = null
    setPixels(null)
    if (!current) return
    if (current.hasMoved)
      onSettle(restingHeight(getHeight(current, current.lastY), current.speed, current.room, peek))
    else onPress()
  }
  const handlers = {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      const sheet = event.currentTarget.closest('section')
      if (!sheet || event.button !== 0) return
      const [fromY, room] = [event.clientY, sheet.parentElement?.clientHeight ?? 0]
      drag.current = {
        pointer: event.pointerId,
        fromY,
        fromPixels: sheet.offsetHeight,
        room,
        hasMoved: false,
        lastY: fromY,
        lastTimeStamp: event.timeStamp,
        speed: 0,
      }
      event.currentTarget.setPointerCapture?.(event.pointerId)
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      const current = drag.current
      if (
        !current ||
        current.pointer !== event.pointerId ||
        (!current.hasMoved && Math.abs(event.clientY - current.fromY) < maxPressMovement)
      )
        return
      current.hasMoved = true
      const elapsedMs = event.timeStamp - current.lastTimeStamp
      if (elapsedMs > 0) current.speed = (current.lastY - event.clientY) / elapsedMs
      current.lastY = event.clientY
      current.lastTimeStamp = event.timeStamp
      setPixels(Math.max(Math.min(peek, current.room), getHeight(current, event.clientY)))
    },
    onPointerUp: endDrag,
    onPointerCancel: () => {
      drag.current = null
      setPixels(null)
    },
  }
  return { pixels, handlers }
}

const getHeight = ({ fromPixels, fromY, room }: Drag, y: number): number =>
  Math.max(0, Math.min(room, fromPixels + fromY - y))
