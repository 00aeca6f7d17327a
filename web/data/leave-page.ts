/** Leaves the app for an address that the server answers, as a link would; `replace` leaves no step back to the page. */
export function leavePage(address: string, { replace = false } = {}): void {
  if (replace) window.location.replace(address)
  else window.location.assign(address)
}
