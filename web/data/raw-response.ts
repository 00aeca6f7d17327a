/** Response of both fetch and XMLHttpRequest. */
export interface RawResponse {
  status: number
  statusText: string
  version: string | null
  bytes: () => Promise<Uint8Array>
  text: () => Promise<string>
}
