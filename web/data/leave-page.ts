/**
 * Leaves the app for a URL served by the server, like a link; `replace` removes the current page from the
 * browser history.
 */
export function leavePage(address: string, { replace = false } = {}): void {
  if (replace) window.location.replace(address)
  else window.location.assign(address)
}
