import { isBasemapLevel, type Layer } from '#contract/geography.ts'

/** The layer on the map: the one asked for, else the primary layer, else the first that is not only drawn under maps. */
export const shownLayer = <L extends Pick<Layer, 'shape_layer_uuid' | 'level'>>(
  layers: readonly L[],
  asked: string | undefined,
): L | null =>
  layers.find((layer) => layer.shape_layer_uuid === asked) ??
  layers.find((layer) => layer.level === 'l1') ??
  layers.find((layer) => !isBasemapLevel(layer.level)) ??
  layers[0] ??
  null
