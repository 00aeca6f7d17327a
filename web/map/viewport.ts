/** Where a map looks: the middle of the canvas and the zoom. */
export interface Viewport {
  lon: number
  lat: number
  zoom: number
}

/** Digits that an address bar needs: about a metre, a hundredth of a zoom step. */
export const roundViewport = ({ lon, lat, zoom }: Viewport): Viewport => ({
  lon: Number(lon.toFixed(5)),
  lat: Number(lat.toFixed(5)),
  zoom: Number(zoom.toFixed(2)),
})

export const isSameViewport = (a: Viewport, b: Viewport): boolean =>
  a.lon === b.lon && a.lat === b.lat && a.zoom === b.zoom
