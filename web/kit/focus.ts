import { useCallback, useEffect, useRef, useState } from 'react'

/** Restores the previous focus on unmount, unless another element has been focused. */
export function useFocusReturn(): void {
  const [previousElement] = useState(() => document.activeElement)
  useEffect(
    () => () => {
      const isFree = document.activeElement === null || document.activeElement === document.body
      if (isFree && previousElement instanceof HTMLElement && previousElement.isConnected)
        previousElement.focus()
    },
    [previousElement],
  )
}

/** Passes focus between two controls that replace each other. `receiverRef` is the ref of the new one. */
export function useFocusHandover() {
  const isPending = useRef(false)
  const passFocus = useCallback((shouldFocus = true) => {
    isPending.current = shouldFocus
  }, [])
  const receiverRef = useCallback((element: HTMLElement | null) => {
    if (!element) return
    if (isPending.current) element.focus()
    isPending.current = false
  }, [])
  return { passFocus, receiverRef }
}

/** An element that had the focus, and its ancestors, nearest first, with the index of the child that had it. */
interface FocusedPlace {
  element: HTMLElement
  ancestors: readonly { element: Element; index: number }[]
}

/** Time that screens have to move the focus themselves, such as to a dialog that opens. */
const settleMs = 100
/** A button that is disabled for longer than this is not waiting for a response. */
const maxBusyMs = 1000
/** Number of focused elements that are remembered. */
const maxPlaces = 20

const controlSelector =
  ':is(a[href], button, input:not([type="hidden"]), select, textarea, summary, [tabindex="0"]):not(:disabled)'
const headingSelector = ':is(h1, h2, h3, h4, h5, h6, [role="heading"])'
const sectionSelector = 'section, article, form, fieldset, main, [role="region"], [role="dialog"]'

/** Returns the place of an element that has the focus. */
function getPlace(element: HTMLElement): FocusedPlace {
  const ancestors = []
  for (let child: Element = element; child.parentElement; child = child.parentElement)
    ancestors.push({ element: child.parentElement, index: [...child.parentElement.children].indexOf(child) })
  return { element, ancestors }
}

/**
 * Returns the element that gets the focus when the child at `index` disappears: the next entry of a list, a
 * table, or the title of a section; null if there is none.
 */
function getSuccessor(element: Element, index: number): HTMLElement | null {
  if (element.matches(`[${tableMark}]`)) return element as HTMLElement
  if (element.matches('ul, ol, [role="list"], [role="toolbar"]')) {
    const nextEntry = element.children[Math.min(index, element.children.length - 1)]
    return nextEntry?.matches(controlSelector)
      ? (nextEntry as HTMLElement)
      : (nextEntry?.querySelector<HTMLElement>(controlSelector) ?? null)
  }
  if (!element.matches(sectionSelector)) return null
  const heading = element.querySelector<HTMLElement>(headingSelector)
  return heading ?? (element.matches('main') ? (element as HTMLElement) : null)
}

/** Returns candidates for the focus after an element has disappeared, nearest first. */
function getSuccessors({ ancestors }: FocusedPlace): HTMLElement[] {
  return ancestors.flatMap(({ element, index }) =>
    element.isConnected ? (getSuccessor(element, index) ?? []) : [],
  )
}

/** Whether an element was in a closed menu, whose button counts instead (menus are outside of sections). */
const wasInMenu = ({ ancestors }: FocusedPlace): boolean =>
  ancestors.some(({ element }) => !element.isConnected && element.matches('[role="menu"]'))

/** Focuses an element, which may be a heading. Returns whether it has the focus; hidden elements cannot. */
function focusOn(element: HTMLElement): boolean {
  if (element.tabIndex < 0 && !element.hasAttribute('tabindex')) element.tabIndex = -1
  element.focus({ preventScroll: element.matches(`main, [${tableMark}]`) })
  return document.activeElement === element
}

const isDisabled = (element: HTMLElement): boolean => element.matches(':disabled')

/**
 * Moves the focus when the focused element disappears or is disabled, so that keyboard users never start
 * at the top of the page. A button that was disabled during a request gets it back. For a removed entry of a
 * list, the next entry gets it, else the table, or the heading of the section or page. Used once per page.
 */
export function useLostFocus(): void {
  useEffect(() => {
    // Several, because a dialog disappears with all of its elements; then the control that opened it counts.
    let places: FocusedPlace[] = []
    let loss: 'disabled' | 'enabled again' | 'removed' | null = null
    let timer: ReturnType<typeof setTimeout> | undefined
    const findLoss = (): typeof loss => {
      const lastElement = places.at(-1)?.element
      const activeElement = document.activeElement
      if (
        !lastElement ||
        (activeElement !== null && activeElement !== document.body && activeElement !== lastElement)
      )
        return null
      if (!lastElement.isConnected) return 'removed'
      if (isDisabled(lastElement)) return 'disabled'
      return loss === 'disabled' || loss === 'enabled again' ? 'enabled again' : null
    }
    const restoreFocus = (): void => {
      const lastPlace = places.at(-1)
      if (!lastPlace || findLoss() !== loss) return updateLoss()
      const openPlaces = places.filter((place) => !wasInMenu(place)).toReversed()
      const nearestElement = openPlaces[0]?.element
      if (
        nearestElement?.isConnected &&
        isDisabled(nearestElement) &&
        nearestElement.matches('[data-loading]')
      ) {
        timer = setTimeout(restoreFocus, loss === 'disabled' ? maxBusyMs : settleMs)
        return
      }
      loss = null
      const main = document.querySelector('main')
      const candidates = openPlaces.flatMap((place) =>
        place.element.isConnected && !isDisabled(place.element) ? [place.element] : getSuccessors(place),
      )
      for (const candidate of [...candidates, ...(main ? [main] : [])]) if (focusOn(candidate)) return
    }
    /** Schedules the restoration when the focus is lost, or cancels it. */
    const updateLoss = (): void => {
      const nextLoss = findLoss()
      if (nextLoss === loss) return
      loss = nextLoss
      clearTimeout(timer)
      if (loss !== null)
        timer = setTimeout(restoreFocus, { disabled: maxBusyMs, 'enabled again': 0, removed: settleMs }[loss])
    }
    const handleFocus = ({ target }: FocusEvent): void => {
      if (target instanceof HTMLElement && target !== document.body)
        places = [...places.slice(1 - maxPlaces), getPlace(target)]
      updateLoss()
    }
    // A click beside all controls removes the focus deliberately.
    const handlePointer = (): void =>
      void setTimeout(() => {
        if (document.activeElement === document.body && findLoss() === null) places = []
      })
    const observer = new MutationObserver(updateLoss)
    observer.observe(document.body, {
      childList: true,
      subtree: true,
      attributes: true,
      attributeFilter: ['disabled'],
    })
    document.addEventListener('focusin', handleFocus)
    document.addEventListener('mousedown', handlePointer)
    return () => {
      observer.disconnect()
      clearTimeout(timer)
      document.removeEventListener('focusin', handleFocus)
      document.removeEventListener('mousedown', handlePointer)
    }
  }, [])
}

const popupSelector =
  '[role="dialog"], [role="listbox"], [role="menu"], [aria-expanded="true"][aria-haspopup]'

/** Whether a key event comes from an open popup, where Escape should only close the popup. */
export const isInPopup = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest(popupSelector) !== null

/** Whether an element contains the focus. */
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

/** Ref that focuses the first field of a form when the page opens. */
export const focusOnMount = (element: HTMLElement | null): void => element?.focus({ preventScroll: true })
