/**
 * A `ref` that focuses the first element of a step when the step is shown, because the button that led to it
 * is gone. On a container (with tabIndex -1) it does nothing if an element inside already has the focus.
 */
export function focusWhenShown(element: HTMLElement | null): void {
  if (element && !element.contains(document.activeElement)) element.focus()
}
