type Settings = Readonly<Record<string, unknown>>

/** Settings that were discovered from a GBFS feed, stored beside those that were entered. */
const discoveredKeys = ['discovered', 'zonesLayer', 'zonesHash']
/** Discovered settings that depend on the address. */
const addressBoundKeys = ['discovered']

/** The settings that were entered. */
export const typedSettings = (settings: Settings): Record<string, unknown> =>
  Object.fromEntries(Object.entries(settings).filter(([name]) => !discoveredKeys.includes(name)))

/** Entered settings with those discovered before; with another address, those that depend on it are discovered again. */
export function withDiscovered(
  typed: Settings,
  before: Settings,
  isSameAddress: boolean,
): Record<string, unknown> {
  const retained = Object.entries(before).filter(
    ([name]) => discoveredKeys.includes(name) && (isSameAddress || !addressBoundKeys.includes(name)),
  )
  return { ...typedSettings(typed), ...Object.fromEntries(retained) }
}
