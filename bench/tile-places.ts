export interface TilePlace {
  z: number
  x: number
  y: number
}

export function tileAt(lon: number, lat: number, z: number): TilePlace {
  const rad = (lat * Math.PI) / 180
  return {
    z,
    x: Math.floor(((lon + 180) / 360) * 2 ** z),
    y: Math.floor(((1 - Math.asinh(Math.tan(rad)) / Math.PI) / 2) * 2 ** z),
  }
}

/** The tiles around a place, of several zooms, `reach` to each side. */
export const tilesAround = (lon: number, lat: number, zooms: readonly number[], reach: number): TilePlace[] =>
  zooms.flatMap((z) => {
    const { x, y } = tileAt(lon, lat, z)
    const steps = Array.from({ length: 2 * reach + 1 }, (_, at) => at - reach)
    return steps.flatMap((dx) => steps.map((dy) => ({ z, x: x + dx, y: y + dy })))
  })
