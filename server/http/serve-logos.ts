import type { FastifyInstance } from 'fastify'
import { type BlobStore, readBlob } from '#server/stores/blobs/blob-store.ts'
import { createProblemBody } from './problem.ts'

const mediaTypes: Record<string, string> = {
  svg: 'image/svg+xml',
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
}

/** Serves the logos of regions by file name from the folder `logos` of the blob store. */
export function serveLogos(app: FastifyInstance, blobs: Pick<BlobStore, 'get'>): void {
  app.get<{ Params: { name: string } }>('/logos/:name', async (request, reply) => {
    const [, type] = /^[A-Za-z0-9][A-Za-z0-9_-]*\.([a-z]+)$/.exec(request.params.name) ?? []
    const media = type && Object.hasOwn(mediaTypes, type) ? mediaTypes[type] : undefined
    const bytes = media ? await readBlob(blobs, `logos/${request.params.name}`) : null
    if (!bytes) return reply.code(404).send(createProblemBody('not_found', 'There is no such logo.'))
    // An SVG that is opened as a page must not run scripts.
    return reply
      .type(media ?? '')
      .headers({
        'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
        'x-content-type-options': 'nosniff',
        'cache-control': 'public, max-age=3600',
      })
      .send(bytes)
  })
}
