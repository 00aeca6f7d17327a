import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import compress from '@fastify/compress'
import helmet from '@fastify/helmet'
import files from '@fastify/static'
import fastify, { type FastifyInstance, type FastifyReply } from 'fastify'
import type { Config } from '#server/config.ts'
import type { Log } from '#server/jobs/log.ts'
import { createEarlyFilesHeader, hasSessionCookie } from './early-files.ts'
import { installErrorHandler, sendProblem } from './errors.ts'
import { boundJsonBodies, dropRefusedBodies, limitSlowBodies, defaultBodyBytes } from './request-body.ts'
import { respondToMalformedRequest, refuseUnusualRequests } from './malformed-requests.ts'
import { createProblemBody } from './problem.ts'

/** First segments of the API's paths. Unknown paths below them get a 404 in JSON instead of the web page. */
const apiSegments = [
  'v2',
  'internal',
  'apipy',
  'api',
  'mds',
  'external',
  'cds',
  'health',
  'ping',
  'livez',
  'readyz',
  'metrics',
]

/** Returns the first segment of a path, decoded, in lower case (`//%6DDS;x` → `mds`); null if malformed. */
function getFirstSegment(url: string): string | null {
  const [path = ''] = url.split(/[?#]/)
  try {
    return (/^[/\\]*([^/\\;]*)/.exec(decodeURIComponent(path))?.[1] ?? '').toLowerCase()
  } catch {
    return null
  }
}

const requestIdPattern = /^[\w-]{8,64}$/

/** Returns the id of a request: from the proxy's header `x-request-id` if it is valid, or else a new one. */
const getRequestId = ({ headers }: { headers: NodeJS.Dict<string | string[]> }): string => {
  const proxyId = headers['x-request-id']
  return typeof proxyId === 'string' && requestIdPattern.test(proxyId) ? proxyId : randomUUID()
}

/** Whether a URL belongs to the web app: not to the API; to pages for developers only in development. */
function isPage(url: string, development: boolean): boolean {
  const segment = getFirstSegment(url)
  return segment !== null && !apiSegments.includes(segment) && (development || segment !== 'dev')
}

/** Seconds within which a body other than a file must arrive. */
const bodyTimeoutSeconds = 120
const inlineSources = ["'self'", "'unsafe-inline'"]

/** Returns the origin of the map style, from which maps load tiles, images and fonts; none without one. */
const getOrigins = (styleUrl: string | null): string[] =>
  styleUrl === null ? [] : [new URL(styleUrl).origin]

/** Creates the HTTP server: security headers, compression and the built web app. The caller adds routes. */
export async function openWebApp(
  webRoot: string,
  log: Log,
  {
    development,
    trustedProxies,
    basemapStyleUrl = null,
  }: Pick<Config, 'development' | 'trustedProxies'> & Partial<Pick<Config, 'basemapStyleUrl'>>,
): Promise<FastifyInstance> {
  const app = fastify({
    bodyLimit: defaultBodyBytes,
    trustProxy: trustedProxies.length ? trustedProxies : false,
    routerOptions: { maxParamLength: 300, ignoreTrailingSlash: true },
    // Running calls may finish; the application itself aborts those that take too long.
    forceCloseConnections: 'idle',
    logger: false,
    genReqId: getRequestId,
    requestIdHeader: false,
    frameworkErrors: (error, _request, reply) =>
      void sendProblem(reply as unknown as FastifyReply, createProblemBody('bad_request', error.message)),
    clientErrorHandler: respondToMalformedRequest,
    http: { requireHostHeader: false },
  })
  refuseUnusualRequests(app)
  installErrorHandler(app, log)
  limitSlowBodies(app, bodyTimeoutSeconds)
  dropRefusedBodies(app)
  await app.register(helmet, createSecurityHeaders(getOrigins(basemapStyleUrl)))
  // Event streams are not compressed, because the compressor would delay events.
  await app.register(compress, {
    threshold: 1024,
    // Smaller responses are compressed synchronously: as a stream, each 16 kB needs a turn of the thread pool
    // and of the event loop, for which the live map waited a second under load.
    syncThreshold: 256 * 1024,
    encodings: ['br', 'gzip'],
    customTypes: /^(text\/(?!event-stream)|application\/(json|javascript|geo\+json)|image\/svg)/,
  })
  if (!trustedProxies.length) warnOfUnknownProxy(app, log)
  boundJsonBodies(app)
  if (fs.existsSync(path.join(webRoot, 'index.html'))) await serveFiles(app, webRoot)
  else log('web', { note: 'The web app is not built; only the API is served.' })
  respondToUnknownPaths(app, { development, preloadLinks: createEarlyFilesHeader(webRoot) })
  return app
}

const createSecurityHeaders = (mapOrigins: readonly string[]) => ({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'self'"],
      scriptSrc: ["'self'"],
      styleSrc: inlineSources,
      imgSrc: ["'self'", 'data:', 'blob:', ...mapOrigins],
      fontSrc: ["'self'", 'data:', ...mapOrigins],
      connectSrc: ["'self'", ...mapOrigins],
      workerSrc: ["'self'", 'blob:'],
      objectSrc: ["'none'"],
      baseUri: ["'self'"],
      formAction: ["'self'"],
      frameAncestors: ["'none'"],
    },
  },
  // The server itself speaks plain HTTP. A proxy with TLS may add this header.
  strictTransportSecurity: false,
  crossOriginEmbedderPolicy: false,
  // A popup for signing in on another site must be able to reach its opener.
  crossOriginOpenerPolicy: { policy: 'same-origin-allow-popups' as const },
})

