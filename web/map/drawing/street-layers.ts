import type { ExpressionSpecification, LayerSpecification } from 'maplibre-gl'
import type { BasemapPalette } from './basemap-palette.ts'
import { byZoom } from './by-zoom.ts'

type Stop = [zoom: number, value: number]

interface StreetClass {
  name: 'local' | 'collector' | 'arterial' | 'freeway'
  from: number
  width: Stop[]
}

/** From the least to the greatest, so that greater streets cross over lesser ones. */
const classes: StreetClass[] = [
  { name: 'local', from: 12, width: [[12, 0.4], [14, 1.6], [16, 6], [18, 18]] },
  { name: 'collector', from: 10.5, width: [[10.5, 0.4], [13, 1.6], [16, 9], [18, 24]] },
  { name: 'arterial', from: 9, width: [[9, 0.5], [12, 1.8], [14, 4], [16, 13], [18, 30]] },
  { name: 'freeway', from: 6, width: [[6, 0.6], [10, 2], [13, 4.5], [16, 17], [18, 36]] },
]

const known = classes.map((each) => each.name)
const drawnClass: ExpressionSpecification = ['match', ['get', 'class'], known, ['get', 'class'], 'local']
const ofClass = (name: string): ExpressionSpecification => ['==', drawnClass, name]
const round = { 'line-cap': 'round', 'line-join': 'round' } as const

/** Streets of one source: all casings first, so that a crossing is open and not barred. */
export function streetLayers(source: string, colors: BasemapPalette): LayerSpecification[] {
  const common = { type: 'line', source, 'source-layer': 'shapes', layout: round } as const
  const casings = classes.map(({ name, from, width }): LayerSpecification => ({
    ...common, id: `${source}:${name}:casing`, minzoom: Math.max(from, 11), filter: ofClass(name),
    paint: { 'line-color': name === 'freeway' ? colors.freewayCasing : colors.casing, 'line-width': byZoom(...width.map(([zoom, value]): Stop => [zoom, value + (zoom < 13 ? 0.8 : 2)])) },
  }))
  const fills = classes.map(({ name, from, width }): LayerSpecification => ({
    ...common, id: `${source}:${name}`, minzoom: from, filter: ofClass(name), paint: { 'line-color': colors[name], 'line-width': byZoom(...width) },
  }))
  return [...casings, ...fills]
}

const namedFrom: Record<StreetClass['name'], number> = { freeway: 11, arterial: 12.5, collector: 14, local: 15 }

/** Names of streets along them, the greater ones from farther away. */
export function streetLabels(source: string, colors: BasemapPalette, font: string[]): LayerSpecification[] {
  return classes.toReversed().map(({ name }): LayerSpecification => ({
    id: `${source}:${name}:name`, type: 'symbol', source, 'source-layer': 'shapes', minzoom: namedFrom[name], filter: ['all', ofClass(name), ['has', 'name']],
    layout: { 'symbol-placement': 'line', 'symbol-spacing': 320, 'text-field': ['get', 'name'], 'text-font': font, 'text-size': byZoom([12, 10], [16, 12]), 'text-padding': 6, 'text-max-angle': 30 },
    paint: { 'text-color': colors.streetText, 'text-halo-color': colors.textHalo, 'text-halo-width': 1.4 },
  }))
}
