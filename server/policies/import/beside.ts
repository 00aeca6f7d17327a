/** Addresses at which the geographies of a policies feed may be: under /geography where it is under /policy, else in the same place. */
export function geographiesBeside(policiesUrl: string): string[] {
  const url = new URL(policiesUrl)
  const beside = url.pathname.replace(/policies(\.json)?\/?$/, 'geographies$1')
  if (beside === url.pathname) return []
  return [...new Set([beside.replace(/\/policy\//, '/geography/'), beside])].map(
    (path) => new URL(`${path}${url.search}`, url).href,
  )
}
