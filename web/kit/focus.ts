import { useCallback, useEffect, useRef, useState } from 'react'

/** Restores the previous focus on unmount, unless another element has been focused. */
export function useFocusReturn(): void {
  const [previous] = useState(() => document.activeElement)
  useEffect(
    () => () => {
      const isFree = document.activeElement === null || document.activeElement === document.body
      if (isFree && previous instanceof HTMLElement && previous.isConnected) previous.focus()
    },
    [previous],
  )
}

/**
 * Moves the focus between two controls that replace each other. Call `handOver` before the switch; `take` is
 * the ref of the new control.
 */
export function useFocusHandover() {
  const isPending = useRef(false)
  const handOver = useCallback((shouldFocus = true) => {
    isPending.current = shouldFocus
  }, [])
  const take = useCallback((element: HTMLElement | null) => {
    if (!element) return
    if (isPending.current) element.focus()
    isPending.current = false
  }, [])
  return { handOver, take }
}

/** Buttons are disabled while they wait, which takes the focus from them; they get it back afterward, unless it moved on. */
export function useBusyFocus(): void {
  useEffect(() => {
    let waiting: MutationObserver | null = null
    const watch = ({ target }: MouseEvent): void => {
      waiting?.disconnect()
      const button = target instanceof Element ? target.closest('button') : null
      if (!button || button !== document.activeElement) return
      const observer = new MutationObserver(() => {
        if (button.disabled) return
        observer.disconnect()
        if (document.activeElement === document.body) button.focus()
      })
      observer.observe(button, { attributes: true, attributeFilter: ['disabled'] })
      waiting = observer
    }
    // Before the button acts.
    document.addEventListener('click', watch, true)
    return () => {
      document.removeEventListener('click', watch, true)
      waiting?.disconnect()
    }
  }, [])
}

const popups = '[role="dialog"], [role="listbox"], [role="menu"], [aria-expanded="true"][aria-haspopup]'

/** Whether a key event comes from an open popup, where Escape should only close the popup. */
export const isInPopup = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest(popups) !== null

export const isFocusIn = (element: Element | null): boolean =>
  element !== null && element.contains(document.activeElement)

/** Attribute of pages around a map. */
export const mapPageMark = 'data-map-page'

/** Attribute of the scrolling element of a table. */
export const tableMark = 'data-table'

/** Moves the focus to the first table within an element. Returns whether there is one. */
export function focusTable(within: Element | null): boolean {
  const table = within?.querySelector<HTMLElement>(`[${tableMark}]`)
  table?.focus()
  return table !== null && table !== undefined
}

/** Ref of the first field of a page with a form: it gets the focus when the page opens. */
export const focusOnMount = (element: HTMLElement | null): void => element?.focus({ preventScroll: true })
