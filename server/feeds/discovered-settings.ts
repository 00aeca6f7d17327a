type Settings = Readonly<Record<string, unknown>>

/** Settings that nobody typed: what a GBFS feed told of itself, kept beside the typed ones. */
const discoveredKeys = ['discovered', 'zonesLayer', 'zonesHash']
/** Those that hold for the address that told them only. */
const addressBoundKeys = ['discovered']

/** The settings that somebody typed. */
export const typedSettings = (settings: Settings): Record<string, unknown> =>
  Object.fromEntries(Object.entries(settings).filter(([name]) => !discoveredKeys.includes(name)))

/** Typed settings with what was noted before; another address tells anew. */
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
