/** What either way of sending answers. */
export interface RawResponse {
  status: number
  statusText: string
  version: string | null
  bytes: () => Promise<Uint8Array>
  text: () => Promise<string>
}
