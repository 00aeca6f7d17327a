import { isBasemapLevel, levelsWithoutEvaluation, type Layer } from '#contract/geography.ts'

const isExcluded = (layer: Layer): boolean =>
  isBasemapLevel(layer.level) ||
  [layer.level, layer.layer_name, layer.layer_slug].some(
    (level) => level !== null && levelsWithoutEvaluation.includes(level),
  )

/** Layers that an evaluation map can color, the primary one first. */
export const layerOptions = (layers: readonly Layer[]): Layer[] =>
  layers
    .filter((layer) => !isExcluded(layer))
    .toSorted(
      (a, b) =>
        Number(b.level === 'l1') - Number(a.level === 'l1') || a.layer_name.localeCompare(b.layer_name),
    )

/**
 * Name of a layer in the middle of a sentence: "Outside all neighborhoods". Names with further capitals are
 * unchanged, such as "ZIP codes" or "Council District".
 */
export function layerInSentence(layer: Pick<Layer, 'layer_name'> | null): string {
  const name = layer?.layer_name ?? ''
  // Only the first letter is a capital.
  const isCapitalized = /^\p{Lu}(?!.*\p{Lu})/u.test(name)
  return isCapitalized ? name.charAt(0).toLocaleLowerCase() + name.slice(1) : name
}

/** Returns the requested layer, else the first; null if there are none. */
export const activeLayer = (options: readonly Layer[], requested: string | undefined): Layer | null =>
  options.find((layer) => layer.shape_layer_uuid === requested) ?? options[0] ?? null
