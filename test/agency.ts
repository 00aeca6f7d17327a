import { createRouteDerivation } from '#server/routes/derive-routes.ts'
import fs from 'node:fs'
import path from 'node:path'
import type { FastifyInstance, LightMyRequestResponse } from 'fastify'
import { readConfig } from '#server/config.ts'
import type { RawPush } from '#server/feeds/agency/agency.ts'
import { serveAgency } from '#server/feeds/agency/serve-agency.ts'
import { makeAgencyToken } from '#server/feeds/agency/tokens.ts'
import { openWebApp } from '#server/http/web-app.ts'
import { systemScope } from '#server/identity/scope.ts'
import type { FleetIngest } from '#server/fleet/events/fleet-ingest.ts'
import { openFleetIngest } from '#server/fleet/events/open-fleet-ingest.ts'
import type { Facts } from '#server/stores/facts.ts'
import { openFacts } from '#server/stores/open-facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import { openState, type State } from '#server/stores/state.ts'
import { providerId, sampleTime } from './mds-samples.ts'
import { createDataDir } from './new-data-dir.ts'
import { openTestGate } from './key-gate.ts'
import { storeRegion, insertFeed } from './store-region.ts'

/** The Agency API without the rest of the server, on embedded stores, with two operators in one region. */
export interface TestAgency {
  http: FastifyInstance
  state: State
  facts: Facts
  fleetIngest: FleetIngest
  scope: Scope
  kept: RawPush[]
  logged: string[]
  /** Feed and token of `lark` (with a known provider_id) and `heron`. */
  lark: { feedId: string; token: string }
  heron: { feedId: string; token: string }
  /** The time of the clock, in milliseconds. */
  clock: { at: number }
  close(): Promise<void>
}

export const organizationId = '00000000-0000-4000-8000-0000000000f1'
export const regionId = 'broadtown'

export async function openTestAgency(): Promise<TestAgency> {
  const dataDir = createDataDir()
  const config = readConfig({ DATA_DIR: dataDir, DEMO: 'off' })
  const [state, facts] = await Promise.all([openState(config), openFacts(config)])
  const [kept, logged]: [RawPush[], string[]] = [[], []]
  const log = (line: string, details?: object): void => void logged.push(JSON.stringify({ line, ...details }))
  const clock = { at: sampleTime + 60_000 }
  const store = state.as(systemScope)
  const scope = await storeRegion(state, {
    organization_id: organizationId,
    region_id: regionId,
    text: 'Broadtown',
    lat: 39.96,
    lon: -83,
    timezone: 'America/New_York',
    is_metric: false,
  })
  const addAgencyFeed = async (
    operator: string,
    provider_id: string | null,
  ): Promise<{ feedId: string; token: string }> => {
    await store
      .insertInto('operator')
      .values({
        organization_id: organizationId,
        slug: operator,
        name: operator,
        color_hex: '#336699',
        provider_id,
      })
      .execute()
    const feedId = await insertFeed(state, { region_id: regionId, operator, kind: 'mds_agency' })
    return {
      feedId,
      token: (await makeAgencyToken(state.as(scope), feedId, { actor: null, at: new Date(clock.at) })).token,
    }
  }
  const [lark, heron] = [await addAgencyFeed('lark', providerId), await addAgencyFeed('heron', null)]
  const fleetIngest = await openFleetIngest({
    state,
    facts,
    log,
    nowMs: () => clock.at,
    deriveFromTrips: createRouteDerivation({ state, facts }),
  })
  const http = await openWebApp(path.join(dataDir, 'no-web'), log, config)
  serveAgency(http, {
    state,
    facts,
    fleetIngest,
    storeRaw: async (push) => void kept.push(push),
    gate: openTestGate(state, () => new Date(clock.at)),
    log,
    now: () => new Date(clock.at),
  })
  await http.ready()
  return {
    http,
    state,
    facts,
    fleetIngest,
    scope,
    kept,
    logged,
    lark,
    heron,
    clock,
    async close() {
      await http.close()
      await fleetIngest.close()
      await facts.close()
      await state.close()
      fs.rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

export interface AgencyRequest {
  token?: string
  version?: string
  type?: string
  headers?: Record<string, string>
}

/** Sends a request to the Agency API. Text and bytes are sent unchanged, other bodies as JSON. */
export function sendToAgency(
  { http }: TestAgency,
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  url: string,
  body?: unknown,
  { token, version, type, headers = {} }: AgencyRequest = {},
): Promise<LightMyRequestResponse> {
  const payload =
    body === undefined
      ? {}
      : {
          payload:
            typeof body === 'string' || body instanceof Uint8Array ? Buffer.from(body) : JSON.stringify(body),
        }
  return http.inject({
    method,
    url: `/mds/agency${url}`,
    ...payload,
    headers: {
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(version ? { accept: `application/vnd.mds+json;version=${version}` } : {}),
      ...(body === undefined ? {} : { 'content-type': type ?? 'application/json' }),
      ...headers,
    },
  })
}
