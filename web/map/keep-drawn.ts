import type { StyleSpecification } from 'maplibre-gl'

const isDrawn = (id: string): boolean => id.startsWith('td-')

/** A new style with what is being drawn left in place: sources and layers of the drawing engine are in no style of ours. */
export function keepDrawn(
  before: StyleSpecification | undefined,
  next: StyleSpecification,
): StyleSpecification {
  const sources = Object.entries(before?.sources ?? {}).filter(([id]) => isDrawn(id))
  if (sources.length === 0) return next
  return {
    ...next,
    sources: { ...next.sources, ...Object.fromEntries(sources) },
    layers: [...next.layers, ...(before?.layers ?? []).filter(({ id }) => isDrawn(id))],
  }
}
