import { useRef, useState, type PointerEvent } from 'react'

/** Heights of an open drawer in pixels. */
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
  /** Position of the pointer and height of the drawer at the start, in pixels. */
  startY: number
  height: number
  hasMoved: boolean
}

/** Height in pixels of a drawer that is dragged by its handle; a click on the handle opens or closes it. */
export function useDragHeight(isOpen: boolean, onOpen: (isOpen: boolean) => void) {
  const [height, setHeight] = useState(defaultHeight)
  const drag = useRef<Drag>(null)
  const handle = {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      drag.current = { startY: event.clientY, height: isOpen ? height : 0, hasMoved: false }
      event.currentTarget.setPointerCapture(event.pointerId)
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      const activeDrag = drag.current
      if (!activeDrag || (!activeDrag.hasMoved && Math.abs(event.clientY - activeDrag.startY) < minDragPx))
        return
      activeDrag.hasMoved = true
      const draggedHeight = activeDrag.height + activeDrag.startY - event.clientY
      setHeight(Math.min(maxHeight(), Math.max(minHeight, draggedHeight)))
      // Below half the minimum height, the drawer closes.
      onOpen(draggedHeight > minHeight / 2)
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
