import http from 'node:http'
import type { AddressInfo } from 'node:net'

/** Interval of readiness checks, in milliseconds. */
const checkMs = 100

interface Backend {
  url: string
  isReady: boolean
}

/** A proxy that sends calls to ready servers in turn, and retries reads whose connection was refused. */
export interface RoundRobin {
  url: string
  add(url: string): void
  remove(url: string): void
  /** Resolves when this number of servers is ready. */
  untilReady(count: number): Promise<void>
  close(): Promise<void>
}

export async function openRoundRobin(): Promise<RoundRobin> {
  let backends: Backend[] = []
  let turn = 0
  const agent = new http.Agent({ keepAlive: false })
  const check = async (backend: Backend): Promise<void> => {
    const reply = await fetch(`${backend.url}/readyz`, { signal: AbortSignal.timeout(2000) }).catch(
      () => null,
    )
    backend.isReady = reply?.ok ?? false
    await reply?.arrayBuffer()
  }
  const timer = setInterval(() => void Promise.all(backends.map(check)), checkMs)
  const forward = (request: http.IncomingMessage, body: Buffer, response: http.ServerResponse): void => {
    const ready = backends.filter(({ isReady }) => isReady)
    const backend = ready[turn++ % Math.max(1, ready.length)]
    if (!backend) return void response.writeHead(503).end('no server is ready')
    const { method, headers, url } = request
    const call = http.request(`${backend.url}${url}`, { method, headers, agent }, (reply) => {
      response.writeHead(reply.statusCode ?? 502, { ...reply.headers, 'x-served-by': backend.url })
      reply.pipe(response)
      reply.once('error', () => response.destroy())
    })
    call.once('error', (error: NodeJS.ErrnoException) => {
      // Like other proxies: nothing was sent, so another server can be tried.
      if (error.code === 'ECONNREFUSED') {
        backend.isReady = false
        return forward(request, body, response)
      }
      if (!response.headersSent) response.writeHead(502)
      response.end()
    })
    response.once('close', () => call.destroy())
    call.end(body)
  }
  const server = http.createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (chunk: Buffer) => parts.push(chunk))
    request.once('end', () => forward(request, Buffer.concat(parts), response))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    add: (url) => void backends.push({ url, isReady: false }),
    remove: (url) => void (backends = backends.filter((backend) => backend.url !== url)),
    async untilReady(count) {
      while (backends.filter(({ isReady }) => isReady).length < count)
        await new Promise((resolve) => setTimeout(resolve, 20))
    },
    close: () =>
      new Promise<void>((resolve) => {
        clearInterval(timer)
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
