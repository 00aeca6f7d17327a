import http from 'node:http'
import type { AddressInfo } from 'node:net'
import type { DemoServer } from './demo-server.ts'

const maxBytes = 1_000_000

/** Serves HTTP on loopback. Port 0 selects any free port. */
export async function listen(
  serve: DemoServer,
  port: number,
  now: () => number,
): Promise<{ origin: string; close: () => Promise<void> }> {
  let origin = ''
  const server = http.createServer((request, response) => {
    const parts: Buffer[] = []
    let bytes = 0
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes <= maxBytes) parts.push(chunk)
      else request.destroy()
    })
    request.on('end', () => {
      const { pathname, searchParams } = new URL(request.url ?? '/', origin)
      const headers = Object.fromEntries(
        Object.entries(request.headers).map(([name, value]) => [
          name,
          Array.isArray(value) ? value.join(', ') : value,
        ]),
      )
      const result = serve(
        {
          method: request.method ?? 'GET',
          path: pathname.replace(/\/+$/, ''),
          query: searchParams,
          headers,
          body: Buffer.concat(parts).toString(),
          origin,
        },
        now(),
      )
      response.writeHead(result.status, {
        'content-type': result.type ?? 'application/json',
        ...result.headers,
      })
      response.end(result.body === undefined ? undefined : JSON.stringify(result.body))
    })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    origin,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
