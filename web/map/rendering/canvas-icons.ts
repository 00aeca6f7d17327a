import { dataColors, type Scheme, tokens } from '#web/kit/theme.ts'
import { clusterRadiusPx, flatDepth } from '../layers/fleet-layers.ts'
import type { FleetCluster, FleetPoints, UserLocation } from '../layers/fleet-points.ts'

/** deck.gl also accepts a canvas, but its types allow only textures and URLs. */
type Atlas = string

interface IconCell {
  x: number
  y: number
  width: number
  height: number
  anchorX: number
  anchorY: number
}

/** Icons are drawn at twice their size, for high-density screens. */
const density = 2
/** Number of icons per row of the atlas. */
const columns = 16
const ringWidthPx = 5
/** Minimum share of a slice, because smaller ones would be invisible. */
const minShare = 0.04

/** Shares of a ring in proportion to the counts, each large enough to be visible; they add up to 1. */
export function ringShares(counts: readonly number[]): number[] {
  const total = counts.reduce((sum, count) => sum + count, 0)
  const visibleShares = counts.map((count) => (count === 0 ? 0 : Math.max(minShare, count / total)))
  const shareSum = visibleShares.reduce((sum, share) => sum + share, 0)
  return visibleShares.map((share) => share / shareSum)
}

const createCanvas = (
  width: number,
  height: number,
): [HTMLCanvasElement, CanvasRenderingContext2D | null] => {
  const canvas = document.createElement('canvas')
  canvas.width = width
  canvas.height = height
  return [canvas, canvas.getContext('2d')]
}

/** Rings around clusters, one slice per color. Drawn on a canvas, because deck.gl has no layer of slices. */
export function clusterRingsLayer({ clusters }: FleetPoints) {
  const rings = clusters.filter(({ parts }) => parts && parts.length > 0)
  const cell = 64 * density
  const [iconAtlas, context] =
    rings.length > 0 ? createCanvas(cell * columns, cell * Math.ceil(rings.length / columns)) : [null, null]
  const iconMapping: Record<string, IconCell> = {}
  for (const [index, { count, parts = [] }] of rings.entries()) {
    const x = (index % columns) * cell
    const y = Math.floor(index / columns) * cell
    iconMapping[index] = { x, y, width: cell, height: cell, anchorX: cell / 2, anchorY: cell / 2 }
    if (!context) continue
    context.lineWidth = ringWidthPx * density
    let from = -Math.PI / 2
    for (const [slice, share] of ringShares(parts.map((part) => part.count)).entries()) {
      const to = from + 2 * Math.PI * share
      context.strokeStyle = parts[slice]!.color
      context.beginPath()
      context.arc(x + cell / 2, y + cell / 2, (clusterRadiusPx(count) - ringWidthPx / 2) * density, from, to)
      context.stroke()
      from = to
    }
  }
  return {
    id: 'cluster-rings',
    data: rings,
    iconAtlas: iconAtlas as unknown as Atlas,
    iconMapping,
    getIcon: (_: FleetCluster, { index }: { index: number }): string => String(index),
    getPosition: ({ lon, lat }: FleetCluster): [number, number] => [lon, lat],
    sizeUnits: 'pixels' as const,
    getSize: 64,
    parameters: flatDepth,
  }
}

const pinPx = { width: 28, height: 38 }

/** A pin with its point at the bottom. */
function drawPin(scheme: Scheme): HTMLCanvasElement {
  const [canvas, context] = createCanvas(pinPx.width * density, pinPx.height * density)
  if (!context) return canvas
  context.scale(density, density)
  const middle = pinPx.width / 2
  const radius = 11
  context.beginPath()
  context.arc(middle, radius + 2, radius, Math.PI * 0.85, Math.PI * 0.15)
  context.lineTo(middle, pinPx.height - 2)
  context.closePath()
  context.fillStyle = tokens[scheme].ink
  context.strokeStyle = dataColors[scheme].halo
  context.lineWidth = 2
  context.lineJoin = 'round'
  context.fill()
  context.stroke()
  context.beginPath()
  context.arc(middle, radius + 2, 4, 0, 2 * Math.PI)
  context.fillStyle = dataColors[scheme].halo
  context.fill()
  return canvas
}

const pins = new Map<Scheme, HTMLCanvasElement>()
const getPin = (scheme: Scheme): HTMLCanvasElement => {
  const pin = pins.get(scheme) ?? drawPin(scheme)
  pins.set(scheme, pin)
  return pin
}

/** Position of the user: a pin, unlike vehicles, which are dots. */
export const userLocationLayer = ({ scheme, userLocation }: FleetPoints) => ({
  id: 'user-location',
  data: userLocation ? [userLocation] : [],
  iconAtlas: (userLocation ? getPin(scheme) : null) as unknown as Atlas,
  iconMapping: {
    pin: {
      x: 0,
      y: 0,
      width: pinPx.width * density,
      height: pinPx.height * density,
      anchorX: (pinPx.width * density) / 2,
      anchorY: pinPx.height * density,
    },
  },
  getIcon: (): string => 'pin',
  getPosition: ({ lon, lat }: UserLocation): [number, number] => [lon, lat],
  sizeUnits: 'pixels' as const,
  getSize: pinPx.height,
  parameters: flatDepth,
})
