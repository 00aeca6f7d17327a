const popups = '[role="dialog"], [role="listbox"], [role="menu"], [aria-expanded="true"][aria-haspopup]'

/** Whether a key was pressed where Escape closes what is open, and should do nothing else. */
export const isInPopup = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest(popups) !== null
