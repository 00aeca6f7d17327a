import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { Endpoint } from '#contract/endpoint.ts'
import { openApi } from './openapi.ts'

/** The content security policy of a page, which may run its own files and the scripts that it contains. */
function policyOf(html: string): string {
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

/** Serves the OpenAPI document at /v2/openapi.json and its reference page at /v2/docs. */
export async function serveDocs(
  app: FastifyInstance,
  endpoints: ReadonlyMap<string, Endpoint>,
): Promise<void> {
  // Generated on the first request, because it takes some tenths of a second.
  let document: ReturnType<typeof openApi> | null = null
  app.get('/v2/openapi.json', async () => (document ??= openApi(endpoints)))
  const { default: reference } = await import('@scalar/fastify-api-reference')
  await app.register(async (docs) => {
    // The page has one inline script, which its policy allows by its hash.
    docs.addHook('onSend', async (_request, reply, payload) => {
      if (typeof payload === 'string') reply.header('content-security-policy', policyOf(payload))
    })
    await docs.register(reference, {
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
  })
}
