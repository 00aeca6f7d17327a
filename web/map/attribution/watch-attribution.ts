import type { Map as MapLibreMap } from 'maplibre-gl'

/** Reports a map's attributions when they change; some are known only after their source has loaded. */
export function watchAttribution(map: MapLibreMap, onAttribution: (texts: readonly string[]) => void): void {
  let lastReported = ''
  const report = (): void => {
    const sources = Object.keys(map.getStyle()?.sources ?? {})
    const texts = [
      ...new Set(
        sources.flatMap(
          (id) => (map.getSource(id) as { attribution?: string } | undefined)?.attribution?.trim() || [],
        ),
      ),
    ]
    const current = texts.join('\n')
    if (current === lastReported) return
    lastReported = current
    onAttribution(texts)
  }
  map.on('styledata', report)
  map.on('sourcedata', (event) => {
    if (event.sourceDataType === 'metadata') report()
  })
}
