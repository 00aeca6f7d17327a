/**
 * A `ref` for the first element of a step: it gets the focus when the step is shown, because the button that led to it is gone. For a
 * whole part (with tabIndex -1), an element inside that has the focus already retains it.
 */
export function focusWhenShown(shown: HTMLElement | null): void {
  if (shown && !shown.contains(document.activeElement)) shown.focus()
}
