import type { FastifyInstance } from 'fastify'
import type { Endpoint } from '#contract/endpoint.ts'
import { openApi } from './openapi.ts'

/** Serves the OpenAPI document at /v2/openapi.json and its reference page at /v2/docs. */
export async function serveDocs(
  app: FastifyInstance,
  endpoints: ReadonlyMap<string, Endpoint>,
): Promise<void> {
  // Generated on the first request, because it takes some tenths of a second.
  let document: ReturnType<typeof openApi> | null = null
  app.get('/v2/openapi.json', async () => (document ??= openApi(endpoints)))
  const { default: reference } = await import('@scalar/fastify-api-reference')
  // The page has inline scripts and therefore a separate content security policy, still without other hosts.
  await app.register(reference, {
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
    hooks: {
      onRequest: (
        _request: unknown,
        reply: { header(name: string, value: string): unknown },
        done: () => void,
      ) => {
        reply.header(
          'content-security-policy',
          "default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self'; worker-src 'self' blob:; object-src 'none'; base-uri 'self'; form-action 'self'; frame-ancestors 'none'",
        )
        done()
      },
    } as object,
  })
}
