import http from 'node:http'
import type { AddressInfo } from 'node:net'

export interface SentRequest {
  path: string
  query: URLSearchParams
  headers: http.IncomingHttpHeaders
  body: string
}

/** An operator's server on loopback with scripted responses. It records requests. */
export interface OperatorServer {
  url: string
  requests: SentRequest[]
  respond: (request: SentRequest, response: http.ServerResponse) => void
  close(): Promise<void>
}

export async function openOperator(respond: OperatorServer['respond']): Promise<OperatorServer> {
  const server = http.createServer((request, response) => {
    let body = ''
    request.on('data', (part: Buffer) => (body += part.toString()))
    request.on('end', () => {
      const url = new URL(request.url ?? '/', 'http://operator')
      const received: SentRequest = {
        path: url.pathname,
        query: url.searchParams,
        headers: request.headers,
        body,
      }
      open.requests.push(received)
      open.respond(received, response)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const open: OperatorServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: [],
    respond,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
  return open
}