/** Logs once that there seems to be a proxy that the settings do not name. */
function warnOfUnknownProxy(app: FastifyInstance, log: Log): void {
  let hasWarned = false
  app.addHook('onRequest', async ({ headers }) => {
    if (hasWarned || headers['x-forwarded-for'] === undefined) return
    hasWarned = true
    log('proxy', {
      note: 'A request has the header X-Forwarded-For, which is ignored. If there is a proxy in front of the server, name it in TRUSTED_PROXIES; otherwise all its clients share the limits of one address.',
    })
  })
}

async function serveFiles(app: FastifyInstance, webRoot: string): Promise<void> {
  await app.register(files, {
    root: webRoot,
    wildcard: false,
    preCompressed: true,
    // Each file becomes a route; its compressed copies are found by its name and need none.
    globIgnore: ['**/*.{br,gz}'],
    index: ['index.html'],
    setHeaders: (reply, file) =>
      reply.header(
        'cache-control',
        /[/\\]assets[/\\]/.test(file) ? 'public, max-age=31536000, immutable' : 'no-cache',
      ),
  })
  // One file for all regions. Its start URL is relative, so that it opens the page of the same region.
  app.get('/:regionId/mobile/live.webmanifest', (_request, reply) => reply.sendFile('live.webmanifest'))
}

/** Responds to unknown paths of pages with the web app, which has a page for them, and to others with 404. */
function respondToUnknownPaths(
  app: FastifyInstance,
  { development, preloadLinks }: { development: boolean; preloadLinks: string },
): void {
  app.setNotFoundHandler((request, reply) => {
    const isPageRequest =
      request.method === 'GET' &&
      !path.extname(request.url.split('?')[0] ?? '') &&
      isPage(request.url, development)
    if (isPageRequest && app.hasReplyDecorator('sendFile')) {
      if (preloadLinks && hasSessionCookie(request.headers.cookie)) reply.header('link', preloadLinks)
      return reply.header('cache-control', 'no-cache').sendFile('index.html')
    }
    return sendProblem(
      reply,
      createProblemBody('not_found', `There is nothing at ${request.method} ${request.url.split('?')[0]}.`),
    )
  })
}
