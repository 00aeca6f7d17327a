/** What either way of sending answers. */
export interface RawAnswer {
  status: number
  statusText: string
  version: string | null
  bytes: () => Promise<Uint8Array>
  text: () => Promise<string>
}
