export interface GeographiesSearch {
  /** The layer on the map; without one the primary layer. */
  layer?: string | undefined
  shape?: string | undefined
  /** Longitude, latitude, zoom. */
  view?: [number, number, number] | undefined
  /** Whether the table is open. */
  results?: true | undefined
  /** Whether shapes are being edited. */
  edit?: true | undefined
}

const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined
const view = (value: unknown): GeographiesSearch['view'] =>
  Array.isArray(value) &&
  value.length === 3 &&
  value.every((each) => typeof each === 'number' && Number.isFinite(each))
    ? (value as [number, number, number])
    : undefined
const yes = (value: unknown): true | undefined => (value === true ? true : undefined)

/** Reads the address bar; what it does not know is left out. */
export function geographiesSearch(search: Record<string, unknown>): GeographiesSearch {
  const read: GeographiesSearch = {
    layer: text(search['layer']),
    shape: text(search['shape']),
    view: view(search['view']),
    results: yes(search['results']),
    edit: yes(search['edit']),
  }
  return Object.fromEntries(Object.entries(read).filter(([, value]) => value !== undefined))
}
