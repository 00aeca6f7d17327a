import http from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { Config } from '#server/config.ts'
import { sendProblem } from '#server/http/errors.ts'
import { createProblemBody } from '#server/http/problem.ts'
import { formatMetrics, metricsMediaType } from '#server/metrics/server-metrics.ts'
import { hasToken } from '../has-token.ts'

type Access = Pick<Config, 'host' | 'metricsPort' | 'metricsToken'>

/**
 * Serves `/metrics` for Prometheus. With METRICS_PORT it has its own port, opened by `listen`, where the
 * token is required only if METRICS_TOKEN is set. Without METRICS_PORT it is on the server's port, and only
 * if METRICS_TOKEN is set.
 */
export function servePrometheus(
  app: FastifyInstance,
  { host, metricsPort, metricsToken }: Access,
  collect: () => Promise<void>,
): { listen: () => Promise<void>; close: () => Promise<void> } {
  if (metricsPort === null && metricsToken !== null)
    app.get('/metrics', async (request, reply) => {
      if (!hasToken(request.headers.authorization, metricsToken))
        return sendProblem(reply, createProblemBody('unauthorized', 'This needs the token of METRICS_TOKEN.'))
      await collect()
      return reply
        .header('cache-control', 'no-store')
        .type(metricsMediaType)
        .send(await formatMetrics())
    })
  let server: http.Server | null = null
  return {
    async listen() {
      if (metricsPort === null) return
      const metricsServer = http.createServer((request, response) => {
        const isAllowed = metricsToken === null || hasToken(request.headers.authorization, metricsToken)
        const isMetrics = request.url?.split('?')[0] === '/metrics'
        const allowedStatus = isAllowed ? 200 : 401
        const status = isMetrics ? allowedStatus : 404
        if (status !== 200) return void response.writeHead(status).end()
        collect()
          .then(formatMetrics)
          .then(
            (text) => response.writeHead(200, { 'content-type': metricsMediaType }).end(text),
            () => response.writeHead(503).end(),
          )
      })
      await new Promise<void>((resolve, reject) => {
        metricsServer.once('error', reject).listen({ host, port: metricsPort }, resolve)
      })
      server = metricsServer.unref()
    },
    close: () =>
      new Promise((resolve) => {
        if (!server) return resolve()
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
