/** View of a map: center of the canvas and zoom. */
export interface Viewport {
  lon: number
  lat: number
  zoom: number
}

/** Rounds a view for the URL: to about a meter and a hundredth of a zoom level. */
export const roundViewport = ({ lon, lat, zoom }: Viewport): Viewport => ({
  lon: Number(lon.toFixed(5)),
  lat: Number(lat.toFixed(5)),
  zoom: Number(zoom.toFixed(2)),
})

export const isSameViewport = (a: Viewport, b: Viewport): boolean =>
  a.lon === b.lon && a.lat === b.lat && a.zoom === b.zoom
