import { useRef, useState, type PointerEvent } from 'react'

const least = 180
const usual = 360
const share = 0.62

const most = (): number => Math.round(window.innerHeight * share)
/** Pixels of the drawer as it opens. */
export const openHeight = (): number => Math.min(usual, most())

interface Drag {
  from: number
  height: number
  moved: boolean
}

/** Height of a drawer that is dragged by its handle, and opens and closes by a press of it. */
export function useDragHeight(isOpen: boolean, onOpen: (isOpen: boolean) => void) {
  const [height, setHeight] = useState(usual)
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
      setHeight(Math.min(most(), Math.max(least, wanted)))
      onOpen(wanted > least / 2)
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
  return { height: Math.min(height, most()), handle }
}
