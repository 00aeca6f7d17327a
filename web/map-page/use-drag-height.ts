import { useRef, useState, type PointerEvent } from 'react'

const minHeight = 180
const defaultHeight = 360
const maxShare = 0.62

const maxHeight = (): number => Math.round(window.innerHeight * maxShare)
/** Pixels of the drawer as it opens. */
export const openHeight = (): number => Math.min(defaultHeight, maxHeight())

interface Drag {
  from: number
  height: number
  moved: boolean
}

/** Height of a drawer that is dragged by its handle, and opens and closes by a press of it. */
export function useDragHeight(isOpen: boolean, onOpen: (isOpen: boolean) => void) {
  const [height, setHeight] = useState(defaultHeight)
  const drag = useRef<Drag>(null)
  const handle = {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      drag.current = { from: event.clientY, height: isOpen ? height : 0, moved: false }
      event.currentTarget.setPointerCapture(event.pointerId)
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      const now = drag.current
      if (!now || (!now.moved && Math.abs(event.clientY - now.from) < 6)) return
      now.moved = true
      const wanted = now.height + now.from - event.clientY
      setHeight(Math.min(maxHeight(), Math.max(minHeight, wanted)))
      onOpen(wanted > minHeight / 2)
    },
    onPointerCancel: () => {
      drag.current = null
    },
    onClick: () => {
      // The click that ends a drag is no press.
      if (!drag.current?.moved) onOpen(!isOpen)
      drag.current = null
    },
  }
  return { height: Math.min(height, maxHeight()), handle }
}
