export const colorSchemes = ['tide', 'dusk', 'clay'] as const

/** What every evaluation map keeps in the address bar; each adds its filters. */
export interface EvaluationSearch {
  shape?: string | undefined
  colors?: (typeof colorSchemes)[number] | undefined
  results?: true | undefined
  /** Longitude, latitude, zoom. */
  view?: [lon: number, lat: number, zoom: number] | undefined
}
