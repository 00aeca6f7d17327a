import { useRef, useState, type PointerEvent } from 'react'

const minHeight = 180
const defaultHeight = 360
/** Maximum share of the window height. */
const maxShare = 0.62
/** Shorter movements of the pointer are clicks. */
const minDragPx = 6

const maxHeight = (): number => Math.round(window.innerHeight * maxShare)
/** Initial height of an open drawer in pixels. */
export const openHeight = (): number => Math.min(defaultHeight, maxHeight())

interface Drag {
  from: number
  height: number
  hasMoved: boolean
}

/** Height of a drawer that is dragged by its handle; a click on the handle opens or closes it. */
export function useDragHeight(isOpen: boolean, onOpen: (isOpen: boolean) => void) {
  const [height, setHeight] = useState(defaultHeight)
  const drag = useRef<Drag>(null)
  const handle = {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      drag.current = { from: event.clientY, height: isOpen ? height : 0, hasMoved: false }
      event.currentTarget.setPointerCapture(event.pointerId)
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      const current = drag.current
      if (!current || (!current.hasMoved && Math.abs(event.clientY - current.from) < minDragPx)) return
      current.hasMoved = true
      const dragged = current.height + current.from - event.clientY
      setHeight(Math.min(maxHeight(), Math.max(minHeight, dragged)))
      onOpen(dragged > minHeight / 2)
    },
    onPointerCancel: () => {
      drag.current = null
    },
    onClick: () => {
      // Ignore the click that ends a drag.
      if (!drag.current?.hasMoved) onOpen(!isOpen)
      drag.current = null
    },
  }
  return { height: Math.min(height, maxHeight()), handle }
}
