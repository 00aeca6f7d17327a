type Settings = Readonly<Record<string, unknown>>

/** Settings that nobody typed: what a GBFS feed told of itself, kept beside the typed ones. */
const noted = ['discovered', 'zonesLayer', 'zonesHash']
/** Those that hold for the address that told them only. */
const ofAddress = ['discovered']

/** The settings that somebody typed. */
export const typedSettings = (settings: Settings): Record<string, unknown> =>
  Object.fromEntries(Object.entries(settings).filter(([name]) => !noted.includes(name)))

/** Typed settings with what was noted before; another address tells anew. */
export function withNoted(
  typed: Settings,
  before: Settings,
  isSameAddress: boolean,
): Record<string, unknown> {
  const kept = Object.entries(before).filter(
    ([name]) => noted.includes(name) && (isSameAddress || !ofAddress.includes(name)),
  )
  return { ...typedSettings(typed), ...Object.fromEntries(kept) }
}
