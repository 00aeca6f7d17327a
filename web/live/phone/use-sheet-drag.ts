import { type PointerEvent, useRef, useState } from 'react'
import { restingHeight, type SheetHeight } from './sheet-heights.ts'

interface Drag {
  pointer: number
  fromY: number
  fromPixels: number
  room: number
  moved: boolean
  lastY: number
  lastAt: number
  /** Pixels per millisecond, upward. */
  speed: number
}

/** Maximum movement of a press, in pixels. */
const still = 6

/** Makes a sheet draggable by its header. `pixels`: its height while it is being dragged, else null. */
export function useSheetDrag(peek: number, onRest: (height: SheetHeight) => void, onPress: () => void) {
  const drag = useRef<Drag>(null)
  const [pixels, setPixels] = useState<number | null>(null)
  const end = (): void => {
    const now = drag.current
    drag.current = null
    setPixels(null)
    if (!now) return
    if (now.moved) onRest(restingHeight(heightOf(now, now.lastY), now.speed, now.room, peek))
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
        moved: false,
        lastY: fromY,
        lastAt: event.timeStamp,
        speed: 0,
      }
      event.currentTarget.setPointerCapture?.(event.pointerId)
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      const now = drag.current
      if (
        !now ||
        now.pointer !== event.pointerId ||
        (!now.moved && Math.abs(event.clientY - now.fromY) < still)
      )
        return
      now.moved = true
      const passed = event.timeStamp - now.lastAt
      if (passed > 0) now.speed = (now.lastY - event.clientY) / passed
      now.lastY = event.clientY
      now.lastAt = event.timeStamp
      setPixels(Math.max(Math.min(peek, now.room), heightOf(now, event.clientY)))
    },
    onPointerUp: end,
    onPointerCancel: () => {
      drag.current = null
      setPixels(null)
    },
  }
  return { pixels, handlers }
}

const heightOf = ({ fromPixels, fromY, room }: Drag, y: number): number =>
  Math.max(0, Math.min(room, fromPixels + fromY - y))
