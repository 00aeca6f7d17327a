import { createHash } from 'node:crypto'
import fastify, { type FastifyInstance } from 'fastify'
import type { Endpoint } from '#contract/endpoint.ts'
import { openApi } from './openapi.ts'

/** Makes a content security policy for scripts of this origin and, by hash, a page's inline scripts. */
function makeContentPolicy(html: string): string {
  const hashes = [...html.matchAll(/<script(?![^>]*\ssrc=)[^>]*>([^]*?)<\/script>/g)].map(
    ([, text = '']) => ` 'sha256-${createHash('sha256').update(text).digest('base64')}'`,
  )
  return [
    "default-src 'self'",
    `script-src 'self'${hashes.join('')}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "worker-src 'self' blob:",
    "object-src 'none'",
    "base-uri 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
}

/**
 * Serves the OpenAPI document at /v2/openapi.json and its reference page at /v2/docs. Both are created at the
 * first request, because the page alone is 4 MB of code.
 */
export function serveDocs(app: FastifyInstance, endpoints: ReadonlyMap<string, Endpoint>): void {
  let document: ReturnType<typeof openApi> | null = null
  app.get('/v2/openapi.json', async () => (document ??= openApi(endpoints)))
  let pages: Promise<FastifyInstance> | null = null
  for (const path of ['/v2/docs', '/v2/docs/*'])
    app.get(path, async (request, reply) => {
      const { statusCode, headers, body } = await (await (pages ??= openReference())).inject(request.url)
      if (statusCode === 404) return reply.callNotFound()
      const { location, 'content-type': type = 'text/plain' } = headers
      if (location) return reply.redirect(String(location), statusCode)
      // The page has one inline script, which its policy allows by its hash.
      if (type.startsWith('text/html')) reply.header('content-security-policy', makeContentPolicy(body))
      return reply.code(statusCode).type(type).send(body)
    })
}

async function openReference(): Promise<FastifyInstance> {
  const { default: reference } = await import('@scalar/fastify-api-reference')
  const pages = fastify()
  await pages.register(reference, {
    routePrefix: '/v2/docs',
    configuration: {
      url: '/v2/openapi.json',
      title: 'Publicway API',
      withDefaultFonts: false,
      telemetry: false,
      hideClientButton: true,
      mcp: { disabled: true },
      showDeveloperTools: 'never',
      agent: { disabled: true },
    } as object,
  })
  return pages
}
