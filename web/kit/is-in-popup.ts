const popups = '[role="dialog"], [role="listbox"], [role="menu"], [aria-expanded="true"][aria-haspopup]'

/** Whether a key event comes from an open popup, where Escape should only close the popup. */
export const isInPopup = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest(popups) !== null
