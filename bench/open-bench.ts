import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { Layer } from '#contract/geography.ts'
import { type App, openApp } from '#server/app.ts'
import { readConfig } from '#server/config.ts'
import { findLayer, listLayers } from '#server/geography/layers/find-layer.ts'
import { regionScope, systemScope } from '#server/identity/scope.ts'
import { createRegion } from '#server/regions/save-region.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { City } from '../demo/city.ts'
import { loadCity } from '../demo/load-city.ts'
import { storeDemoLayers } from '../demo/store-demo-layers.ts'

/** The app with embedded stores in a temporary folder, with the demo city's layers and no trips. */
export interface Bench {
  app: App
  scope: Scope
  organizationId: string
  regionId: string
  city: City
  neighborhoods: Layer
  directory: string
  close(): Promise<void>
}

/** Seed of the generated trips. The city is always the same. */
export const benchSeed = 4870

/** Opens the app on empty stores. `webRoot`: folder of the built web app, for parts that measure pages. */
export async function openBench(webRoot?: string): Promise<Bench> {
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'publicway-bench-'))
  process.once('exit', () => fs.rmSync(directory, { recursive: true, force: true }))
  const config = readConfig({ DATA_DIR: directory, DEMO: 'off' })
  const app = await openApp(config, webRoot ?? directory, () => undefined)
  const organizationId = '00000000-0000-4000-8000-000000000001'
  const regionId = 'bench'
  await app.state
    .as(systemScope)
    .insertInto('organization')
    .values({ organization_id: organizationId, name: 'Bench', type: 'city' })
    .execute()
  const city = loadCity()
  await createRegion(app.state, organizationId, {
    regionId,
    text: city.name,
    lat: city.lat,
    lon: city.lon,
    timezone: city.timezone,
  })
  const scope = regionScope(organizationId, regionId)
  await storeDemoLayers(app, scope, { regionId, city, at: new Date() })
  const [first] = await listLayers(app.state, scope, regionId)
  if (!first) throw new Error('The demo city has no layers')
  const neighborhoods = await findLayer(app.state, scope, regionId, first.shape_layer_uuid)
  let closing: Promise<void> | undefined
  return {
    app,
    scope,
    organizationId,
    regionId,
    city,
    neighborhoods,
    directory,
    close: () => (closing ??= app.close()),
  }
}
