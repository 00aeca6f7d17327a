import type { FastifyInstance } from 'fastify'
import type { Basemap } from '#contract/basemap.ts'
import { type Config, SettingError } from '#server/config.ts'
import type { Log } from '#server/jobs/log.ts'
import { BasemapFileError } from './basemap-file-error.ts'
import { PmtilesFile } from './pmtiles-file.ts'
import { pmtilesPath, servePmtiles } from './serve-pmtiles.ts'

/** The basemap of the deployment's settings. */
export interface DeploymentBasemap {
  /** Finds what maps draw below their data; the embedded layers if the tile file cannot be used. */
  find(): Promise<Basemap>
  /** Serves the tile file, if there is one. */
  serve(app: FastifyInstance): void
}

/** Opens the configured basemap. @throws SettingError if its tile file cannot be used. */
export async function openBasemap(
  { basemapPmtiles: path, basemapStyleUrl: url }: Pick<Config, 'basemapPmtiles' | 'basemapStyleUrl'>,
  log: Log,
): Promise<DeploymentBasemap> {
  if (path === null)
    return {
      find: async () => (url === null ? { kind: 'embedded' } : { kind: 'style', url }),
      serve: () => undefined,
    }
  const file = new PmtilesFile(path)
  await file.readMetadata().catch((error: unknown) => {
    throw error instanceof BasemapFileError
      ? new SettingError(`BASEMAP_PMTILES names ${path}, which cannot be drawn: ${error.message}.`)
      : error
  })
  return {
    serve: (app) => servePmtiles(app, file),
    async find() {
      try {
        const { etag, attribution, layers, minZoom, maxZoom, bounds } = await file.readMetadata()
        // A replaced file gets a new address, so that clients do not use cached parts of the previous one.
        return {
          kind: 'tiles',
          url: `${pmtilesPath}?v=${etag.replaceAll('"', '')}`,
          attribution,
          layers,
          min_zoom: minZoom,
          max_zoom: maxZoom,
          bounds,
        }
      } catch (error) {
        if (!(error instanceof BasemapFileError)) throw error
        log('basemap', {
          note: `The file of BASEMAP_PMTILES cannot be used: ${error.message}. Maps show the regions' own layers.`,
        })
        return { kind: 'embedded' }
      }
    },
  }
}
