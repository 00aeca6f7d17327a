import type { LayerSpecification, SourceSpecification, StyleSpecification } from 'maplibre-gl'
import type { BasemapStyle } from './basemap-style.ts'

/** Begins the names of all that another server's style brings, so that they are none of ours. */
const prefix = 'city:'

/** The style of another server as the ground of ours: its labels stand over what we draw, all else under it. */
export function foreignStyle({ sources, layers, sprite, glyphs }: StyleSpecification): BasemapStyle {
  const own = layers.map(
    (layer) =>
      ({
        ...layer,
        id: prefix + layer.id,
        ...('source' in layer && typeof layer.source === 'string' ? { source: prefix + layer.source } : {}),
      }) as LayerSpecification,
  )
  return {
    sources: Object.fromEntries(
      Object.entries(sources).map(([name, source]): [string, SourceSpecification] => [prefix + name, source]),
    ),
    ground: own.filter(({ type }) => type !== 'symbol'),
    streets: [],
    labels: own.filter(({ type }) => type === 'symbol'),
    rest: { ...(sprite === undefined ? {} : { sprite }), ...(glyphs === undefined ? {} : { glyphs }) },
  }
}
