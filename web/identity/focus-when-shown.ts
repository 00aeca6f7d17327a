/** As `ref` of what a step begins with: the focus goes there when the step is shown, for the button that led to it is gone. */
export const focusWhenShown = (shown: HTMLElement | null): void => shown?.focus()
