/** What one face of the finished map is. */
export interface Block {
  kind: 'water' | 'outside' | 'park' | 'built'
  /** Its neighbourhood, counted from 0; -1 in water and outside. */
  neighbourhood: number
  /** Name of the park or water. */
  name: string
  parkKind: string
  /** Square metres. */
  area: number
}
