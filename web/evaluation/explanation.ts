/** What one who doubts a figure can read. */
export interface Explanation {
  definition: string
  method: { name: string; version: number; buffer: number }
  period: string
  days: number
  milliseconds: number
  isKept: boolean
}
