/**
 * As `ref` of what a step begins with: the focus goes there when the step is shown, for the button that led to it is gone. On a
 * whole part (with tabIndex -1) it leaves the focus to what inside of it took it already.
 */
export function focusWhenShown(shown: HTMLElement | null): void {
  if (shown && !shown.contains(document.activeElement)) shown.focus()
}
