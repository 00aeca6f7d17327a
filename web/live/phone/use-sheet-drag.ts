import { type PointerEvent, useRef, useState } from 'react'
import { restingHeight, type SheetHeight } from './sheet-heights.ts'

interface Drag {
  pointerId: number
  /** Position of the pointer and height of the sheet at the start, and height of the container, in pixels. */
  startY: number
  startHeight: number
  containerHeight: number
  hasMoved: boolean
  lastY: number
  lastTimeStamp: number
  /** Pixels per millisecond, upward. */
  speed: number
}

/** Maximum movement of a press, in pixels. */
const maxPressMovement = 6

/**
 * Makes a sheet draggable by its header. Returns its height in pixels while it is being dragged, else null.
 *
 * @param peek The lowest height in pixels
 */
export function useSheetDrag(peek: number, onSettle: (height: SheetHeight) => void, onPress: () => void) {
  const drag = useRef<Drag>(null)
  const [pixels, setPixels] = useState<number | null>(null)
  const endDrag = (): void => {
    const activeDrag = drag.current
    drag.current = null
    setPixels(null)
    if (!activeDrag) return
    if (activeDrag.hasMoved)
      onSettle(
        restingHeight(
          getHeight(activeDrag, activeDrag.lastY),
          activeDrag.speed,
          activeDrag.containerHeight,
          peek,
        ),
      )
    else onPress()
  }
  const handlers = {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      const sheet = event.currentTarget.closest('section')
      if (!sheet || event.button !== 0) return
      drag.current = {
        pointerId: event.pointerId,
        startY: event.clientY,
        startHeight: sheet.offsetHeight,
        containerHeight: sheet.parentElement?.clientHeight ?? 0,
        hasMoved: false,
        lastY: event.clientY,
        lastTimeStamp: event.timeStamp,
        speed: 0,
      }
      event.currentTarget.setPointerCapture?.(event.pointerId)
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      const activeDrag = drag.current
      if (
        !activeDrag ||
        activeDrag.pointerId !== event.pointerId ||
        (!activeDrag.hasMoved && Math.abs(event.clientY - activeDrag.startY) < maxPressMovement)
      )
        return
      activeDrag.hasMoved = true
      const elapsedMs = event.timeStamp - activeDrag.lastTimeStamp
      if (elapsedMs > 0) activeDrag.speed = (activeDrag.lastY - event.clientY) / elapsedMs
      activeDrag.lastY = event.clientY
      activeDrag.lastTimeStamp = event.timeStamp
      setPixels(Math.max(Math.min(peek, activeDrag.containerHeight), getHeight(activeDrag, event.clientY)))
    },
    onPointerUp: endDrag,
    onPointerCancel: () => {
      drag.current = null
      setPixels(null)
    },
  }
  return { pixels, handlers }
}

const getHeight = ({ startHeight, startY, containerHeight }: Drag, y: number): number =>
  Math.max(0, Math.min(containerHeight, startHeight + startY - y))
