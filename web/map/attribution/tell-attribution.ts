import type { Map as MapLibreMap } from 'maplibre-gl'

/** Tells who must be named for the sources of a map, whenever that changes: some say it only after they were loaded. */
export function tellAttribution(map: MapLibreMap, onAttribution: (texts: readonly string[]) => void): void {
  let told = ''
  const tell = (): void => {
    const sources = Object.keys(map.getStyle()?.sources ?? {})
    const texts = [
      ...new Set(
        sources.flatMap(
          (id) => (map.getSource(id) as { attribution?: string } | undefined)?.attribution?.trim() || [],
        ),
      ),
    ]
    const now = texts.join('\n')
    if (now === told) return
    told = now
    onAttribution(texts)
  }
  map.on('styledata', tell)
  map.on('sourcedata', (event) => {
    if (event.sourceDataType === 'metadata') tell()
  })
}
