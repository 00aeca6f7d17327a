/** Functions of `window.location` that tests can replace, because jsdom cannot leave a page. */
export const addressBar = {
  assign: (address: string): void => window.location.assign(address),
  replace: (address: string): void => window.location.replace(address),
}

/** Leaves the app for a URL of the server; `replace` removes the current page from the history. */
export function leavePage(address: string, { replace = false } = {}): void {
  if (replace) addressBar.replace(address)
  else addressBar.assign(address)
}
