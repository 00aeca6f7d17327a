/** What an agency's server said to a push. */
export interface PushAnswer {
  status: number
  failures: readonly { error: string; error_description?: string }[]
}

const type = 'application/vnd.mds+json;version=2.0'
const timeoutMs = 60_000

/** Speaks to the MDS Agency 2.0 API at `url`. Throws where the server cannot be reached. */
export function agencyClient(url: string, token: string, signal: AbortSignal) {
  const ask = (path: string, more: RequestInit = {}): Promise<Response> =>
    fetch(`${url.replace(/\/+$/, '')}/${path}`, {
      ...more,
      headers: { authorization: `Bearer ${token}`, 'content-type': type, accept: type },
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    })
  return {
    /** Pushes a list of records. */
    async push(list: string, items: readonly unknown[]): Promise<PushAnswer> {
      const answer = await ask(list, { method: 'POST', body: JSON.stringify({ [list]: items }) })
      const body = (await answer.json().catch(() => null)) as { failures?: PushAnswer['failures'] } | null
      return { status: answer.status, failures: Array.isArray(body?.failures) ? body.failures : [] }
    },
    /** Whether a vehicle is registered there. */
    async knows(deviceId: string): Promise<boolean> {
      const { status } = await ask(`vehicles/${deviceId}`)
      if (status !== 200 && status !== 404) throw new Error(`vehicles: ${status}`)
      return status === 200
    },
  }
}
