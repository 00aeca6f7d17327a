type FeedSettings = Readonly<Record<string, unknown>>

/** Settings that were discovered from a GBFS feed. They are stored together with those that users entered. */
const discoveredKeys = ['discovered', 'zonesLayer', 'zonesHash']
/** Discovered settings that depend on the URL of the feed. */
const urlDependentKeys = ['discovered']

/** Returns the settings that users entered. */
export const getEnteredSettings = (settings: FeedSettings): Record<string, unknown> =>
  Object.fromEntries(Object.entries(settings).filter(([name]) => !discoveredKeys.includes(name)))

/** Adds previously discovered settings to entered ones; without those of the URL if it has changed. */
export function withDiscovered(
  entered: FeedSettings,
  previous: FeedSettings,
  isSameUrl: boolean,
): Record<string, unknown> {
  const retained = Object.entries(previous).filter(
    ([name]) => discoveredKeys.includes(name) && (isSameUrl || !urlDependentKeys.includes(name)),
  )
  return { ...getEnteredSettings(entered), ...Object.fromEntries(retained) }
}
